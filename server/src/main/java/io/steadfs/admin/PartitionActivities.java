package io.steadfs.admin;

import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.HandOver;
import io.steadfs.wire.proto.PartitionActivityReply;
import io.steadfs.wire.proto.PartitionActivityRequest;
import io.steadfs.wire.proto.PartitionRate;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Asks shards in which partitions of directories names are made, and which partitions give names to others. */
public final class PartitionActivities {
    /** The most partitions that one shard is asked for. */
    public static final int MOST = 1_000;

    private static final double LEAST_PER_SECOND = 0.05;

    private final Transport transport;
    private final ClusterMap map;
    private final long timeoutMillis;

    public PartitionActivities(Transport transport, ClusterMap map, long timeoutMillis) {
        this.transport = transport;
        this.map = map;
        this.timeoutMillis = timeoutMillis;
    }

    /** A partition of a shard. */
    public record Partition(int shard, PartitionRate rate) {}

    /** A hand over whose source is on the shard. */
    public record Giving(int shard, HandOver handOver) {}

    /**
     * A directory in which names are made.
     *
     * @param namesPerSecond sum of its partitions that were told
     * @param partitions those with the highest rates first
     */
    public record HotDirectory(Handle directory, double namesPerSecond, List<Partition> partitions) {
        /** Names in the partitions that were told. */
        public long entries() {
            return partitions.stream()
                    .mapToLong(each -> each.rate().getEntries())
                    .sum();
        }

        /** The shards of these partitions, in order. */
        public List<Integer> shards() {
            return partitions.stream().map(Partition::shard).distinct().sorted().toList();
        }
    }

    /**
     * What shards answered.
     *
     * @param problems one line for each shard that did not answer
     */
    public record Answers(List<Partition> partitions, List<Giving> givings, List<String> problems) {
        /**
         * The directories of the partitions, those with the highest rates first. One in which a name is made in 20 s is
         * left out.
         */
        public List<HotDirectory> directories() {
            Map<Long, List<Partition>> byDirectory = new LinkedHashMap<>();
            partitions.forEach(each -> byDirectory
                    .computeIfAbsent(each.rate().getDirectory(), directory -> new ArrayList<>())
                    .add(each));
            return byDirectory.entrySet().stream()
                    .map(each -> of(new Handle(each.getKey()), each.getValue()))
                    .filter(each -> each.namesPerSecond() >= LEAST_PER_SECOND)
                    .sorted(Comparator.comparingDouble(HotDirectory::namesPerSecond)
                            .reversed()
                            .thenComparing(HotDirectory::directory))
                    .toList();
        }

        private static HotDirectory of(Handle directory, List<Partition> partitions) {
            return new HotDirectory(
                    directory,
                    partitions.stream()
                            .mapToDouble(each -> each.rate().getNamesPerSecond())
                            .sum(),
                    partitions.stream()
                            .sorted(Comparator.comparingDouble(
                                            (Partition each) -> each.rate().getNamesPerSecond())
                                    .reversed()
                                    .thenComparing(each -> each.rate().getNumber()))
                            .toList());
        }
    }

    /**
     * The partitions of each shard with the highest rates, and all hand overs.
     *
     * @param most largest number of partitions of one shard
     */
    public Answers hottest(int most) {
        return ask(
                IntStream.range(0, ShardCounts.of(map).all()).boxed().toList(),
                PartitionActivityRequest.newBuilder().setHottest(most).build());
    }

    /** The partitions of the directory at these shards, and its hand overs. */
    public Answers of(Handle directory, Collection<Integer> shards) {
        return ask(
                shards,
                PartitionActivityRequest.newBuilder()
                        .setDirectory(directory.value())
                        .build());
    }

    /** Asks all shards at the same time. */
    private Answers ask(Collection<Integer> shards, PartitionActivityRequest request) {
        Map<Integer, DirectQuestion.Begun<PartitionActivityReply>> asked = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (int shard : shards) {
            Optional<ServerAddress> address = ShardAddresses.find(map, shard);
            if (address.isEmpty()) {
                problems.add("shard " + shard + " is on no server");
                continue;
            }
            asked.put(
                    shard,
                    DirectQuestion.begin(
                            transport,
                            "shard " + shard,
                            address.get(),
                            Kind.PARTITION_ACTIVITY,
                            RequestHeader.newBuilder()
                                    .setStep("partition activity")
                                    .setShard(shard + 1),
                            request,
                            PartitionActivityReply.class,
                            timeoutMillis));
        }
        List<Partition> partitions = new ArrayList<>();
        List<Giving> givings = new ArrayList<>();
        asked.forEach((shard, question) -> {
            try {
                PartitionActivityReply reply = question.await();
                reply.getPartitionsList().forEach(each -> partitions.add(new Partition(shard, each)));
                reply.getHandOversList().forEach(each -> givings.add(new Giving(shard, each)));
            } catch (FsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        });
        return new Answers(partitions, givings, problems);
    }
}
