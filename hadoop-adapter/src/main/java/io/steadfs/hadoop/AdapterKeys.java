package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import java.util.List;

/** Lists the configuration keys of the Hadoop adapter. {@code ClientKeys} lists the keys of the SteadFS client. */
public final class AdapterKeys {
    static final ConfigKey<Long> BLOCK_SIZE = ConfigKey.number(
            "stead.block.size",
            0,
            0,
            1L << 40,
            "bytes",
            "Block size of new files, a hint for those who split them; 0 is the cluster's default.");
    static final ConfigKey<Long> CREATE_WIDTH = ConfigKey.number(
            "stead.create.width", 0, 0, 1024, "columns", "Columns of new files; 0 is the cluster's default.");
    static final ConfigKey<Long> CREATE_STRIP_SIZE = ConfigKey.number(
            "stead.create.strip.size", 0, 0, 1 << 30, "bytes", "Strip size of new files; 0 is the cluster's default.");
    static final ConfigKey<Long> SORTED_ENTRIES = ConfigKey.number(
            "stead.list.sorted.entries",
            10_000,
            0,
            10_000_000,
            "entries",
            "Listings that are walked (listStatusIterator, listLocatedStatus, hadoop fs -ls) are sorted by name up to this size,"
                    + " and in the servers' order above it; listStatus always sorts.");
    static final ConfigKey<Long> VECTORED_MIN_SEEK = ConfigKey.number(
            "stead.read.vectored.min.seek",
            Chunks.CHUNK_BYTES,
            0,
            64 << 20,
            "bytes",
            "Ranges of one vectored read that are nearer to each other than this are read as one.");
    static final ConfigKey<Long> VECTORED_MAX_SIZE = ConfigKey.number(
            "stead.read.vectored.max.size",
            4 << 20,
            0,
            1 << 30,
            "bytes",
            "Ranges of a vectored read are joined up to this size; 0 joins none.");

    public static final ConfigKeys ALL = new ConfigKeys(
            List.of(BLOCK_SIZE, CREATE_WIDTH, CREATE_STRIP_SIZE, SORTED_ENTRIES, VECTORED_MIN_SEEK, VECTORED_MAX_SIZE));

    private AdapterKeys() {}
}
