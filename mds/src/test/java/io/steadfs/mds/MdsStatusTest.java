package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.disk.FileStoreDisk;
import io.steadfs.disk.Space;
import io.steadfs.hello.TestHello;
import io.steadfs.hello.Welcome;
import io.steadfs.mds.call.Refusals;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.store.mark.MemoryMark;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MdsStatusTest {
    private static final class WithoutZooKeeper extends StillNeighbours {
        @Override
        public ClusterMap map() {
            return FixedInputs.CLUSTER;
        }

        @Override
        public SortedSet<Integer> shards() {
            return new TreeSet<>(List.of(0, 2));
        }

        @Override
        public CompletableFuture<Integer> confirmShards() {
            return CompletableFuture.completedFuture(FixedInputs.CLUSTER.getShardCount());
        }

        @Override
        public boolean isJoining(int shard) {
            return false;
        }

        @Override
        public void ready(int shard) {
            throw new AssertionError("shard " + shard + " joins nothing");
        }

        @Override
        public void learnShardsBy(Supplier<CompletableFuture<?>> learning) {}

        @Override
        public List<String> problems() {
            return List.of("ZooKeeper does not answer");
        }

        @Override
        public Welcome welcome() {
            return TestHello.welcome(TestHello.mds(1));
        }

        @Override
        public String superuser() {
            return "root";
        }

        @Override
        public ShardPlace claim(int shard) {
            throw new AssertionError("nobody asked to host shard " + shard);
        }

        @Override
        public MarkPlace marks(int shard) {
            return new MemoryMark();
        }

        @Override
        public AcceptedLoss acceptedLoss() {
            return AcceptedLoss.NONE;
        }

        @Override
        public HandleReserve reserve(int shard) {
            throw new AssertionError("nobody asked for handles of shard " + shard);
        }

        @Override
        public void announce(ServerAddress address) {}

        @Override
        public void close() {}
    }

    private static Supplier<StatusReply> shard(long decided, long queued, String... problems) {
        return () -> StatusReply.newBuilder()
                .putCounters("requests.decided", decided)
                .putGauges("queue.length", queued)
                .addAllProblems(List.of(problems))
                .build();
    }

    @Test
    void sumsTheShardsAndNamesTheOneThatStopped(@TempDir Path directory) throws IOException {
        Space space = new Space(new FileStoreDisk(directory), 1, new SystemClock());
        MessageCounters messages = new MessageCounters();
        messages.in(Kind.CREATE, "");
        SortedMap<Integer, Supplier<StatusReply>> shards =
                new TreeMap<>(Map.of(0, shard(5, 1), 2, shard(7, 0, "shard 2 stopped: its log could not be written")));

        messages.load().connected();
        Refusals refusals = new Refusals();

        StatusReply status = new MdsStatus(
                        3,
                        () -> 42,
                        new WithoutZooKeeper(),
                        messages,
                        refusals,
                        () -> 6,
                        space,
                        shards,
                        () -> List.of("shard 1 does not move on"))
                .get();

        assertThat(status.getRole()).isEqualTo(ClusterMap.Role.MDS);
        assertThat(status.getId()).isEqualTo(3);
        assertThat(status.getEpoch()).isEqualTo(7);
        assertThat(status.getUptimeMillis()).isEqualTo(42);
        assertThat(status.getCountersMap())
                .containsEntry("messages.in.CREATE", 1L)
                .containsEntry("requests.decided", 12L)
                .containsEntry("shard.0.requests.decided", 5L)
                .containsEntry("shard.2.requests.decided", 7L);
        assertThat(status.getGaugesMap())
                .containsEntry("queue.length", 1L)
                .containsEntry("shard.0.queue.length", 1L)
                .containsEntry("connections.open", 1L)
                .containsEntry("requests.working", 0L)
                .containsEntry("longreads.waiting", 6L)
                .containsEntry("shards.hosted", 2L);
        assertThat(status.getProblemsList())
                .containsExactly(
                        "ZooKeeper does not answer",
                        "shard 1 does not move on",
                        "shard 2 stopped: its log could not be written");
    }
}
