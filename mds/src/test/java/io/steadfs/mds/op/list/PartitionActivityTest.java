package io.steadfs.mds.op.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.HandOver;
import io.steadfs.wire.proto.PartitionActivityReply;
import io.steadfs.wire.proto.PartitionActivityRequest;
import io.steadfs.wire.proto.PartitionRate;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What shards answer about a directory that grows over three of them, shrinks and merges. */
class PartitionActivityTest {
    private static final int NAMES = 40;

    private final SimulatedShards cluster = new SimulatedShards(
            3,
            1,
            Map.of(
                    "stead.partition.split.entries",
                    "4",
                    "stead.partition.per.shard",
                    "2",
                    "stead.partition.merge.quiet",
                    "0"));
    private final AsyncSteadFs fs = cluster.client("root");
    private final FsPath wide = FsPath.ROOT.child("wide");

    private PartitionActivityReply ask(int shard, int hottest, long directory) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.PARTITION_ACTIVITY.number())
                .setShard(shard + 1)
                .build();
        CompletableFuture<Reply> reply = cluster.network()
                .client("admin", PeerIdentity.admin("root"))
                .send(
                        SimulatedShards.address(shard),
                        new Request(
                                Kind.PARTITION_ACTIVITY,
                                header,
                                PartitionActivityRequest.newBuilder()
                                        .setHottest(hottest)
                                        .setDirectory(directory)
                                        .build(),
                                Payload.EMPTY),
                        1_000);
        Reply answer = cluster.await("the activity of shard " + shard, reply);
        assertThat(answer.error()).as(answer.header().getMessage()).isEqualTo(FsError.OK);
        return (PartitionActivityReply) answer.body();
    }

    private List<PartitionRate> rates(int hottest, long directory) {
        List<PartitionRate> all = new ArrayList<>();
        IntStream.range(0, 3)
                .forEach(shard -> all.addAll(ask(shard, hottest, directory).getPartitionsList()));
        return all;
    }

    private void make(int from, int to) {
        for (int i = from; i < to; i++) {
            cluster.await("mkdir " + i, fs.names().mkdirs(wide.child("d" + i), 0777, true, false));
        }
    }

    private Handle handle() {
        return cluster.await("stat", fs.attributes().stat(wide)).handle();
    }

    /** Lets time pass until a shard gives names. */
    private int giver() {
        cluster.time().runUntil("a shard gives names", () -> shardThatGives().isPresent(), 120_000);
        return shardThatGives().getAsInt();
    }

    private OptionalInt shardThatGives() {
        return IntStream.range(0, 3)
                .filter(shard -> !Givings.all(cluster.committed(shard)).isEmpty())
                .findFirst();
    }

    @Test
    void ratesAndNamesOfAllPartitionsAreTold() {
        make(0, NAMES);
        cluster.time().runFor(30_000);
        cluster.quiet();
        make(NAMES, NAMES + 6);
        List<PartitionInfo> map = cluster.await("partitions", fs.lists().partitions(wide));
        assertThat(map).hasSizeGreaterThan(4);
        assertThat(map.stream().mapToLong(PartitionInfo::entries).sum()).isEqualTo(NAMES + 6);
        List<PartitionRate> told = rates(0, handle().value());
        assertThat(told.stream().map(each -> each.getNumber() + " " + each.getDepth() + " " + each.getEntries()))
                .containsExactlyInAnyOrderElementsOf(map.stream()
                        .filter(each -> each.countedWith() == each.number())
                        .map(each -> each.number() + " " + each.depth() + " " + each.entries())
                        .toList());
        assertThat(told).allMatch(each -> each.getDirectory() == handle().value());
        // Six names of these seconds, and what is left of the earlier ones.
        assertThat(told.stream().mapToDouble(PartitionRate::getNamesPerSecond).sum())
                .isBetween(0.3, 2.0);
        for (int shard = 0; shard < 3; shard++) {
            List<PartitionRate> hottest = ask(shard, 2, 0).getPartitionsList();
            assertThat(hottest).hasSizeLessThanOrEqualTo(2);
            assertThat(hottest)
                    .isSortedAccordingTo(Comparator.comparingDouble(PartitionRate::getNamesPerSecond)
                            .reversed());
            assertThat(hottest).noneMatch(each -> each.getNamesPerSecond() == 0);
        }
    }

    @Test
    void directoryWithOnePartitionIsTold() {
        make(0, 3);
        assertThat(rates(0, handle().value()))
                .singleElement()
                .matches(each ->
                        each.getHandle() == handle().value() && each.getEntries() == 3 && each.getNamesPerSecond() > 0);
        assertThat(rates(0, Handle.of(Handle.FIRST_SHARD_OWNER, 0, 77_777).value()))
                .isEmpty();
    }

    /** The partitions are listed, too, while names move. */
    @Test
    void splitAndMergeAreToldWhileTheyAreUnderWay() {
        make(0, 5);
        int source = giver();
        long since = cluster.time().wallMillis();
        HandOver split = ask(source, 10, 0).getHandOvers(0);
        assertThat(split.getDirectory()).isEqualTo(handle().value());
        assertThat(split.getKind()).isEqualTo(HandOver.Kind.SPLIT);
        assertThat(split.getTarget()).isEqualTo(1);
        assertThat(split.hasTargetShard()).isTrue();
        assertThat(split.getSourceDepth()).isZero();
        assertThat(split.getSinceMillis()).isBetween(since - 2, since);
        assertThat(split.getEntries()).isEqualTo(5);
        assertThat(ask(source, 0, handle().value()).getHandOversCount()).isLessThanOrEqualTo(1);
        assertThat(ask(source, 0, Handle.of(Handle.shardOwner(0), 0, 77_000).value())
                        .getHandOversList())
                .isEmpty();
        assertThat(cluster.await("partitions", fs.lists().partitions(wide))).hasSizeBetween(1, 2);
        cluster.time().runFor(10_000);
        cluster.quiet();
        assertThat(cluster.await("partitions", fs.lists().partitions(wide))).hasSize(2);

        for (int i = 0; i < 5; i++) {
            cluster.await("delete " + i, fs.names().delete(wide.child("d" + i), false));
        }
        int ends = giver();
        HandOver merge = ask(ends, 0, 0).getHandOvers(0);
        assertThat(merge.getKind()).isEqualTo(HandOver.Kind.MERGE);
        assertThat(merge.getSource()).isEqualTo(1);
        assertThat(merge.getSourceDepth()).isEqualTo(1);
        assertThat(merge.getTarget()).isZero();
    }
}
