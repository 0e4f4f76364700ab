package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.TruncateFileReply;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whoever waits for a client that closes is told, and not left waiting. */
class ClosedClientTest {
    private static final FsPath PATH = FsPath.ROOT.child("f");

    private final SimulatedCluster cluster = new SimulatedCluster(1, 2, Faults.NONE, 0, Map.of());

    private FsError end(CompletableFuture<?> future) {
        assertThat(future).isDone();
        return catchThrowableOfType(FsException.class, () -> cluster.await(future))
                .error();
    }

    @Test
    void whatPausesBetweenTriesEndsWithTheClient() throws Exception {
        cluster.file("f", 2, SimulatedCluster.STRIP, new byte[0]);
        cluster.shard.silent.add(Kind.STAT);
        cluster.shard.silent.add(Kind.MKDIRS);
        CompletableFuture<?> read = cluster.fs.attributes().stat(PATH);
        CompletableFuture<?> change = cluster.fs.names().mkdirs(FsPath.parse("d"), 0755, false, true);
        cluster.time.runUntil(
                "tries fail",
                () -> cluster.shard.kinds.stream().filter(Kind.STAT::equals).count() > 1,
                100_000);
        CompletableFuture<Void> closing = cluster.fs.close();
        cluster.time.runUntil("closed, and told", () -> closing.isDone() && read.isDone() && change.isDone(), 15_000);
        assertThat(end(read)).isIn(FsError.CANCELLED, FsError.TIMED_OUT);
        assertThat(end(change)).as("whether it was done is not known").isEqualTo(FsError.TIMED_OUT);
    }

    @Test
    void aClosedClientRefusesAtOnce() throws Exception {
        cluster.file("f", 2, SimulatedCluster.STRIP, new byte[0]);
        cluster.await(cluster.fs.close());
        assertThat(end(cluster.fs.attributes().stat(PATH))).isEqualTo(FsError.CANCELLED);
        assertThat(end(cluster.fs.names().delete(PATH, false))).isEqualTo(FsError.CANCELLED);
        assertThat(end(cluster.fs.writes().create(PATH, CreateOptions.DEFAULT))).isEqualTo(FsError.CANCELLED);
    }

    /** What was done is said, whatever keeps the client from waiting for the rest. */
    @Test
    void aTruncateThatWasDoneIsNotCalledCancelled() throws Exception {
        ScriptedShards shards = new ScriptedShards();
        Attributes.Builder truncated = Attributes.newBuilder()
                .setHandle(Handle.of(Handle.FIRST_SHARD_OWNER, 0, 5).value())
                .setType(FileType.FILE)
                .setWriteGeneration(3)
                .setLength(1)
                .setRecovering(true);
        shards.then(
                Reply.ok(TruncateFileReply.newBuilder().setAttributes(truncated).build()));
        shards.otherwise = Optional.of(
                Reply.ok(StatReply.newBuilder().setAttributes(truncated).build()));
        CompletableFuture<FileInfo> truncate = shards.fs.writes().truncate(PATH, 1);
        shards.time.runUntil("it is asked after", () -> shards.asked.size() > 4, 60_000);
        CompletableFuture<Void> closing = shards.fs.close();
        shards.time.runUntil("closed, and told", () -> closing.isDone() && truncate.isDone(), 60_000);
        assertThatThrownBy(truncate::join).cause().isInstanceOfSatisfying(FsException.class, told -> {
            assertThat(told.error()).isEqualTo(FsError.TIMED_OUT);
            assertThat(told).hasMessageContaining("was truncated to 1 bytes");
        });
    }

    /** The last client of a process takes the threads along that would have tried again. */
    @Test
    void nobodyWaitsForThreadsThatAreGone() throws Exception {
        ServerAddress nobody;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new ServerAddress("127.0.0.1", free.getLocalPort());
        }
        SteadClient fs = SteadClient.connect(
                Settings.of(Map.of(
                        "stead.client.backoff.least",
                        "20s",
                        "stead.client.backoff.most",
                        "20s",
                        "stead.client.reach.timeout",
                        "2m")),
                List.of(nobody),
                Caller.newBuilder().setUser("ann").build());
        CompletableFuture<FsException> told = CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(FsException.class, () -> fs.mkdirs(PATH, 0755, false, true)));
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (fs.counters().getOrDefault("client.retries", 0L) == 0) {
            assertThat(System.nanoTime())
                    .as("it is to try again within a minute")
                    .isLessThan(deadlineNanos);
            Thread.onSpinWait();
        }
        fs.close();
        assertThat(told.get(60, TimeUnit.SECONDS).error()).isEqualTo(FsError.CANCELLED);
        assertThat(catchThrowableOfType(FsException.class, () -> fs.stat(PATH)).error())
                .isEqualTo(FsError.CANCELLED);
    }
}
