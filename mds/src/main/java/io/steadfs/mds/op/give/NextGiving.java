package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.mds.partition.Occasion;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Finds which names a directory gives next (docs/decisions/0033-partitions.md, rule 3).
 *
 * <pre>
 *  it has several partitions         one of them goes to a shard that has less of the whole directory
 *  too many names, or made too fast  the upper half of its largest partition goes to such a shard
 *  the whole directory is large      its only partition goes to a shard that has less by more than the partition
 * </pre>
 *
 * The partition is halved in the map if these are too many names for one hand over, or if the half is too much for any other
 * shard. The directory has the names of both halves then, and a smaller part goes next. Parts that stay can go to a shard
 * that is added.
 */
final class NextGiving {
    /** How many times as many names as go at once are looked at, so that the shard's other work does not wait. */
    private static final long MOST_LOOKS = 4;

    /** A range that has by its part of the hashes so many times as many names as go at once has too many, unseen. */
    private static final long SURELY_TOO_MANY = 2;

    private static final int SPREADS = 0x9E3779B1;

    private final OwnNames names;
    private final PartitionLimits limits;
    private final long mostBytes;
    private final Occasion occasion;
    private final Context context;
    private final long entries;
    /** The part of all hashes that the directory has, in units of 2^-30. */
    private final long share;
    /** How many more names may be looked at. */
    private long looks;
    /** Whether names would be given if no intent held one of them. */
    private boolean isHeld;

    NextGiving(OwnNames names, PartitionLimits limits, long mostBytes, Occasion occasion, Context context) {
        this.names = names;
        this.limits = limits;
        this.mostBytes = mostBytes;
        this.occasion = occasion;
        this.context = context;
        this.entries = DirectoryNode.entries(context.view(), names.handle());
        this.share = names.partitions().stream().mapToLong(Partition::share).sum();
        this.looks = MOST_LOOKS * limits.mostGiven();
    }

    /**
     * What it gives; empty if it keeps its names.
     *
     * @throws Refused BUSY if an intent holds one of the names that would be given, and as {@link OwnNames#map}
     */
    Optional<GivingRow> row() throws Refused {
        int all = context.shards().serving();
        if (all == 1 || (occasion.rate() == 0 && entries <= limits.few())) {
            return Optional.empty();
        }
        PartitionMap map = names.map(context);
        int shards = SpreadShards.of(names.whole(), context);
        if (shards == 1) {
            return Optional.empty();
        }
        Balance balance = new Balance(map, names.home(), shards, all, occasion.refusals());
        Optional<GivingRow> row =
                surplus(balance).or(() -> half(balance, shards)).or(() -> only(balance));
        if (row.isEmpty() && isHeld) {
            throw new Refused(FsError.BUSY, "an intent holds a name of directory " + names.handle());
        }
        return row;
    }

    /** One of several partitions, but for the one that stays. Each time others come first, if not all are looked at. */
    private Optional<GivingRow> surplus(Balance balance) {
        return names.partitions().size() == 1
                ? Optional.empty()
                : names.partitions().stream()
                        .filter(each -> !names.isOwn(each))
                        .sorted(Comparator.comparingInt(Partition::depth)
                                .reversed()
                                .thenComparing(each -> each.number() * SPREADS ^ (int) context.now()))
                        .flatMap(each -> moved(each, balance).stream())
                        .findFirst();
    }

    /** The upper half of the largest partition. */
    private Optional<GivingRow> half(Balance balance, int shards) {
        boolean isTooLarge =
                entries > (long) limits.entries() * names.partitions().size();
        if (!isTooLarge && occasion.rate() == 0) {
            return Optional.empty();
        }
        Partition largest = names.partitions().stream()
                .min(Comparator.comparingInt(Partition::depth).thenComparing(Partition::number))
                .orElseThrow();
        if (largest.depth() >= limits.mostSplits(shards)) {
            return Optional.empty();
        }
        Partition upper = largest.upperHalf(names.handle());
        OptionalInt target = target(upper, balance);
        if (target.isEmpty()) {
            return isTooLarge ? halved(largest) : Optional.empty();
        }
        if (!isTooLarge && isUneven(largest, upper)) {
            return Optional.empty();
        }
        return switch (look(upper).fit()) {
            case FITS ->
                Optional.of(given(What.UPPER_HALF, upper, target.getAsInt(), balance)
                        .setRate(isTooLarge ? 0 : occasion.rate())
                        .build());
            case TOO_MANY -> halved(largest);
            case HELD -> held();
            case UNKNOWN -> Optional.empty();
        };
    }

    /** The only partition of a directory. */
    private Optional<GivingRow> only(Balance balance) {
        Partition partition = names.partitions().get(0);
        boolean goes = names.partitions().size() == 1 && !names.handle().equals(names.whole());
        return goes && isLarge(balance) ? moved(partition, balance) : Optional.empty();
    }

    /** Whether the whole directory has more names than all partitions are for that are one on each of its shards. */
    private boolean isLarge(Balance balance) {
        double whole = (double) entries * (1L << PartitionMap.MAX_DEPTH) / share;
        return whole > (double) limits.entries() * balance.used();
    }

    private Optional<GivingRow> moved(Partition partition, Balance balance) {
        OptionalInt target = target(partition, balance);
        if (target.isEmpty() || !isLarge(balance)) {
            return Optional.empty();
        }
        GivenRange.Look look = look(partition);
        return switch (look.fit()) {
            case FITS ->
                look.names() <= limits.few()
                        ? Optional.empty()
                        : Optional.of(given(What.MOVED, partition, target.getAsInt(), balance)
                                .build());
            case TOO_MANY -> halved(partition);
            case HELD -> held();
            case UNKNOWN -> Optional.empty();
        };
    }

    private GivingRow.Builder given(What what, Partition range, int target, Balance balance) {
        long kept = balance.share(context.inputs().shard()) - range.share();
        return names.giving(what, range).setTarget(target).setKept((int) kept);
    }

    /** Looks at no names if these are too many in all likelihood, or if enough were looked at. */
    private GivenRange.Look look(Partition partition) {
        long expected = entries * partition.share() / share;
        if (expected > SURELY_TOO_MANY * limits.mostGiven()) {
            return new GivenRange.Look(GivenRange.Fit.TOO_MANY, 0);
        }
        if (looks <= 0) {
            return new GivenRange.Look(GivenRange.Fit.UNKNOWN, 0);
        }
        GivenRange.Look look = range(partition).look(mostBytes, limits.mostGiven(), context.view());
        looks -= look.names();
        return look;
    }

    private Optional<GivingRow> held() {
        isHeld = true;
        return Optional.empty();
    }

    private Optional<GivingRow> halved(Partition partition) {
        return 1 << partition.depth() < PartitionMap.MOST
                ? Optional.of(names.giving(What.HALVED, partition.upperHalf(names.handle()))
                        .build())
                : Optional.empty();
    }

    private OptionalInt target(Partition given, Balance balance) {
        return balance.target(given, context.inputs().shard());
    }

    /** Whether a split would give less than an eighth of the names. */
    private boolean isUneven(Partition whole, Partition upper) {
        int most = limits.mostGiven();
        return 8L * range(upper).count(most, context.view()) < range(whole).count(most, context.view());
    }

    private GivenRange range(Partition range) {
        return new GivenRange(names.handle(), range);
    }
}
