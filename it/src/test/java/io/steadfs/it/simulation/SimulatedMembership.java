package io.steadfs.it.simulation;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What ZooKeeper is to the servers: who is alive, under which epoch, and how far handles are reserved. It forgets nothing.
 * A server that dies, or whose session ends, counts as dead after a while, and as alive when it is heard of again; each
 * change raises the epoch. News reaches each server after a time of its own, and a server whose session has ended only
 * when it announces itself again.
 *
 * <p>Shards may be added, in the two steps of {@link io.steadfs.membership.Additions}.
 */
final class SimulatedMembership {
    static final long SESSION_MILLIS = 4_000;
    private static final long SLOWEST_NEWS_MILLIS = 200;

    private final SimulatedTime time;
    private final RandomGenerator random;
    private ClusterMap format;
    private final SortedSet<ServerName> servers = new TreeSet<>();
    private final Map<ServerName, ServerAddress> alive = new LinkedHashMap<>();
    private final Map<ServerName, SimulatedProcess> processes = new HashMap<>();
    private final Map<ServerName, ClusterMap> heard = new HashMap<>();
    private final Map<Integer, Long> ceilings = new HashMap<>();
    /** Servers that do not reach ZooKeeper. */
    private final Set<ServerName> away = new HashSet<>();
    /** How the process of a server is told that it has heard of more shards. */
    private final Map<ServerName, Runnable> listeners = new HashMap<>();
    /** The state of the shards that each server counts. */
    private final Map<ServerName, Integer> counting = new HashMap<>();

    private final Set<Integer> ready = new HashSet<>();
    private long epoch;

    /** A server as the map has it. */
    record ServerName(ClusterMap.Role role, int id) implements Comparable<ServerName> {
        @Override
        public int compareTo(ServerName other) {
            int byRole = role.compareTo(other.role);
            return byRole != 0 ? byRole : Integer.compare(id, other.id);
        }
    }

    /** @param format shard count, hosts of shards, sizes */
    SimulatedMembership(SimulatedTime time, RandomGenerator random, ClusterMap format) {
        this.time = time;
        this.random = random;
        this.format = format;
    }

    static ServerAddress address(ServerName server) {
        return new ServerAddress(
                (server.role() == ClusterMap.Role.MDS ? "mds-" : "io-") + server.id(), 9000 + server.id());
    }

    /** A process of the server begins: it knows the present map, and counts the shards of that. */
    void open(ServerName server) {
        listeners.remove(server);
        heard.put(server, map());
        counting.put(server, shardVersion(map()));
    }

    /**
     * The process that {@link #open} began announces itself.
     *
     * @param moreShards is told each time when the server hears of a map, and when it has announced itself
     */
    void join(ServerName server, SimulatedProcess process, Runnable moreShards) {
        servers.add(server);
        processes.put(server, process);
        away.remove(server);
        announce(server, process);
        heard.put(server, map());
        listeners.put(server, moreShards);
        time.after(0, () -> tell(server));
    }

    private void announce(ServerName server, SimulatedProcess process) {
        if (!process.isDead() && alive.putIfAbsent(server, address(server)) == null) {
            changed();
        }
        settle();
    }

    /** The number of a state of the shards. */
    static int shardVersion(ClusterMap map) {
        ShardCounts shards = ShardCounts.of(map);
        return shards.serving() + shards.all();
    }

    /** A shard joins, at the metadata server with this number. */
    void addShard(int host) {
        ShardCounts shards = ShardCounts.of(format);
        format = format.toBuilder()
                .setServingShards(shards.serving())
                .setAllShards(shards.all() + 1)
                .addShards(ClusterMap.Shard.newBuilder().setNumber(shards.all()).setServer(host))
                .build();
        changed();
    }

    boolean isJoining(int shard) {
        return shard >= ShardCounts.of(format).serving();
    }

    /** The server counts the shards of this map. */
    void counts(ServerName server, SimulatedProcess process, ClusterMap map) {
        if (!process.isDead() && !away.contains(server)) {
            counting.merge(server, shardVersion(map), Math::max);
            settle();
        }
    }

