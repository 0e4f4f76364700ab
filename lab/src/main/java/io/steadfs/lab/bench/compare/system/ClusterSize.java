package io.steadfs.lab.bench.compare.system;

import io.steadfs.membership.FileSystemFormat;

/**
 * The numbers of servers and shards of one SteadFS.
 *
 * @param mds number of metadata servers; each of them hosts at least one shard
 * @param shards number of metadata shards, on all metadata servers together
 * @param dataServers number of IO servers
 */
public record ClusterSize(int mds, int shards, int dataServers) {
    private static final int MOST_DATA_SERVERS = 100;

    /** @throws IllegalArgumentException if a number is out of range; the message names the option and the value */
    public ClusterSize {
        check("--mds", mds, FileSystemFormat.MAX_SHARDS);
        check("--shards", shards, FileSystemFormat.MAX_SHARDS);
        if (mds > shards) {
            throw new IllegalArgumentException("--mds " + mds + " is more than --shards " + shards
                    + ": each metadata server hosts at least one shard");
        }
        check("--io", dataServers, MOST_DATA_SERVERS);
    }

    private static void check(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(option + " " + value + " is not between 1 and " + most);
        }
    }

    /** The numbers in words for reports, such as "2 for metadata with 4 shards, 3 for data". */
    public String text() {
        return mds + " for metadata with " + shards + (shards == 1 ? " shard, " : " shards, ") + dataServers
                + " for data";
    }
}
