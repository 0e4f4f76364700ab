package io.steadfs.mds.op.layout;

import io.steadfs.checksum.Chunks;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the IO servers for the columns of a new file. The columns go to the live servers in turn. Each new file
 * begins at another server. If an IO server is near the writer, it comes first. A file has at most one column on each
 * server, unless the file asks for more columns than there are servers.
 *
 * <p>The choice sends no message to an IO server. A column that comes with a datafile is placed on the datafile's
 * server. For any other column, the first write makes the datafile.
 */
public final class LayoutChoice {
    /** Greatest size of one strip, in bytes. */
    static final int MAX_STRIP = 1 << 30;

    private LayoutChoice() {}

    /** @param sequence sequence number in the new file's handle; selects the server at which the choice begins */
    public static LayoutRow choose(NewFile file, ClusterMap cluster, long sequence) throws Refused {
        List<Integer> servers = servers(cluster);
        if (servers.isEmpty()) {
            throw new Refused(FsError.UNAVAILABLE, "no IO server is known");
        }
        int width = width(file, cluster, servers.size());
        int strip = file.stripSize() != 0 ? file.stripSize() : cluster.getStripSize();
        checkStrip(strip);

        Integer[] chosen = new Integer[width];
        Long[] datafiles = new Long[width];
        Arrays.fill(datafiles, 0L);
        for (AttachedColumn column : file.columns()) {
            place(column, chosen, datafiles);
        }
        int any = servers.get(0);
        servers.removeAll(Arrays.asList(chosen));
        int first = servers.isEmpty() ? 0 : (int) (sequence % servers.size());
        int near = servers.indexOf(file.nearServer() - 1);
        int free = free(chosen);
        if (near >= 0 && free < width) {
            chosen[free] = servers.remove(near);
        }
        for (int i = 0; free(chosen) < width; i++) {
            Integer next = servers.isEmpty() ? chosen[0] : servers.get((first + i) % servers.size());
            chosen[free(chosen)] = next == null ? any : next;
        }
        return LayoutRow.newBuilder()
                .setStripSize(strip)
                .setWidth(width)
                .setReplicas(1)
                .setVersion(1)
                .addAllServers(Arrays.asList(chosen))
                .addAllDatafiles(Arrays.asList(datafiles))
                .build();
    }

    /**
     * The number of columns of the file: the number that the file asks for, otherwise the cluster's default. The
     * default is limited to the number of live servers.
     *
     * @param servers number of live servers
     */
    static int width(NewFile file, ClusterMap cluster, int servers) throws Refused {
        return file.width() != 0 ? checkWidth(file.width()) : Math.min(Math.max(1, cluster.getWidth()), servers);
    }

    /** Index of the first column without a server; the width if every column has a server. */
    private static int free(Integer[] chosen) {
        int free = 0;
        while (free < chosen.length && chosen[free] != null) {
            free++;
        }
        return free;
    }

    /**
     * Places a column that comes with a datafile on the datafile's server. The server need not be in the cluster map.
     * The client may have a lease from a server that this shard does not know yet.
     */
    private static void place(AttachedColumn column, Integer[] chosen, Long[] datafiles) throws Refused {
        Handle datafile = new Handle(column.getDatafile());
        int index = column.getIndex();
        if (index < 0 || index >= chosen.length || chosen[index] != null) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "datafile " + datafile + " is for column " + Integer.toUnsignedString(index) + " of a file of "
                            + chosen.length + " columns: no such column, or the column has another datafile");
        }
        if (!datafile.isOwnedByIoServer()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "handle " + datafile + " for column " + index + " is of owner " + datafile.owner()
                            + " and names no datafile");
        }
        chosen[index] = datafile.owner();
        datafiles[index] = datafile.value();
    }

    /**
     * Ids of the live IO servers. If no IO server is alive, the ids of all known IO servers, because some of them may
     * be back before the first write.
     */
    static List<Integer> servers(ClusterMap cluster) {
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
        if (width < 1 || width > Layout.MOST_COLUMNS) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "width " + Integer.toUnsignedString(width) + " is not in 1.." + Layout.MOST_COLUMNS);
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
