package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.layout.WriteGeneration;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateDatafileRequest;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.TruncateRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Write generations above what a datafile has seen: what is taken, what is asked for, and that no number spoils a file. */
class GenerationBoundsTest {
    private static final byte[] BYTES = IoRig.bytes(1, 1000);
    private static final byte[] NONE = new byte[0];

    private final List<Handle> asked = new ArrayList<>();
    private final Queue<CompletableFuture<OptionalLong>> answers = new ArrayDeque<>();
    private IoRig rig;
    private Handle datafile;

    /** A datafile of generation 1. */
    @BeforeEach
    void start() throws IOException {
        rig = new IoRig();
        rig.ask(PeerIdentity.client("alice"));
        rig.core().askGenerationsOf(this::ask);
        datafile = rig.make(BYTES, true);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private CompletableFuture<OptionalLong> ask(Handle metafile) {
        asked.add(metafile);
        CompletableFuture<OptionalLong> answer = new CompletableFuture<>();
        answers.add(answer);
        return answer;
    }

    /** What becomes of a request of each kind that brings a generation along. */
    private FsError send(Kind kind, int column, long generation) {
        MessageLite body = switch (kind) {
            case WRITE ->
                IoRig.write(column == 0 ? datafile : Handle.NONE, 0, BYTES, true)
                        .setIndex(column)
                        .setWriteGeneration(generation)
                        .build();
            case CREATE_DATAFILE ->
                CreateDatafileRequest.newBuilder()
                        .setMetafile(IoRig.METAFILE.value())
                        .setIndex(column)
                        .setWriteGeneration(generation)
                        .build();
            case TRUNCATE ->
                TruncateRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(IoRig.METAFILE.value())
                        .setLength(BYTES.length)
                        .setWriteGeneration(generation)
                        .build();
            case SEAL ->
                SealRequest.newBuilder()
                        .setMetafile(IoRig.METAFILE.value())
                        .addDatafiles(datafile.value())
                        .setWriteGeneration(generation)
                        .build();
            default -> throw new IllegalArgumentException(kind.name());
        };
        Reply reply = rig.ask(kind, body, kind == Kind.WRITE ? BYTES : NONE);
        return kind == Kind.SEAL && reply.isOk()
                ? IoRig.errorOf(((SealReply) reply.body()).getDatafiles(0))
                : reply.error();
    }

    @ParameterizedTest
    @CsvSource({"WRITE, 0", "WRITE, 1", "CREATE_DATAFILE, 1", "TRUNCATE, 0", "SEAL, 0"})
    void aNumberFarAboveIsTakenOnlyAfterTheShardHasSaidSo(Kind kind, int column) {
        for (long none : new long[] {WriteGeneration.MOST, Long.MAX_VALUE}) {
            assertThat(send(kind, column, none)).isEqualTo(FsError.INVALID_ARGUMENT);
        }
        assertThat(asked).isEmpty();

        assertThat(send(kind, column, 9)).isEqualTo(FsError.BUSY);
        assertThat(send(kind, column, 9)).isEqualTo(FsError.BUSY);
        assertThat(asked).as("once at a time").containsExactly(IoRig.METAFILE);
        answers.remove().complete(OptionalLong.of(8));
        assertThat(send(kind, column, 9)).isEqualTo(FsError.BUSY);
        assertThat(rig.append(datafile, 0, BYTES, true).getLength())
                .as("its writer goes on")
                .isEqualTo(BYTES.length);

        answers.remove().complete(OptionalLong.of(9));
        assertThat(send(kind, column, 9)).isEqualTo(FsError.OK);
        assertThat(asked).hasSize(2);
    }

    @Test
    void oneAboveNeedsNoQuestion() {
        for (long generation = 1; generation <= 5; generation++) {
            assertThat(send(Kind.SEAL, 0, generation)).isEqualTo(FsError.OK);
            assertThat(send(Kind.WRITE, 0, generation)).isEqualTo(FsError.OK);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void aMetafileThatIsGoneHoldsUpNobody() {
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.BUSY);
        answers.remove().complete(OptionalLong.empty());
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.OK);
    }

    /** The datafile may be another file's: its shard can go on above whatever the number was. */
    @Test
    void noNumberOfAMetafileThatIsGoneSpoilsADatafile() {
        assertThat(send(Kind.SEAL, 0, WriteGeneration.MOST - 1)).isEqualTo(FsError.BUSY);
        answers.remove().complete(OptionalLong.empty());
        assertThat(send(Kind.SEAL, 0, WriteGeneration.MOST - 1)).isEqualTo(FsError.BUSY);
        answers.remove().complete(OptionalLong.empty());
        assertThat(send(Kind.SEAL, 0, WriteGeneration.MOST_TOLD)).isEqualTo(FsError.OK);
    }

    /** Recovery seals many files that nobody asked for before. */
    @ParameterizedTest
    @EnumSource(names = {"SEAL", "TRUNCATE"})
    void aServerIsBelievedAsFarAsAShardCanGoOnAbove(Kind kind) {
        rig.ask(TestHello.peerIdentity());
        assertThat(send(kind, 0, 9)).isEqualTo(FsError.OK);
        assertThat(send(kind, 0, WriteGeneration.MOST_TOLD)).isEqualTo(FsError.OK);
        assertThat(asked).isEmpty();
        assertThat(send(kind, 0, WriteGeneration.MOST - 1)).isEqualTo(FsError.BUSY);
    }

    /** What names no metafile of a shard has nobody who could be asked. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1L << 48 | 1})
    void noMetafileIsRefused(long metafile) {
        assertThat(rig.ask(
                                Kind.TRUNCATE,
                                TruncateRequest.newBuilder()
                                        .setDatafile(datafile.value())
                                        .setMetafile(metafile)
                                        .setWriteGeneration(9)
                                        .build(),
                                NONE)
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(asked).isEmpty();
    }

    @Test
    void aQuestionThatCannotBeAskedIsNotWaitedFor() {
        rig.core().askGenerationsOf(metafile -> {
            throw new IllegalStateException("nobody there");
        });
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.BUSY);
        rig.core().askGenerationsOf(this::ask);
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.BUSY);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aShardThatDoesNotSayIsAskedAgain() {
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.BUSY);
        answers.remove().completeExceptionally(new IOException("away"));
        assertThat(send(Kind.SEAL, 0, 9)).isEqualTo(FsError.BUSY);
        assertThat(asked).hasSize(2);
    }
}
