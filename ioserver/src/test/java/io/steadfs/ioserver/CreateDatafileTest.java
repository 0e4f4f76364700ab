package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.CreateDatafileReply;
import io.steadfs.wire.proto.CreateDatafileRequest;
import io.steadfs.wire.proto.WriteReply;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CREATE_DATAFILE: a datafile before its first byte. */
class CreateDatafileTest {
    private static final byte[] BYTES = IoRig.bytes(1, 1000);

    private static CreateDatafileRequest request(int index, long generation) {
        return CreateDatafileRequest.newBuilder()
                .setMetafile(IoRig.METAFILE.value())
                .setIndex(index)
                .setWriteGeneration(generation)
                .build();
    }

    private static Handle made(Reply reply) {
        return new Handle(((CreateDatafileReply) IoRig.ok(reply).body()).getDatafile());
    }

    private static Handle create(IoRig rig, int index, long generation) {
        return made(rig.ask(Kind.CREATE_DATAFILE, request(index, generation)));
    }

    @Test
    void isThereAfterAPowerCutAndTakesWrites() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = create(rig, 0, 1);
            rig.crash(new Random(1));
            assertThat(rig.stat(datafile).getLength()).isZero();
            assertThat(UnconfirmedDatafiles.page(rig.store.committed(), Handle.NONE, 9, madeMillis -> true)
                            .due())
                    .containsExactly(datafile);
            WriteReply written = rig.append(datafile, 0, BYTES, true);
            assertThat(written.getDatafile()).isEqualTo(datafile.value());
            assertThat(rig.content(datafile)).isEqualTo(BYTES);
        }
    }

    @Test
    void isMadeOnceForAColumn() throws IOException {
        try (IoRig rig = new IoRig()) {
            IoRig.Pending one = rig.begin(Kind.CREATE_DATAFILE, request(0, 1), new byte[0]);
            IoRig.Pending two = rig.begin(Kind.CREATE_DATAFILE, request(0, 1), new byte[0]);
            rig.core().lanes().runQueued();
            Handle datafile = made(one.reply());
            assertThat(made(two.reply())).as("in the same batch").isEqualTo(datafile);
            rig.crash(new Random(2));
            assertThat(create(rig, 0, 1)).as("after a crash").isEqualTo(datafile);
            assertThat(rig.make(BYTES, true)).as("by a first write").isEqualTo(datafile);
            assertThat(create(rig, 0, 1)).as("with bytes in it").isEqualTo(datafile);
            assertThat(create(rig, 1, 1)).as("another column").isNotEqualTo(datafile);
            assertThat(create(rig, 0, 2)).as("a newer generation").isNotEqualTo(datafile);
        }
    }

    @ParameterizedTest
    @CsvSource({"made, 4, STALE_GENERATION", "made, 5, OK", "sealed, 5, STALE_GENERATION", "sealed, 9, OK"})
    void olderWritersAreRefused(String event, long generation, FsError expected) throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = create(rig, 0, 5);
            if (event.equals("sealed")) {
                rig.seal(datafile, 9);
            }
            assertThat(rig.ask(Kind.CREATE_DATAFILE, request(0, generation)).error())
                    .isEqualTo(expected);
        }
    }

    /** Perhaps the shard was added a moment ago. */
    @ParameterizedTest
    @CsvSource({"1, STALE_EPOCH", "2, OK"})
    void aMetafileOfAShardThatIsNotKnownIsRefused(int shards, FsError expected) throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle metafile = Handle.of(Handle.shardOwner(1), 0, 7);
            rig.map = Optional.of(ClusterMap.newBuilder().setShardCount(shards).build());
            Reply made = rig.ask(
                    Kind.CREATE_DATAFILE,
                    request(0, 1).toBuilder().setMetafile(metafile.value()).build());
            Reply written = rig.ask(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, BYTES, false)
                            .setMetafile(metafile.value())
                            .build(),
                    BYTES);
            for (Reply reply : List.of(made, written)) {
                assertThat(reply.error()).isEqualTo(expected);
                if (expected != FsError.OK) {
                    assertThat(reply.header().getMessage())
                            .contains("metafile " + metafile + " is of shard 1, the file system has 1 shard");
                }
            }
            assertThat(UnconfirmedDatafiles.page(rig.store.committed(), Handle.NONE, 9, madeMillis -> true)
                            .due())
                    .hasSize(expected == FsError.OK ? 1 : 0);
        }
    }

    @Test
    void whileThereIsNoMapEveryShardMayExist() throws IOException {
        try (IoRig rig = new IoRig()) {
            CreateDatafileRequest request = request(0, 1).toBuilder()
                    .setMetafile(Handle.of(Handle.shardOwner(200), 0, 7).value())
                    .build();
            assertThat(rig.ask(Kind.CREATE_DATAFILE, request).error()).isEqualTo(FsError.OK);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, false", "-1, true"})
    void whatNamesNoColumnIsRefused(int index, boolean shard) throws IOException {
        try (IoRig rig = new IoRig()) {
            long metafile = shard
                    ? IoRig.METAFILE.value()
                    : Handle.of(IoRig.SERVER, 0, 1).value();
            CreateDatafileRequest request =
                    request(index, 1).toBuilder().setMetafile(metafile).build();
            assertThat(rig.ask(Kind.CREATE_DATAFILE, request).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        }
    }
}
