package io.steadfs.hadoop;

import io.steadfs.client.list.FileInfo;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;

/**
 * Computes which hosts hold which part of a file. The computation needs only the file's layout and the cluster map.
 * SteadFS has no blocks, but some programs split files by blocks. So this class divides a file into blocks of {@code
 * blockSize} bytes. A block names one host for each copy of the file. The named hosts are the IO servers with the
 * largest number of bytes of the block. If several servers have equally many bytes, the blocks of a file take the
 * servers in turn. The turns spread the readers over the servers, because readers run where the data is.
 *
 * <p>A file has {@value #MOST_BLOCKS} blocks at most. If a file would have more blocks, neighbouring blocks are joined
 * into one.
 */
final class BlockPlaces {
    /**
     * Largest number of blocks of one file. Files of common sizes have fewer blocks, even with the least block size. A
     * list with the largest number of blocks still costs little.
     */
    static final int MOST_BLOCKS = 1 << 16;

    private static final BlockLocation[] NONE = {};

    private final Map<Integer, ClusterMap.Server> servers = new HashMap<>();

    BlockPlaces(ClusterMap map) {
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO) {
                servers.put(server.getId(), server);
            }
        }
    }

    /**
     * The blocks that hold at least one byte of the range. Empty for a directory, and for a range beyond the end of the
     * file.
     */
    BlockLocation[] of(FileInfo file, long start, long length) {
        if (file.directory() || file.layout().isEmpty() || length <= 0 || start >= file.length()) {
            return NONE;
        }
        long blockSize = told(file);
        long end = start + Math.min(length, file.length() - start);
        List<BlockLocation> blocks = new ArrayList<>();
        for (long from = start - start % blockSize; from < end; from += blockSize) {
            long to = from + Math.min(blockSize, file.length() - from);
            blocks.add(block(file.layout().get(), from / blockSize, from, to));
        }
        return blocks.toArray(NONE);
    }

    /**
     * The size of the file's blocks in bytes. The size depends on the length of the whole file, so every range of the
     * file has the same blocks.
     */
    private static long told(FileInfo file) {
        long blockSize = file.blockSize() > 0 ? file.blockSize() : file.length();
        long blocks = (file.length() - 1) / blockSize + 1;
        return blockSize * ((blocks - 1) / MOST_BLOCKS + 1);
    }

    private BlockLocation block(Layout layout, long number, long from, long to) {
        List<ClusterMap.Server> holders = holders(layout, number, from, to);
        String[] names = new String[holders.size()];
        String[] hosts = new String[holders.size()];
        String[] racks = new String[holders.size()];
        for (int i = 0; i < names.length; i++) {
            ClusterMap.Server server = holders.get(i);
            hosts[i] = server.getHost();
            names[i] = server.getHost() + ":" + server.getPort();
            racks[i] = (server.getRack().isEmpty() ? "/default-rack" : server.getRack()) + "/" + names[i];
        }
        return new BlockLocation(names, hosts, racks, from, to - from);
    }

    /**
     * The number of bytes of a block that a server has, and the server's turn among servers with equally many bytes.
     */
    private record Share(int server, long bytes, long turn) {
        Share and(Share more) {
            return new Share(server, bytes + more.bytes, Math.min(turn, more.turn));
        }
    }

    private List<ClusterMap.Server> holders(Layout layout, long number, long from, long to) {
        Striping striping = layout.striping();
        Map<Integer, Share> shares = new HashMap<>();
        for (int index = 0; index < layout.datafiles().size(); index++) {
            int column = index % layout.width();
            long bytes = striping.datafileLength(column, to) - striping.datafileLength(column, from);
            if (bytes > 0) {
                int server = layout.serverOf(index);
                long turn = Math.floorMod(column - number, layout.width());
                shares.merge(server, new Share(server, bytes, turn), Share::and);
            }
        }
        return shares.values().stream()
                .filter(share -> servers.containsKey(share.server()))
                .sorted(Comparator.comparingLong(Share::bytes)
                        .reversed()
                        .thenComparingLong(Share::turn)
                        .thenComparingInt(Share::server))
                .limit(layout.replicas())
                .map(share -> servers.get(share.server()))
                .toList();
    }
}
