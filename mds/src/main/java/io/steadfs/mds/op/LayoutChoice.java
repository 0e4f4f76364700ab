package io.steadfs.mds.op;

import io.steadfs.checksum.Chunks;
import io.steadfs.error.FsError;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a new file's columns go: over the IO servers that are alive, in turn, beginning at another one for each file; a
 * server near the writer comes first. A file has at most one column on a server unless it asks for more columns than
 * there are servers. Nothing is asked of any server: a column's datafile is made by its first write.
 */
final class LayoutChoice {
    static final int MAX_WIDTH = 255;
    /** Of one strip, in bytes. */
    static final int MAX_STRIP = 1 << 30;

    private LayoutChoice() {}

    /** @param sequence of the new file's handle: it turns the beginning on */
    static LayoutRow choose(NewFile file, ClusterMap cluster, long sequence) throws Refused {
        List<Integer> servers = servers(cluster);
        if (servers.isEmpty()) {
            throw new Refused(FsError.UNAVAILABLE, "no IO server is known");
        }
        int width = file.width() != 0
                ? checkWidth(file.width())
                : Math.min(Math.max(1, cluster.getWidth()), servers.size());
        int strip = file.stripSize() != 0 ? file.stripSize() : cluster.getStripSize();
        checkStrip(strip);

        LayoutRow.Builder layout = LayoutRow.newBuilder()
                .setStripSize(strip)
                .setWidth(width)
                .setReplicas(1)
                .setVersion(1);
        int first = (int) (sequence % servers.size());
        int near = servers.indexOf(file.nearServer() - 1);
        if (near >= 0) {
            layout.addServers(servers.remove(near)).addDatafiles(0);
        }
        for (int i = 0; layout.getServersCount() < width; i++) {
            if (servers.isEmpty()) {
                layout.addServers(layout.getServers(0)).addDatafiles(0);
            } else {
                layout.addServers(servers.get((first + i) % servers.size())).addDatafiles(0);
            }
        }
        return layout.build();
    }

    /** Ids of the IO servers alive; where none is, of all: they may be back before the first write. */
    private static List<Integer> servers(ClusterMap cluster) {
        List<Integer> alive = new ArrayList<>();
        List<Integer> known = new ArrayList<>();
        for (ClusterMap.Server server : cluster.getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO) {
                known.add(server.getId());
                if (server.getAlive()) {
                    alive.add(server.getId());
                }
            }
        }
        return alive.isEmpty() ? known : alive;
    }

    private static int checkWidth(int width) throws Refused {
        if (width < 1 || width > MAX_WIDTH) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "width " + Integer.toUnsignedString(width) + " is not in 1.." + MAX_WIDTH);
        }
        return width;
    }

    private static void checkStrip(int strip) throws Refused {
        if (strip < 1 || strip > MAX_STRIP || strip % Chunks.CHUNK_BYTES != 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "strip size " + Integer.toUnsignedString(strip) + " is no multiple of " + Chunks.CHUNK_BYTES
                            + " up to " + MAX_STRIP);
        }
    }
}
