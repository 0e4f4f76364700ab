package io.steadfs.it.simulation;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.ClusterMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * What ZooKeeper is to the servers: who is alive, under which epoch, and how far handles are reserved. It forgets nothing.
 * A server that dies, or whose session ends, counts as dead after a while, and as alive when it is heard of again; each
 * change raises the epoch. News reaches each server after a time of its own.
 */
final class SimulatedMembership {
    static final long SESSION_MILLIS = 4_000;
    private static final long SLOWEST_NEWS_MILLIS = 200;

    private final SimulatedTime time;
    private final RandomGenerator random;
    private final ClusterMap format;
    private final SortedSet<ServerName> servers = new TreeSet<>();
    private final Map<ServerName, ServerAddress> alive = new LinkedHashMap<>();
    private final Map<ServerName, SimulatedProcess> processes = new HashMap<>();
    private final Map<ServerName, ClusterMap> heard = new HashMap<>();
    private final Map<Integer, Long> ceilings = new HashMap<>();
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

    /** A process of the server begins; it knows the present map. */
    void join(ServerName server, SimulatedProcess process) {
        servers.add(server);
        processes.put(server, process);
        announce(server, process);
        heard.put(server, map());
    }

    private void announce(ServerName server, SimulatedProcess process) {
        if (!process.isDead() && alive.putIfAbsent(server, address(server)) == null) {
            changed();
        }
    }

    /** The process ended: others hear of it after its session, unless the next one is quicker. */
    void left(ServerName server, SimulatedProcess process) {
        time.after(SESSION_MILLIS, () -> {
            SimulatedProcess newest = processes.get(server);
            if (newest == process && alive.remove(server) != null) {
                changed();
            }
        });
    }

    /** Its session ends although it lives; it announces itself again. */
    void expire(ServerName server) {
        if (alive.remove(server) != null) {
            changed();
        }
        time.after(100 + random.nextInt(3000), () -> {
            SimulatedProcess newest = processes.get(server);
            if (newest != null) {
                announce(server, newest);
            }
        });
    }

    private void changed() {
        epoch++;
        ClusterMap news = map();
        for (ServerName server : servers) {
            time.after(random.nextLong(SLOWEST_NEWS_MILLIS), () -> {
                ClusterMap known = heard.get(server);
                if (known == null || known.getEpoch() < news.getEpoch()) {
                    heard.put(server, news);
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
