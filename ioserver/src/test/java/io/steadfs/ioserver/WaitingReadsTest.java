package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReadRequest;
import io.steadfs.wire.proto.StatDatafilesRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reads before the threads that a server has for them: how many wait, and that no more do. */
class WaitingReadsTest {
    private static final int MOST = 16;

    private static StatusReply status(IoRig rig) {
        return (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                .body();
    }

    @Test
    void asManyWaitAsThereIsRoomForAndTheyAreCounted() throws IOException, InterruptedException {
        Settings settings =
                Settings.of(Map.of(IoKeys.READERS.name(), "1", IoKeys.READ_QUEUE.name(), String.valueOf(MOST)));
        ThreadPoolExecutor readers = IoServer.readers(IoRig.SERVER, settings);
        CountDownLatch go = new CountDownLatch(1);
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 100), true);
            rig.readers = readers;
            readers.execute(() -> await(go));
            StatDatafilesRequest stat = StatDatafilesRequest.newBuilder()
                    .addDatafiles(datafile.value())
                    .build();

            List<IoRig.Pending> waiting = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                waiting.add(rig.begin(Kind.STAT_DATAFILES, stat, new byte[0]));
            }
            assertThat(waiting).noneMatch(IoRig.Pending::isAnswered);
            assertThat(status(rig).getGaugesMap()).containsEntry("reads.waiting", (long) MOST);

            IoRig.Pending refused = rig.begin(Kind.STAT_DATAFILES, stat, new byte[0]);
            assertThat(refused.reply().error()).isEqualTo(FsError.BUSY);
            assertThat(refused.reply().header().getMessage()).contains("reads");
            assertThat(status(rig).getCountersMap()).containsEntry("refused.BUSY", 1L);
            assertThat(status(rig).getGaugesMap()).containsEntry("reads.waiting", (long) MOST);

            go.countDown();
            readers.shutdown();
            assertThat(readers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(waiting).allMatch(each -> each.reply().isOk());
            assertThat(status(rig).getGaugesMap()).containsEntry("reads.waiting", 0L);
        } finally {
            go.countDown();
            readers.shutdownNow();
        }
    }

    @Test
    void bytesInMemoryAreReadWithoutAThreadAndOthersAreNot() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, 100);
            Handle datafile = rig.make(bytes, true);
            List<Runnable> waiting = new ArrayList<>();
            rig.readers = waiting::add;

            assertThat(rig.content(datafile)).isEqualTo(bytes);
            assertThat(IoRig.ok(rig.read(datafile, 100, 1)).payload().length()).isZero();
            assertThat(rig.ask(Kind.READ, read(datafile).setMetafile(4711).build())
                            .error())
                    .isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(rig.ask(Kind.READ, read(datafile).setLength(-1).build()).error())
                    .isEqualTo(FsError.TOO_LARGE);
            assertThat(waiting).isEmpty();

            rig.restart();
            IoRig.Pending stored = rig.begin(Kind.READ, read(datafile).build(), new byte[0]);
            assertThat(stored.isAnswered()).isFalse();
            waiting.forEach(Runnable::run);
            assertThat(IoRig.ok(stored.reply()).payload().length()).isEqualTo(100);
        }
    }

    private static ReadRequest.Builder read(Handle datafile) {
        return ReadRequest.newBuilder()
                .setDatafile(datafile.value())
                .setMetafile(IoRig.METAFILE.value())
                .setLength(100);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
