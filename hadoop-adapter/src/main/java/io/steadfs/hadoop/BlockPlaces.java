package io.steadfs.hadoop;

import io.steadfs.client.FileInfo;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BlockLocation;

/**
 * Which hosts hold which part of a file, told from its layout and the cluster map alone. SteadFS knows no blocks: one is
 * made of each {@code blockSize} bytes, for those who split files by them. Its hosts are the IO servers of its strips,
 * those with the most bytes first.
 */
final class BlockPlaces {
    private static final BlockLocation[] NONE = {};

    private final Map<Integer, ClusterMap.Server> servers = new HashMap<>();

    BlockPlaces(ClusterMap map) {
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO) {
                servers.put(server.getId(), server);
            }
        }
    }

    /** Blocks that hold at least one byte of the range; none for a directory, and none beyond the end of the file. */
    BlockLocation[] of(FileInfo file, long start, long length) {
        if (file.directory() || file.layout().isEmpty() || length <= 0 || start >= file.length()) {
            return NONE;
        }
        long blockSize = file.blockSize() > 0 ? file.blockSize() : file.length();
        long end = start + Math.min(length, file.length() - start);
        List<BlockLocation> blocks = new ArrayList<>();
        for (long from = start - start % blockSize; from < end; from += blockSize) {
            long to = from + Math.min(blockSize, file.length() - from);
            blocks.add(block(file.layout().get(), from, to));
        }
        return blocks.toArray(NONE);
    }

    private BlockLocation block(Layout layout, long from, long to) {
        List<ClusterMap.Server> holders = holders(layout, from, to);
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

    private List<ClusterMap.Server> holders(Layout layout, long from, long to) {
        Striping striping = layout.striping();
        Map<Integer, Long> bytesOf = new HashMap<>();
        for (int index = 0; index < layout.datafiles().size(); index++) {
            int column = index % layout.width();
            long bytes = striping.datafileLength(column, to) - striping.datafileLength(column, from);
            if (bytes > 0) {
                bytesOf.merge(layout.serverOf(index), bytes, Long::sum);
            }
        }
        List<ClusterMap.Server> holders = new ArrayList<>();
        bytesOf.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> {
                    ClusterMap.Server server = servers.get(entry.getKey());
                    if (server != null) {
                        holders.add(server);
                    }
                });
        return holders;
    }
}
