package io.steadfs.cluster;

import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The space of all IO servers together. A server that cannot be reached keeps its last known figures in {@code capacityBytes} and
 * {@code usedBytes}, so that these do not shrink. Nothing of that server is in {@code freeBytes}, since nobody can write there. A disk that
 * several servers share counts once.
 *
 * @param servers IO servers, reached or not
 * @param reached IO servers that are reached
 * @param capacityBytes of their disks
 * @param freeBytes that writers may still store at the servers that are reached
 * @param usedBytes of all datafiles
 * @param away servers that are not reached
 * @param awayFreeBytes that writers could store at those servers when they were last heard of
 */
public record ClusterSpace(
        int servers,
        int reached,
        long capacityBytes,
        long freeBytes,
        long usedBytes,
        List<ServerSpace> away,
        long awayFreeBytes) {
    /**
     * One IO server's figures.
     *
     * @param disk servers with the same text share a disk; empty where it is not known
     * @param asOfMillis when the server reported the figures, milliseconds since 1970; 0 where it never did
     */
    public record ServerSpace(
            String server,
            boolean isReached,
            long capacityBytes,
            long freeBytes,
            long usedBytes,
            String disk,
            long asOfMillis) {
        /** The figures of the server in a cluster map. */
        public static ServerSpace of(ClusterMap.Server server) {
            return new ServerSpace(
                    ServerNames.of(server),
                    server.getAlive(),
                    server.getCapacityBytes(),
                    server.getFreeBytes(),
                    server.getUsedBytes(),
                    server.getDisk(),
                    server.getFiguresMillis());
        }
    }

    public ClusterSpace {
        away = List.copyOf(away);
    }

    /** The sums over a cluster map. The servers that it says are alive count as reached. */
    public static ClusterSpace of(ClusterMap map) {
        return of(map.getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.IO)
                .map(ServerSpace::of)
                .toList());
    }

    public static ClusterSpace of(List<ServerSpace> servers) {
        Map<String, List<ServerSpace>> byDisk = new HashMap<>();
        for (ServerSpace server : servers) {
            String disk = server.disk().isEmpty() ? "of " + server.server() : "disk " + server.disk();
            byDisk.computeIfAbsent(disk, unused -> new ArrayList<>()).add(server);
        }
        long capacity = 0;
        long free = 0;
        long awayFree = 0;
        for (List<ServerSpace> onDisk : byDisk.values()) {
            List<ServerSpace> reached =
                    onDisk.stream().filter(ServerSpace::isReached).toList();
            capacity +=
                    onDisk.stream().mapToLong(ServerSpace::capacityBytes).max().orElse(0);
            if (reached.isEmpty()) {
                awayFree += leastFree(onDisk);
            } else {
                free += leastFree(reached);
            }
        }
        return new ClusterSpace(
                servers.size(),
                (int) servers.stream().filter(ServerSpace::isReached).count(),
                capacity,
                free,
                servers.stream().mapToLong(ServerSpace::usedBytes).sum(),
                servers.stream().filter(server -> !server.isReached()).toList(),
                awayFree);
    }

    private static long leastFree(List<ServerSpace> onDisk) {
        return onDisk.stream().mapToLong(ServerSpace::freeBytes).min().orElse(0);
    }

    /** Bytes on these disks that are not datafiles: other programs, reserves, and SteadFS's own tables and logs. */
    public long otherBytes() {
        return Math.max(0, capacityBytes - freeBytes - awayFreeBytes - usedBytes);
    }
}
