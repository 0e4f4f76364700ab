package io.steadfs.mds.op.give;

import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How evenly the names of a directory are spread over shards. As hashes are even, a shard's part of them is its part of the
 * names.
 */
final class Balance {
    private final int home;
    private final int shards;
    private final int all;
    private final int refusals;
    /** The part of all hashes that each shard with partitions has, in units of 2^-30. */
    private final Map<Integer, Long> shares = new TreeMap<>();

    private final Set<Integer> allowed;

    /**
     * @param home the shard of the directory that users see
     * @param shards how many shards may have names of it
     * @param all number of all shards
     * @param refusals how often in a row shards did not take what the directory gives
     */
    Balance(PartitionMap map, int home, int shards, int all, int refusals) {
        this.home = home;
        this.shards = shards;
        this.all = all;
        this.refusals = refusals;
        map.partitions().forEach(each -> shares.merge(each.handle().shard(), each.share(), Long::sum));
        this.allowed = new LinkedHashSet<>(shares.keySet());
        for (int i = 0; i < all && allowed.size() < shards; i++) {
            allowed.add(shard(i));
        }
    }

    /**
     * The shard to which a partition should go. That is the shard of Giga+, (home + number) mod shards, if it has enough
     * less. If not, or after a refusal, it is one of those that have least. Which of them depends on the partition's number,
     * as several partitions may go at the same time, and is another one after each refusal. Shards that have names come
     * before those that follow the home shard. Empty if the present shard would have less than the other one then.
     *
     * @param given a partition of the map, or a half of one
     * @param from the shard that has it
     */
    OptionalInt target(Partition given, int from) {
        int usual = SpreadShards.ofPartition(given.number(), home, shards, all);
        if (refusals == 0 && isLighter(usual, given, from)) {
            return OptionalInt.of(usual);
        }
        int[] lighter = IntStream.range(0, all)
                .map(this::shard)
                .filter(each -> isLighter(each, given, from))
                .toArray();
        long least = IntStream.of(lighter).mapToLong(this::share).min().orElse(0);
        int[] lightest =
                IntStream.of(lighter).filter(each -> share(each) == least).toArray();
        return lightest.length == 0
                ? OptionalInt.empty()
                : OptionalInt.of(lightest[(given.number() + refusals) % lightest.length]);
    }

    private int shard(int behindHome) {
        return (home + behindHome) % all;
    }

    private boolean isLighter(int shard, Partition given, int from) {
        return shard != from && allowed.contains(shard) && share(shard) + given.share() <= share(from) - given.share();
    }

    /** The part of all hashes that a shard has, in units of 2^-30. */
    long share(int shard) {
        return shares.getOrDefault(shard, 0L);
    }

    /** How many shards have partitions. */
    int used() {
        return shares.size();
    }
}
