package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.partition.Begun;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.KeptNames;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.Occasion;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has directories with too many names give some of them to other shards, and partitions with few names merge
 * (docs/decisions/0033-partitions.md). A directory is looked at when one of its names changes, when many of its names are
 * made in a second, and when a partition of it came or went. All partitions are looked at when the process starts and when
 * the number of shards changes. One directory gives names at a time, so that clients are served between two of them. What
 * an earlier process began is ended first.
 */
public final class PartitionSizes implements Duty, CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionSizes.class);

    private static final long INTERVAL_MILLIS = 1_000;

    /** After an attempt that was refused. It doubles with each refusal. */
    private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** After names were given, or will not be although many are made. The rate of the directory shows the effect by then. */
    private static final long HOT_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** After the end of a hand over could not be decided, so that other directories have their turn. */
    private static final long STUCK_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** After a look at a directory that keeps its names. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How many directories may be looked at in one round because many names are made in them. */
    private static final int MOST_HOT = 8;

    private final int own;
    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final DutyPursuits pursuits;
    private final Clock clock;
    private final Limits limits;
    private final NameRates rates;
    private final IntSupplier shardCount;
    private final Commands commands;
    private final Pacer pacer;
    /** Directories that may give names. */
    private final Set<Handle> large = ConcurrentHashMap.newKeySet();
    /** Directories whose partitions changed since the last round, as users see them. */
    private final Set<Handle> changed = ConcurrentHashMap.newKeySet();
    /** Partitions of this shard that may end. */
    private final Set<Handle> partitions = ConcurrentHashMap.newKeySet();
    /** Partitions that have few names, and changed since the last round. */
    private final Set<Handle> shrunk = ConcurrentHashMap.newKeySet();
    /** When to try again to give names of directories. Owned by the scheduler's thread. */
    private final Map<Handle, Attempt> refused = new LinkedHashMap<>();
    /**
     * Partitions whose merge was refused for good, as long as a hint asks for them, and until when their changes are not
     * looked at. Owned by the scheduler's thread.
     */
    private final LeftAlone hinted;
    /** When to try to merge partitions with few names. Owned by the scheduler's thread. */
    private final Map<Handle, Attempt> small = new LinkedHashMap<>();
    /** Until when hand overs are left alone whose end could not be decided. Owned by the scheduler's thread. */
    private final LeftAlone stuck;
    /** Until when directories are not looked at that keep their names. Owned by the scheduler's thread. */
    private final LeftAlone resting;
    /** Until when directories are not looked at because of their rates. Owned by the scheduler's thread. */
    private final LeftAlone cooling;

    /** Whether a directory gives names. Owned by the scheduler's thread. */
    private boolean busy;

    /** For how many shards all partitions were looked at. Owned by the scheduler's thread. */
    private int looked;

    /**
     * @param atNanos time of the next attempt
     * @param refusals how many attempts there were
     */
    private record Attempt(long atNanos, long waitNanos, int refusals) {
        static Attempt first(long atNanos) {
            return new Attempt(atNanos, FIRST_WAIT_NANOS, 0);
        }

        Attempt later(long nowNanos) {
            return new Attempt(nowNanos + waitNanos, Math.min(2 * waitNanos, MOST_WAIT_NANOS), refusals + 1);
        }
    }

    /**
     * Which directories are looked at.
     *
     * @param large those with more names may split
     * @param small partitions with at most so many may merge
     * @param rate those in which so many names are made in a second may split; 0 = none
     * @param quietNanos partitions merge if none of their names changed for so long
     */
    public record Limits(long large, long small, long rate, long quietNanos) {}

    /** Makes the commands of this duty. */
    public interface Commands {
        /** Answers whether the directory gives some of its names now. */
        InternalCommand<Begun> split(Handle directory, Occasion occasion);

        /** Answers whether a partition of the directory gives all of its names now. */
        InternalCommand<Boolean> merge(Handle directory);

        /** Answers why the names were not given; empty = they are given. */
        InternalCommand<Optional<KeptNames>> give(Handle directory);

        /** Answers whether the names stay where they are; false = it is not decided. */
        InternalCommand<Boolean> end(Handle directory);
    }

    /**
     * @param own number of this shard
     * @param shardCount number of shards of the file system
     */
    public PartitionSizes(
            int own,
            Supplier<ReadView> committed,
            Shard shard,
            DutyPursuits pursuits,
            Scheduler scheduler,
            Clock clock,
            Limits limits,
            NameRates rates,
            IntSupplier shardCount,
            Commands commands) {
        this.own = own;
        this.committed = committed;
        this.shard = shard;
        this.pursuits = pursuits;
        this.clock = clock;
        this.hinted = new LeftAlone(clock);
        this.stuck = new LeftAlone(clock);
        this.resting = new LeftAlone(clock);
        this.cooling = new LeftAlone(clock);
        this.limits = limits;
        this.rates = rates;
        this.shardCount = shardCount;
        this.commands = commands;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    @Override
    public void stop() {
        pacer.stop();
        pursuits.stop();
    }

    @Override
    public void committed(List<LogRecord> records) {
        for (LogRecord each : records) {
            if (each instanceof CountsSet set) {
                note(set);
            } else if (each instanceof MapEntrySet set) {
                note(set.entry());
                changed.add(set.directory());
            } else if (each instanceof MapEntryGone gone) {
                changed.add(gone.directory());
            } else if (each instanceof CountsGone gone) {
                partitions.remove(gone.directory());
                shrunk.remove(gone.directory());
            }
        }
    }

    private void note(CountsSet set) {
        long entries = set.row().getEntries();
        if (entries > limits.large() && large.add(set.directory())) {
            pacer.wake();
        } else if (entries <= limits.small() && partitions.contains(set.directory())) {
            shrunk.add(set.directory());
        }
    }

    /** Whether the shard has the partition, and whether it has few names, is decided by the command. */
    private void note(MapEntry entry) {
        if (entry.handle().shard() == own
                && entry.number() > 0
                && !entry.isStaged()
                && entry.lock().isEmpty()) {
            partitions.add(entry.handle());
            shrunk.add(entry.handle());
        }
    }

    private void round() {
        long now = clock.monotonicNanos();
        hinted.forgetOver();
        stuck.forgetOver();
        resting.forgetOver();
        cooling.forgetOver();
        for (Iterator<Handle> each = shrunk.iterator(); each.hasNext(); ) {
            Handle partition = each.next();
            if (!hinted.has(partition)) {
                each.remove();
                small.put(partition, Attempt.first(now + limits.quietNanos()));
            }
        }
        for (Iterator<Handle> each = changed.iterator(); each.hasNext(); ) {
            Handle directory = each.next();
            each.remove();
            try {
                Maps.entries(committed.get(), directory).forEach(this::lookAt);
            } catch (IllegalStateException e) {
                LOG.debug("the map of directory {} is damaged", directory, e);
            }
        }
        refused.forEach((directory, attempt) -> {
            if (attempt.atNanos() - now <= 0) {
                large.add(directory);
            }
        });
        if (!busy && !Held.isHeld(committed.get())) {
            Pacer.step(this::next, this::broke);
        }
    }

    private void broke(Throwable cause) {
        LOG.error("giving names of a directory broke; it begins anew in a later round", cause);
        busy = false;
    }

    private void next() {
        busy = true;
        lookAtAll();
        Optional<Handle> begun = Givings.all(committed.get()).stream()
                .filter(each -> !stuck.has(each))
                .findFirst();
        if (begun.isPresent()) {
            give(begun.get());
            return;
        }
        Optional<Handle> candidate = large.stream().filter(this::mayGive).findFirst();
        if (candidate.isPresent()) {
            large.remove(candidate.get());
            split(candidate.get());
            return;
        }
        Optional<Handle> hot = hotOne();
        if (hot.isPresent()) {
            split(hot.get());
            return;
        }
        Optional<Handle> partition = smallOne();
        if (partition.isPresent()) {
            merge(partition.get());
        } else {
            busy = false;
        }
    }

    /** All partitions may have to go to another shard, or to merge, if the number of shards is another one than before. */
    private void lookAtAll() {
        int shards = shardCount.getAsInt();
        if (looked != shards) {
            looked = shards;
            for (MapEntry each : Maps.all(committed.get())) {
                note(each);
                lookAt(each);
            }
        }
    }

    /** Whether the directory neither rests nor waits after a refusal, whatever changes in it. */
    private boolean mayGive(Handle directory) {
        Attempt attempt = refused.get(directory);
        return !resting.has(directory) && (attempt == null || attempt.atNanos() - clock.monotonicNanos() <= 0);
    }

    /** The home shard of a directory has entries of partitions of other shards, too. */
    private void lookAt(MapEntry entry) {
        if (entry.handle().shard() == own) {
            large.add(entry.handle());
        }
    }

    private Optional<Handle> hotOne() {
        return limits.rate() == 0
                ? Optional.empty()
                : rates.hottest(MOST_HOT).stream()
                        .map(NameRates.Hot::directory)
                        .filter(each -> isHot(each) && mayGive(each))
                        .findFirst();
    }

    private boolean isHot(Handle directory) {
        return limits.rate() > 0 && rates.perSecond(directory) >= limits.rate() && !cooling.has(directory);
    }

    /** Whatever led to the directory, it is looked whether it has too many names, and whether many are made in it. */
    private Occasion occasion(Handle directory) {
        Attempt attempt = refused.get(directory);
        return new Occasion(
                isHot(directory) ? (int) Math.max(1, Math.min(Integer.MAX_VALUE, rates.perSecond())) : 0,
                attempt == null ? 0 : attempt.refusals());
    }

    /** A partition with few names whose turn has come. */
    private Optional<Handle> smallOne() {
        long now = clock.monotonicNanos();
        Optional<Handle> due = small.entrySet().stream()
                .filter(each -> each.getValue().atNanos() - now <= 0)
                .map(Map.Entry::getKey)
                .findFirst();
        due.ifPresent(each -> small.computeIfPresent(each, (partition, attempt) -> attempt.later(now)));
        return due;
    }

    private void split(Handle directory) {
        Occasion occasion = occasion(directory);
        InternalCommand<Begun> command = commands.split(directory, occasion);
        pacer.when(
                command.outcome(),
                (begun, failure) -> {
                    if (failure != null) {
                        LOG.debug("directory {} keeps its names for now: {}", directory, failure.getMessage());
                        refuse(directory);
                        next();
                    } else {
                        began(directory, occasion, begun);
                    }
                },
                this::broke);
        pursuits.submit("look at directory " + directory, command);
    }

    private void began(Handle directory, Occasion occasion, Begun begun) {
        switch (begun) {
            case GIVES -> give(directory);
            case CHANGED -> {
                refused.remove(directory);
                large.add(directory);
                next();
            }
            case NO -> {
                refused.remove(directory);
                resting.add(directory, REST_NANOS);
                if (occasion.rate() > 0) {
                    cooling.add(directory, HOT_WAIT_NANOS);
                }
                next();
            }
            case LATER -> {
                refuse(directory);
                next();
            }
        }
    }

    private void refuse(Handle directory) {
        long now = clock.monotonicNanos();
        refused.compute(directory, (key, attempt) -> (attempt == null ? Attempt.first(now) : attempt).later(now));
    }

    private void merge(Handle directory) {
        InternalCommand<Boolean> command = commands.merge(directory);
        pacer.when(
                command.outcome(),
                (gives, failure) -> {
                    if (failure == null && gives) {
                        give(directory);
                    } else {
                        small.remove(directory);
                        next();
                    }
                },
                this::broke);
        shard.submit(command);
    }

    private void give(Handle directory) {
        // The command sees to a row that cannot be read.
        String what = Givings.readable(committed.get(), directory)
                .map(PartitionSizes::inWords)
                .orElse("what is no row");
        InternalCommand<Optional<KeptNames>> command = commands.give(directory);
        pacer.when(command.outcome(), (kept, failure) -> gave(directory, what, kept, failure), this::broke);
        pursuits.submit("directory " + directory, directory.value(), command, Optional::isEmpty);
    }

    /** What is given, for the log. */
    private static String inWords(GivingRow row) {
        String range = "partition " + row.getNumber() + " of depth " + row.getDepth();
        return switch (row.getWhat()) {
            case UPPER_HALF, UNRECOGNIZED -> "the new " + range + " to shard " + row.getTarget();
            case MOVED -> range + " to shard " + row.getTarget();
            case HALVED -> "the new " + range + " to itself";
            case MERGED -> range + " to the one from which it was split";
        };
    }

    private void gave(Handle directory, String what, Optional<KeptNames> kept, @Nullable Throwable failure) {
        if (failure == null && kept.isEmpty()) {
            LOG.info("directory {} gave {}", directory, what);
            refused.remove(directory);
            small.remove(directory);
            cooling.add(directory, HOT_WAIT_NANOS);
            // It may have more to give.
            large.add(directory);
            shrunk.add(directory);
            next();
            return;
        }
        boolean isForGood = failure == null && kept.get().isForGood();
        if (isForGood) {
            small.remove(directory);
            refused.remove(directory);
            hinted.add(directory, MOST_WAIT_NANOS);
        } else {
            refuse(directory);
        }
        LOG.info(
                "directory {} does not give {} for now: {}",
                directory,
                what,
                failure == null ? kept.get().why() : failure.getMessage());
        InternalCommand<Boolean> command = commands.end(directory);
        // The next round meets it again, if it is not decided yet.
        pacer.when(
                command.outcome(),
                (ended, broken) -> {
                    if (broken != null) {
                        stuck.add(directory, STUCK_WAIT_NANOS);
                    }
                    if (isForGood && broken == null && ended) {
                        next();
                    } else {
                        busy = false;
                    }
                },
                this::broke);
        shard.submit(command);
    }
}
