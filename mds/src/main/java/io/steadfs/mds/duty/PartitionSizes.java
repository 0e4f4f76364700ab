package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.KeptNames;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has directories with too many names give half of them to other shards, and partitions with few names merge
 * (docs/decisions/0033-partitions.md). A directory is looked at when one of its names changes. One directory gives names
 * at a time, so that clients are served between two of them. What an earlier process began is ended first.
 */
public final class PartitionSizes implements Duty, CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionSizes.class);

    private static final long INTERVAL_MILLIS = 1_000;

    /** After a merge that was refused. The other partition may have fewer names later. It doubles with each refusal. */
    private static final long FIRST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final DutyPursuits pursuits;
    private final Clock clock;
    private final Limits limits;
    private final Commands commands;
    private final Pacer pacer;
    private final Set<Handle> large = ConcurrentHashMap.newKeySet();
    /** Partitions of this shard that may end. */
    private final Set<Handle> partitions = ConcurrentHashMap.newKeySet();
    /** Partitions that have few names since the last round. */
    private final Set<Handle> shrunk = ConcurrentHashMap.newKeySet();
    /**
     * Partitions whose merge was refused for good, as long as a hint asks for them, and until when their changes are not
     * looked at. Owned by the scheduler's thread.
     */
    private final Map<Handle, Long> refused = new HashMap<>();

    /** When to try to merge partitions with few names. Owned by the scheduler's thread. */
    private final Map<Handle, Attempt> small = new LinkedHashMap<>();

    /** Whether a directory gives names. Owned by the scheduler's thread. */
    private boolean busy;

    /** Whether the partitions of the shard are known. Owned by the scheduler's thread. */
    private boolean hasLooked;

    /** @param atNanos time of the next attempt */
    private record Attempt(long atNanos, long waitNanos) {
        Attempt later(long nowNanos) {
            return new Attempt(nowNanos + waitNanos, Math.min(2 * waitNanos, MOST_WAIT_NANOS));
        }
    }

    /**
     * Which directories are looked at.
     *
     * @param large those with more names may split
     * @param small partitions with at most so many may merge
     */
    public record Limits(long large, long small) {}

    /** Makes the commands of this duty. */
    public interface Commands {
        /** Answers whether the directory gives half of its names now. */
        InternalCommand<Boolean> split(Handle directory);

        /** Answers whether the partition gives all of its names now. */
        InternalCommand<Boolean> merge(Handle partition);

        /** Answers why the names were not given; empty = they are given. */
        InternalCommand<Optional<KeptNames>> give(Handle directory);

        /** Answers whether the names stay where they are; false = it is not decided. */
        InternalCommand<Boolean> end(Handle directory);
    }

    public PartitionSizes(
            Supplier<ReadView> committed,
            Shard shard,
            DutyPursuits pursuits,
            Scheduler scheduler,
            Clock clock,
            Limits limits,
            Commands commands) {
        this.committed = committed;
        this.shard = shard;
        this.pursuits = pursuits;
        this.clock = clock;
        this.limits = limits;
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
        if (entry.number() > 0 && !entry.isStaged() && entry.lock().isEmpty()) {
            partitions.add(entry.handle());
            shrunk.add(entry.handle());
        }
    }

    private void round() {
        long now = clock.monotonicNanos();
        refused.values().removeIf(until -> until - now <= 0);
        for (Iterator<Handle> each = shrunk.iterator(); each.hasNext(); ) {
            Handle partition = each.next();
            if (!refused.containsKey(partition)) {
                each.remove();
                small.putIfAbsent(partition, new Attempt(now, FIRST_WAIT_NANOS));
            }
        }
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
        if (!hasLooked) {
            Maps.all(committed.get()).forEach(this::note);
            hasLooked = true;
        }
        List<Handle> begun = Givings.all(committed.get());
        if (!begun.isEmpty()) {
            give(begun.get(0));
            return;
        }
        Iterator<Handle> candidate = large.iterator();
        if (candidate.hasNext()) {
            Handle directory = candidate.next();
            candidate.remove();
            begin(directory, commands.split(directory), () -> {});
            return;
        }
        Optional<Handle> partition = smallOne();
        if (partition.isPresent()) {
            begin(partition.get(), commands.merge(partition.get()), () -> small.remove(partition.get()));
        } else {
            busy = false;
        }
    }

    /** A partition with few names whose turn has come. */
    private Optional<Handle> smallOne() {
        long now = clock.monotonicNanos();
        Optional<Handle> due = small.entrySet().stream()
                .filter(each -> each.getValue().atNanos() <= now)
                .map(Map.Entry::getKey)
                .findFirst();
        due.ifPresent(each -> small.computeIfPresent(each, (partition, attempt) -> attempt.later(now)));
        return due;
    }

    /** @param not what to do if the directory gives nothing now */
    private void begin(Handle directory, InternalCommand<Boolean> command, Runnable not) {
        pacer.when(
                command.outcome(),
                (gives, failure) -> {
                    if (failure != null) {
                        LOG.debug("directory {} keeps its names for now: {}", directory, failure.getMessage());
                    }
                    if (failure == null && gives) {
                        give(directory);
                    } else {
                        not.run();
                        next();
                    }
                },
                this::broke);
        shard.submit(command);
    }

    private void give(Handle directory) {
        InternalCommand<Optional<KeptNames>> command = commands.give(directory);
        pacer.when(command.outcome(), (kept, failure) -> gave(directory, kept, failure), this::broke);
        pursuits.submit("directory " + directory, directory.value(), command, Optional::isEmpty);
    }

    private void gave(Handle directory, Optional<KeptNames> kept, @Nullable Throwable failure) {
        if (failure == null && kept.isEmpty()) {
            LOG.info("directory {} gave names to another partition", directory);
            small.remove(directory);
            next();
            return;
        }
        boolean isForGood = failure == null && kept.get().isForGood();
        if (isForGood) {
            small.remove(directory);
            refused.put(directory, clock.monotonicNanos() + MOST_WAIT_NANOS);
        }
        LOG.info(
                "directory {} keeps its names for now: {}",
                directory,
                failure == null ? kept.get().why() : failure.getMessage());
        InternalCommand<Boolean> command = commands.end(directory);
        // The next round meets it again, if it is not decided yet. Its next change makes it a candidate.
        pacer.when(
                command.outcome(),
                (ended, broken) -> {
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
