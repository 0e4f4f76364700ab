package io.steadfs.mds;

import io.steadfs.disk.Space;
import io.steadfs.mds.call.Refusals;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The status of a metadata server: the counters of the process, the sums over its shards, and each shard's own numbers.
 * The names of a shard's numbers begin with {@code shard.<number>.}. The text of a shard's problem names the shard.
 */
final class MdsStatus implements Supplier<StatusReply> {
    private final int serverId;
    private final LongSupplier uptimeMillis;
    private final Neighbours neighbours;
    private final MessageCounters messages;
    private final Refusals refusals;
    private final LongSupplier longReadsWaiting;
    private final Space space;
    private final SortedMap<Integer, Supplier<StatusReply>> shards;
    private final Supplier<List<String>> moves;

    /** @param moves why shards do not move on to this server, one line each */
    MdsStatus(
            int serverId,
            LongSupplier uptimeMillis,
            Neighbours neighbours,
            MessageCounters messages,
            Refusals refusals,
            LongSupplier longReadsWaiting,
            Space space,
            SortedMap<Integer, Supplier<StatusReply>> shards,
            Supplier<List<String>> moves) {
        this.serverId = serverId;
        this.uptimeMillis = uptimeMillis;
        this.neighbours = neighbours;
        this.messages = messages;
        this.refusals = refusals;
        this.longReadsWaiting = longReadsWaiting;
        this.space = space;
        this.shards = shards;
        this.moves = moves;
    }

    @Override
    public StatusReply get() {
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(serverId)
                .setEpoch(neighbours.map().getEpoch())
                .setUptimeMillis(uptimeMillis.getAsLong())
                .addAllLatencies(messages.toldLatencies())
                .setZookeeperProblem(String.join("; ", neighbours.problems()))
                .addAllProblems(neighbours.problems())
                .addAllProblems(moves.get());
        Map<String, Long> counters = new TreeMap<>(messages.snapshot());
        counters.putAll(refusals.snapshot());
        // This counter exists from the start. So a watcher that looks for a rise sees even the first refused
        // connection.
        counters.put("connections.refused", messages.load().refusedConnections());
        Map<String, Long> gauges = new TreeMap<>(messages.load().gauges());
        gauges.put("longreads.waiting", longReadsWaiting.getAsLong());
        gauges.put("heap.used.bytes", heapUsed());
        gauges.put("shards.hosted", (long) shards.size());
        shards.forEach((number, account) -> {
            StatusReply shard = account.get();
            String prefix = "shard." + number + ".";
            add(shard.getCountersMap(), prefix, counters);
            add(shard.getGaugesMap(), prefix, gauges);
            status.addAllProblems(shard.getProblemsList());
        });
        status.putAllCounters(counters).putAllGauges(gauges);
        space.report("metadata server " + serverId, status);
        return status.build();
    }

    private static void add(Map<String, Long> ofShard, String prefix, Map<String, Long> sums) {
        ofShard.forEach((name, value) -> {
            sums.merge(name, value, Long::sum);
            sums.put(prefix + name, value);
        });
    }

    private static long heapUsed() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
