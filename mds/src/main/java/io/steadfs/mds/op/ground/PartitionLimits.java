package io.steadfs.mds.op.ground;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.partition.PartitionMap;
import java.util.List;

/**
 * How many partitions a directory gets.
 *
 * @param entries number of names for which one partition is enough; one with more gives half of them away
 * @param perShard number of partitions for each shard, if a directory is on all shards
 * @param mostGiven the most names that go to another shard at once
 */
public record PartitionLimits(int entries, int perShard, int mostGiven) {
    static final ConfigKey<Long> ENTRIES = ConfigKey.number(
            "stead.partition.split.entries",
            8_000,
            1,
            10_000_000,
            "",
            "How many names one partition of a directory is for. With more of them, it gives half of its names to another"
                    + " metadata shard.");
    static final ConfigKey<Long> PER_SHARD = ConfigKey.number(
            "stead.partition.per.shard",
            8,
            1,
            64,
            "",
            "How many partitions a directory with many names gets for each metadata shard. More of them spread the names"
                    + " more evenly; each costs a few rows.");

    static final ConfigKey<Long> MOST_GIVEN = ConfigKey.number(
            "stead.partition.give.names",
            10_000,
            1,
            1_000_000,
            "",
            "The most names that go to another metadata shard at once. While they go, requests that would change them wait."
                    + " Of a larger partition, parts go one after the other.");

    /** When a partition gives half of its names although it is not too large. */
    public static final ConfigKey<Long> RATE = ConfigKey.number(
            "stead.partition.split.rate",
            1_000,
            0,
            10_000_000,
            "names per second",
            "A partition in which so many names are made in a second gives half of its names to another metadata shard, if"
                    + " that makes fewer than half as many names. 0 = never.");

    /** How long a partition must be quiet before it is merged. */
    public static final ConfigKey<Long> QUIET = ConfigKey.number(
            "stead.partition.merge.quiet",
            600_000,
            0,
            86_400_000,
            "milliseconds",
            "How long no name of a partition with few names may have changed before it is merged into another one.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(ENTRIES, PER_SHARD, MOST_GIVEN, RATE, QUIET));

    public static PartitionLimits from(Settings settings) {
        return new PartitionLimits(
                settings.get(ENTRIES).intValue(),
                settings.get(PER_SHARD).intValue(),
                settings.get(MOST_GIVEN).intValue());
    }

    /**
     * The number of splits that lead to as many partitions as a directory of so many files should have, each at the same
     * depth.
     *
     * @param shards number of shards that may have names of the directory
     */
    public int splits(long files, int shards) {
        long wanted = (files - 1) / entries + 1;
        return Math.min(mostSplits(shards), splitsTo(wanted));
    }

    /** A partition with at most so many names is merged into another one, if that has room. */
    public int few() {
        return entries / 4;
    }

    /** The greatest number of splits that lead to a partition of a directory. */
    public int mostSplits(int shards) {
        long most = shards == 1 ? 1 : Math.min(PartitionMap.MOST, (long) shards * perShard);
        return Math.min(Long.numberOfTrailingZeros(PartitionMap.MOST), splitsTo(most));
    }

    /** The least number of splits that lead to so many partitions. */
    private static int splitsTo(long partitions) {
        return Long.SIZE - Long.numberOfLeadingZeros(partitions - 1);
    }
}
