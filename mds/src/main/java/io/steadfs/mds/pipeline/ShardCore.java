package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a shard. It takes everything queued, decides each command against the committed state plus what was
 * decided before it in the same batch, appends all records in one go, and only then answers, refusals included: a
 * refusal may rest on a decision of the same batch. While a batch commits, the next one gathers in the queue; under
 * load one sync of the disk so carries many commands.
 *
 * <pre>
 *  submit --> queue --take--> decide --records--> replay into overlay --> append --> answer
 *                               ^                        |
 *                               +---- sees what ---------+
 * </pre>
 *
 * A decision that throws an exception was pure, so nothing of it was done: its command is answered FAULT and the batch
 * goes on. The core stops for ever, until another one is put over the store, opened anew, when an append fails (what the disk kept is
 * unknown: nothing of that batch is answered), when replay throws (a broken invariant), and when a decision throws an
 * Error (no memory, a broken class: the process is not to be trusted). In the last two cases the batch is thrown away
 * before the append, so nothing of it was done. A stopped shard answers UNAVAILABLE and says why.
 *
 * <p>{@link #step} belongs to one thread, or to a simulation's single one; the other methods may be called from any.
 */
public final class ShardCore implements Shard {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCore.class);

    private final MetadataLog log;
    private final InputSource inputs;
    private final ShardLimits limits;
    private final Totals totals;
    private final CommitListener listener;
    private final CommandQueue queue;

    private final LongAdder batches = new LongAdder();
    private final LongAdder commands = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private volatile String stopped = "";
    private volatile Optional<Throwable> storeFailure = Optional.empty();

    public ShardCore(MetadataLog log, InputSource inputs, ShardLimits limits, Totals totals, CommitListener listener) {
        this.log = log;
        this.inputs = inputs;
        this.limits = limits;
        this.totals = totals;
        this.listener = listener;
        this.queue = new CommandQueue(limits.queueCommands(), limits.queueBytes());
    }

    @Override
    public void submit(Command<?> command) {
        switch (queue.offer(command)) {
            case ACCEPTED -> {}
            case FULL -> {
                busy.increment();
                command.dropped(
                        FsError.BUSY, "the shard's queue is full with " + queue.size() + " requests; try again");
            }
            case CLOSED -> command.dropped(FsError.UNAVAILABLE, whyClosed());
        }
    }

    /**
     * Takes what is queued, at most one batch, and brings it to its end.
     *
     * @return whether there was anything to do
     */
    public boolean step() {
        List<Command<?>> batch = queue.take(limits.batchCommands(), limits.batchBytes());
        if (batch.isEmpty()) {
            return false;
        }
        run(batch);
        return true;
    }

    /** Why it stopped by itself, if it did. */
    public Optional<String> stopped() {
        return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
    }

    /** What the store threw, where it stopped because of that: another core over the store, opened anew, may serve. */
    public Optional<Throwable> storeFailure() {
        return storeFailure;
    }

    public int queueLength() {
        return queue.size();
    }

    public ShardCounters counters() {
        return new ShardCounters(
                batches.sum(), commands.sum(), records.sum(), busy.sum(), cancelled.sum(), faults.sum());
    }

    /** Refuses what is queued and whatever comes. What is being decided comes to its end. */
    public void close() {
        dropAll(queue.close(), FsError.UNAVAILABLE, whyClosed());
    }

    CommandQueue queue() {
        return queue;
    }

    private void run(List<Command<?>> batch) {
        List<Decided<?>> decided = new ArrayList<>(batch.size());
        List<LogRecord> toAppend = new ArrayList<>();
        Inputs now;
        Overlay overlay;
        try {
            now = inputs.now(log.committed());
            overlay = log.begin();
        } catch (RuntimeException | Error e) {
            noteStoreFailure(e);
            stop("its state cannot be read: " + e, e);
            dropAll(batch, FsError.UNAVAILABLE, whyClosed());
            return;
        }
        try (overlay) {
            if (!decideAll(batch, now, overlay, decided, toAppend)) {
                return;
            }
            if (!overlay.isEmpty()) {
                listener.committing(toAppend);
                decided.forEach(each -> each.command().committing());
                log.append(toAppend, overlay);
                decided.forEach(each -> each.command().committed());
                batches.increment();
                records.add(toAppend.size());
            }
        } catch (IOException | RuntimeException | Error e) {
            appendFailed(e, decided);
            return;
        }
        commands.add(decided.size());
        for (Decided<?> each : decided) {
            each.answer();
        }
        try {
            listener.committed(toAppend);
        } catch (RuntimeException e) {
            LOG.error("a listener failed at {} committed records", toAppend.size(), e);
        }
    }

    /** False if a replay broke or a decision threw an Error; then all of the batch have been answered. */
    private boolean decideAll(
            List<Command<?>> batch, Inputs now, Overlay overlay, List<Decided<?>> decided, List<LogRecord> toAppend) {
        for (int i = 0; i < batch.size(); i++) {
            Command<?> command = batch.get(i);
            if (command.isCancelled()) {
                cancelled.increment();
                command.dropped(FsError.CANCELLED, "cancelled before it began");
                continue;
            }
            command.deciding();
            Optional<Decided<?>> decision;
            try {
                decision = decide(command, overlay, now);
            } catch (Error e) {
                batchBroke("a decision broke: " + e, e, command, decided, batch.subList(i + 1, batch.size()));
                return false;
            }
            if (decision.isEmpty()) {
                continue;
            }
            try {
                for (LogRecord each : decision.get().records()) {
                    each.replay(overlay);
                    toAppend.add(each);
                }
            } catch (RuntimeException | Error e) {
                batchBroke("a replay broke: " + e, e, command, decided, batch.subList(i + 1, batch.size()));
                return false;
            }
            decided.add(decision.get());
        }
        return true;
    }

    /** Empty if the decision broke by an exception; then the command is answered. */
    private <A> Optional<Decided<?>> decide(Command<A> command, Overlay overlay, Inputs inputs) {
        try {
            Decision<A> decision = command.decide(overlay, inputs);
            List<LogRecord> all = new ArrayList<>(decision.records());
            all.addAll(totals.of(decision.records(), overlay));
            return Optional.of(new Decided<>(command, all, decision.answer()));
        } catch (RuntimeException e) {
            LOG.error("decision of {} broke; nothing of it was done", command, e);
            faults.increment();
            command.dropped(FsError.FAULT, "the decision broke: " + e);
            return Optional.empty();
        }
    }

    private void batchBroke(
            String why, Throwable cause, Command<?> guilty, List<Decided<?>> before, List<Command<?>> after) {
        stop(why, cause);
        guilty.dropped(FsError.FAULT, why);
        for (Decided<?> each : before) {
            each.command().dropped(FsError.UNAVAILABLE, whyClosed());
        }
        dropAll(after, FsError.UNAVAILABLE, whyClosed());
    }

    private void appendFailed(Throwable cause, List<Decided<?>> decided) {
        noteStoreFailure(cause);
        stop("its log could not be written: " + cause, cause);
        for (Decided<?> each : decided) {
            each.command().failed(cause);
        }
    }

    private void noteStoreFailure(Throwable cause) {
        if (cause instanceof IOException || cause instanceof UncheckedIOException) {
            storeFailure = Optional.of(cause);
        }
    }

    private void stop(String why, Throwable cause) {
        LOG.error("shard stops: {}", why, cause);
        stopped = why;
        dropAll(queue.close(), FsError.UNAVAILABLE, whyClosed());
    }

    private String whyClosed() {
        return stopped.isEmpty() ? "the shard is closed" : "the shard stopped: " + stopped;
    }

    private static void dropAll(List<Command<?>> commands, FsError error, String why) {
        for (Command<?> each : commands) {
            each.dropped(error, why);
        }
    }

    private record Decided<A>(Command<A> command, List<LogRecord> records, A result) {
        void answer() {
            try {
                command.answered(result);
            } catch (RuntimeException e) {
                LOG.error("answer of {} could not be given", command, e);
            }
        }
    }
}
