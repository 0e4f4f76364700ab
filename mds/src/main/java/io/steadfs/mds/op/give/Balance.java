package io.steadfs.mds.op.give;

import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How evenly the names of a directory are spread over shards. As hashes are even, a shard's part of them is its part of the
 * names.
 *
 * @param home the shard of the directory that users see
 * @param shards how many shards may have names of it; they follow each other, the home shard is the first
 * @param all number of all shards
 */
record Balance(PartitionMap map, int home, int shards, int all) {
    /**
     * The shard to which a partition should go. That is the shard of Giga+, (home + number) mod shards, unless another shard
     * has less. Empty if the present shard would have less than the other one then.
     *
     * @param given a partition of the map, or a half of one
     * @param from the shard that has it
     */
    OptionalInt target(Partition given, int from) {
        int usual = shard(given.number() % shards);
        if (isLighter(usual, given, from)) {
            return OptionalInt.of(usual);
        }
        return IntStream.range(0, shards)
                .map(this::shard)
                .filter(each -> isLighter(each, given, from))
                .reduce((one, other) -> share(other) < share(one) ? other : one);
    }

    private int shard(int behindHome) {
        return (home + behindHome) % all;
    }

    private boolean isLighter(int shard, Partition given, int from) {
        return shard != from && share(shard) + given.share() <= share(from) - given.share();
    }

    private long share(int shard) {
        return map.partitions().stream()
                .filter(each -> each.handle().shard() == shard)
                .mapToLong(Partition::share)
                .sum();
    }

    /** How many shards have names. */
    long used() {
        return map.partitions().stream()
                .map(each -> each.handle().shard())
                .distinct()
                .count();
    }
}
