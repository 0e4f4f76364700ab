package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The numbers of servers and shards of a local cluster.
 *
 * @param mds number of metadata servers. 0 = the number in an existing file system, or 1 for a new file system.
 * @param shards number of shards. 0 = the number in an existing file system. For a new file system, 0 = the configured
 * number, but at least one shard for each metadata server.
 * @param io number of IO servers, at least 1
 */
record Numbers(int mds, int shards, int io) {
    Numbers {
        if (io < 1) {
            throw new IllegalArgumentException("a cluster of " + io + " IO servers");
        }
    }

    /** The configuration with which a new file system is formatted. */
    Map<String, String> formatting(Map<String, String> configured) {
        Map<String, String> values = new HashMap<>(configured);
        if (mds > 0) {
            values.put(FileSystemFormat.METADATA_SERVERS.name(), Integer.toString(mds));
        }
        Settings settings = Settings.of(values);
        long enough = Math.max(settings.get(FileSystemFormat.SHARDS), settings.get(FileSystemFormat.METADATA_SERVERS));
        values.put(FileSystemFormat.SHARDS.name(), Long.toString(shards > 0 ? shards : enough));
        return values;
    }

    /**
     * All servers of the cluster, metadata servers first.
     *
     * @param hosts numbers of the metadata servers that have shards, or to which shards move
     * @throws MembershipException if the existing file system does not have the numbers for which the user asked
     */
    List<ServerId> servers(FileSystemFormat format, SortedSet<Integer> hosts) throws MembershipException {
        if ((mds > 0 && mds != format.metadataServers()) || (shards > 0 && shards != format.shardCount())) {
            throw new MembershipException("file system " + format.fileSystem() + " was formatted with "
                    + format.shardCount() + " shard(s) for " + format.metadataServers() + " metadata server(s), not "
                    + (shards > 0 ? shards : format.shardCount()) + " for "
                    + (mds > 0 ? mds : format.metadataServers()));
        }
        SortedSet<Integer> mdsNumbers = new TreeSet<>(hosts);
        mdsNumbers.addAll(format.addedHosts().values());
        for (int number = 1; number <= format.metadataServers(); number++) {
            mdsNumbers.add(number);
        }
        List<ServerId> servers =
                new ArrayList<>(mdsNumbers.stream().map(ServerId::mds).toList());
        for (int number = 1; number <= io; number++) {
            servers.add(ServerId.io(number));
        }
        return servers;
    }
}
