package io.steadfs.cluster;

import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The space of all IO servers together. For an unreachable server, {@code capacityBytes} and {@code usedBytes} include
 * its last known figures, so that the two sums do not shrink. The sum {@code freeBytes} leaves out unreachable servers,
 * because nobody can write to an unreachable server. If several servers share a disk, the disk counts once.
 *
 * @param servers number of all IO servers, reachable or not
 * @param reached number of reachable IO servers
 * @param capacityBytes capacity of the disks of all IO servers
 * @param freeBytes bytes that writers can still store at the reachable servers
 * @param usedBytes bytes of all datafiles
 * @param away figures of the unreachable servers
 * @param awayFreeBytes bytes that writers could still store at the unreachable servers, by the servers' last reports
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
     * The space figures of one IO server.
     *
     * @param disk identity of the server's disk, equal for servers that share a disk; empty if unknown
     * @param asOfMillis when the server reported its figures, in milliseconds since 1970; 0 = never
     */
    public record ServerSpace(
            String server,
            boolean isReached,
            long capacityBytes,
            long freeBytes,
            long usedBytes,
            String disk,
            long asOfMillis) {
        /** The space figures of a server from a cluster map. */
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

    /**
     * Sums up the IO servers of a cluster map. A server counts as reachable if the map says that the server is alive.
     */
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

    /**
     * Bytes on the disks that are neither free nor datafiles: files of other programs, reserves, and SteadFS's own
     * tables and logs.
     */
    public long otherBytes() {
        return Math.max(0, capacityBytes - freeBytes - awayFreeBytes - usedBytes);
    }
}