    /** The shard has learnt the fences of the others; false if that cannot be said now. */
    boolean ready(ServerName server, SimulatedProcess process, int shard) {
        if (process.isDead() || away.contains(server)) {
            return false;
        }
        ready.add(shard);
        settle();
        return true;
    }

    /** Its store may be another one than that which was ready. */
    void unready(int shard) {
        ready.remove(shard);
    }

    /** Lets shards serve that have joined, if all servers that are alive count them. */
    private void settle() {
        ShardCounts shards = ShardCounts.of(format);
        boolean areCounted =
                alive.keySet().stream().allMatch(server -> counting.getOrDefault(server, 0) >= shardVersion(format));
        if (shards.serving() < shards.all()
                && areCounted
                && IntStream.range(shards.serving(), shards.all()).allMatch(ready::contains)) {
            format = format.toBuilder().setServingShards(shards.all()).build();
            changed();
        }
    }

    private void tell(ServerName server) {
        SimulatedProcess process = processes.get(server);
        Runnable listener = listeners.get(server);
        if (listener != null && process != null && !process.isDead()) {
            listener.run();
        }
    }

    /** The process ended: others hear of it after its session, unless the next one is quicker. */
    void left(ServerName server, SimulatedProcess process) {
        time.after(SESSION_MILLIS, () -> {
            SimulatedProcess newest = processes.get(server);
            if (newest == process && alive.remove(server) != null) {
                changed();
                settle();
            }
        });
    }

    /** Its session ends although it lives; it announces itself again. */
    void expire(ServerName server) {
        away.add(server);
        if (alive.remove(server) != null) {
            changed();
            settle();
        }
        time.after(100 + random.nextInt(3000), () -> {
            SimulatedProcess newest = processes.get(server);
            if (newest != null && away.remove(server)) {
                announce(server, newest);
                heard.put(server, map());
                tell(server);
            }
        });
    }

    private void changed() {
        epoch++;
        ClusterMap news = map();
        for (ServerName server : servers) {
            time.after(random.nextLong(SLOWEST_NEWS_MILLIS), () -> {
                ClusterMap known = heard.get(server);
                if (!away.contains(server) && (known == null || known.getEpoch() < news.getEpoch())) {
                    heard.put(server, news);
                    tell(server);
                }
            });
        }
    }

    private ClusterMap map() {
        ClusterMap.Builder map = format.toBuilder().setEpoch(epoch);
        for (ServerName server : servers) {
            ServerAddress address = address(server);
            map.addServers(ClusterMap.Server.newBuilder()
                    .setRole(server.role())
                    .setId(server.id())
                    .setHost(address.host())
                    .setPort(address.port())
                    .setAlive(alive.containsKey(server))
                    .setCapacityBytes(1L << 40)
                    .setFreeBytes(1L << 39));
        }
        return map.build();
    }

    /** The newest map there is. */
    ClusterMap newest() {
        return map();
    }

    /** The newest map that the server has heard of. */
    ClusterMap known(ServerName server) {
        return Optional.ofNullable(heard.get(server)).orElse(format);
    }

    /** As {@link io.steadfs.cluster.ConfirmedShards}. */
    CompletableFuture<Integer> confirmShards(ServerName server) {
        return away.contains(server)
                ? CompletableFuture.failedFuture(new IOException("ZooKeeper does not answer"))
                : CompletableFuture.completedFuture(ShardCounts.of(format).all());
    }

    /** Whether a shard joins that does not serve yet. */
    boolean isAnyJoining() {
        ShardCounts shards = ShardCounts.of(format);
        return shards.serving() < shards.all();
    }

    /** Reserves numbers behind all that were ever reserved for the owner; answers the first. */
    long reserve(int owner, long count) {
        long first = ceilings.getOrDefault(owner, 1L);
        ceilings.put(owner, first + count);
        return first;
    }

    boolean allAlive() {
        return alive.size() == servers.size();
    }
}
