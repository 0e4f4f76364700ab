package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of servers and shards of a local cluster.
 *
 * @param mds metadata servers; 0 = as in the file system, 1 for a new one
 * @param shards 0 = as in the file system; for a new one as configured, at least one for each metadata server
 * @param io IO servers, at least 1
 */
record Numbers(int mds, int shards, int io) {
    Numbers {
        if (io < 1) {
            throw new IllegalArgumentException("a cluster of " + io + " IO servers");
        }
    }

    /** The configuration for formatting a new file system. */
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
     * All servers, metadata servers first.
     *
     * @throws MembershipException if the existing file system has other numbers than the user asked for
     */
    List<ServerId> servers(FileSystemFormat format) throws MembershipException {
        if ((mds > 0 && mds != format.metadataServers()) || (shards > 0 && shards != format.shardCount())) {
            throw new MembershipException("file system " + format.fileSystem() + " was formatted with "
                    + format.shardCount() + " shard(s) for " + format.metadataServers() + " metadata server(s), not "
                    + (shards > 0 ? shards : format.shardCount()) + " for "
                    + (mds > 0 ? mds : format.metadataServers()));
        }
        List<ServerId> servers = new ArrayList<>();
        for (int number = 1; number <= format.metadataServers(); number++) {
            servers.add(ServerId.mds(number));
        }
        for (int number = 1; number <= io; number++) {
            servers.add(ServerId.io(number));
        }
        return servers;
    }
}
