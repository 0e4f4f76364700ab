package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has directories with too many names give half of them to other shards (docs/decisions/0033-partitions.md). A directory
 * is a candidate when one of its names changes. One directory gives names at a time, so that clients are served between
 * two of them. What an earlier process began is ended first.
 */
public final class PartitionSplits implements Duty, CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionSplits.class);

    private static final long INTERVAL_MILLIS = 1_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final DutyPursuits pursuits;
    private final int limit;
    private final Commands commands;
    private final Pacer pacer;
    private final Set<Handle> candidates = ConcurrentHashMap.newKeySet();

    /** Whether a directory gives names. Owned by the scheduler's thread. */
    private boolean busy;

    /** Makes the commands of this duty. */
    public interface Commands {
        /** Answers whether the directory gives names now. */
        InternalCommand<Boolean> begin(Handle directory);

        /** Answers why the names were not given; empty = they are given. */
        InternalCommand<Optional<String>> give(Handle directory);

        /** Answers whether the names stay where they are; false = it is not decided. */
        InternalCommand<Boolean> end(Handle directory);
    }

    /** @param limit a directory with more names is a candidate */
    public PartitionSplits(
            Supplier<ReadView> committed,
            Shard shard,
            DutyPursuits pursuits,
            Scheduler scheduler,
            int limit,
            Commands commands) {
        this.committed = committed;
        this.shard = shard;
        this.pursuits = pursuits;
        this.limit = limit;
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
            if (each instanceof CountsSet set && set.row().getEntries() > limit && candidates.add(set.directory())) {
                pacer.wake();
            }
        }
    }

    private void round() {
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
        List<Handle> begun = Givings.all(committed.get());
        if (!begun.isEmpty()) {
            give(begun.get(0));
            return;
        }
        Iterator<Handle> candidate = candidates.iterator();
        if (candidate.hasNext()) {
            Handle directory = candidate.next();
            candidate.remove();
            begin(directory);
        } else {
            busy = false;
        }
    }

    private void begin(Handle directory) {
        InternalCommand<Boolean> command = commands.begin(directory);
        pacer.when(
                command.outcome(),
                (gives, failure) -> {
                    if (failure != null) {
                        LOG.debug("directory {} keeps its names for now: {}", directory, failure.getMessage());
                    }
                    if (failure == null && gives) {
                        give(directory);
                    } else {
                        next();
                    }
                },
                this::broke);
        shard.submit(command);
    }

    private void give(Handle directory) {
        InternalCommand<Optional<String>> command = commands.give(directory);
        pacer.when(command.outcome(), (why, failure) -> gave(directory, why, failure), this::broke);
        pursuits.submit("directory " + directory, directory.value(), command, Optional::isEmpty);
    }

    private void gave(Handle directory, Optional<String> why, @Nullable Throwable failure) {
        if (failure == null && why.isEmpty()) {
            LOG.info("directory {} gave half of its names to another shard", directory);
            next();
            return;
        }
        LOG.info(
                "directory {} keeps its names for now: {}",
                directory,
                failure == null ? why.get() : failure.getMessage());
        InternalCommand<Boolean> command = commands.end(directory);
        // The next round meets it again, if it is not decided yet. Its next change makes it a candidate.
        pacer.when(command.outcome(), (ended, broken) -> busy = false, this::broke);
        shard.submit(command);
    }
}
