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
 * Decides and commits the commands of a shard, as the only writer of the shard.
 *
 * <p>Each queued command is decided against the committed state plus the earlier decisions of the batch. All records of
 * a batch are appended together. The commands are answered after the append. Refusals wait for the append too, because
 * a refusal may depend on an earlier decision.
 *
 * <p>While a batch commits, the next batch may be decided on top of it and grow. Under load, one sync of the disk
 * therefore carries many commands.
 *
 * <pre>
 *  submit --> queue --gather--> decide --records--> replay into overlay      commit: append --> answer
 *                                 ^                        |                    ^
 *                                 +---- sees what ---------+     batch ---------+
 * </pre>
 *
 * <p>A decision may say that its answer need not wait ({@link Decision#early}). Such a command is answered as soon as it
 * is decided.
 *
 * <ul>
 *   <li>Batches are committed one at a time, in the order in which they were begun.
 *   <li>At most one uncommitted batch lies below the batch that is being decided ({@link Overlay}).
 *   <li>If a batch cannot be committed, the next batch depends on changes that may not exist. The next batch is then
 *       not committed either, and nothing of it is done.
 * </ul>
 *
 * A decision is pure, so a decision that throws an exception has done nothing. The command of such a decision is
 * answered FAULT, and the batch goes on. The core stops for good in these cases:
 *
 * <ul>
 *   <li>An append fails. Nobody knows what the disk kept, so no command of that batch is answered as done.
 *   <li>The committed state or the inputs of decisions cannot be read.
 *   <li>A replay throws an exception: an invariant is broken.
 *   <li>A decision throws an Error (no memory, a broken class): the process cannot be trusted.
 * </ul>
 *
 * In the last three cases, the core throws the batch away before the append, so nothing of the batch was done. An
 * earlier batch that is under way is still finished. If a failure of the store stopped the core, another core over the
 * newly opened store may serve. After a broken replay or an Error, opening the store again does not help. A stopped
 * shard answers UNAVAILABLE and says why.
 *
 * <p>The methods {@link #begin} and {@link #gather} may be called by one thread at a time, and {@link #commit} by one
 * thread at a time. All other methods may be called from any thread.
 */
public final class ShardCore implements Shard {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCore.class);

    private final MetadataLog log;
    private final InputSource inputs;
    private final ShardLimits limits;
    private final Totals totals;
    private final CommitListener listener;
    private final CopyRules copies;
    private final CommandQueue queue;
    private final Postponed postponed = new Postponed();

    private final LongAdder batches = new LongAdder();
    private final LongAdder commands = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder faults = new LongAdder();
    private volatile String stopped = "";
    /** Whether the core stopped for a reason that another core over the same store would meet again. */
    private volatile boolean broken;

    private volatile Optional<Throwable> storeFailure = Optional.empty();

    private volatile CallerStep callerStep = CallerStep.NONE;

    /** Makes the core of a shard without copies. */
    public ShardCore(MetadataLog log, InputSource inputs, ShardLimits limits, Totals totals, CommitListener listener) {
        this(log, inputs, limits, totals, listener, CopyRules.NONE);
    }

    public ShardCore(
            MetadataLog log,
            InputSource inputs,
            ShardLimits limits,
            Totals totals,
            CommitListener listener,
            CopyRules copies) {
        this.log = log;
        this.inputs = inputs;
        this.limits = limits;
        this.totals = totals;
        this.listener = listener;
        this.copies = copies;
        this.queue = new CommandQueue(limits.queueCommands(), limits.queueBytes());
    }

    @Override
    public void submit(Command<?> command) {
        CallerStep here = callerStep;
        boolean runsHere = here.isLikely() && command.mayRunHere();
        boolean wakesLater = runsHere || here.isCommitting();
        // Once the command is queued, another thread may answer it.
        boolean decidedHere = wakesLater && command.mayBeDecidedHere();
        switch (queue.offer(command, !wakesLater)) {
            case ACCEPTED -> {
                if (wakesLater && !(runsHere && here.step())) {
                    decideOrWake(here, decidedHere);
                }
            }
            case FULL -> {
                busy.increment();
                command.dropped(
                        FsError.BUSY, "the shard's queue is full with " + queue.size() + " requests; try again");
            }
            case CLOSED -> command.dropped(FsError.UNAVAILABLE, whyClosed());
        }
    }

    /** Sees to it that a queued command is decided. */
    private void decideOrWake(CallerStep here, boolean decidedHere) {
        if (!here.isCommitting()) {
            queue.wake();
        } else if (decidedHere) {
            here.decideMeanwhile();
        }
    }

    /**
     * Decides and commits the queued commands, at most one batch.
     *
     * @return whether there was anything to do
     */
    public boolean step() {
        if (queueLength() == 0) {
            return false;
        }
        begin().ifPresent(batch -> {
            gather(batch);
            commit(batch);
        });
        return true;
    }

    /**
     * Returns an empty batch over the committed state. If the committed state cannot be read, the result is empty and
     * the shard stops.
     */
    public Optional<Batch> begin() {
        try {
            return Optional.of(Batch.over(log.begin(), copies.begin()));
        } catch (RuntimeException | Error e) {
            unreadable(e);
            return Optional.empty();
        }
    }

    /**
     * Returns an empty batch on top of the given batch. The given batch gets no more commands and is committed first.
     * The batch below the given batch must be committed.
     */
    public Batch begin(Batch before) {
        return before.above(copies.begin());
    }

    /**
     * Takes as many queued commands as fit into the batch, and decides them.
     *
     * @return whether any command was queued
     */
    public boolean gather(Batch batch) {
        return gather(batch, Integer.MAX_VALUE) > 0;
    }

    /**
     * Takes queued commands as {@link #gather(Batch)} does, but not more than this number.
     *
     * @return how many commands were taken
     */
    int gather(Batch batch, int most) {
        if (batch.isThrownAway()) {
            return 0; // what is decided on it would be thrown away too
        }
        List<Command<?>> taken = queue.take(
                Math.min(most, limits.batchCommands() - batch.commands()),
                limits.batchBytes() - batch.bytes(),
                batch.isEmpty());
        if (taken.isEmpty()) {
            return 0;
        }
        Inputs now;
        try {
            now = inputs.now(batch.overlay()).with(batch.copies().copies());
        } catch (RuntimeException | Error e) {
            unreadable(e);
            batch.dropped(FsError.UNAVAILABLE, whyClosed());
            dropAll(taken, FsError.UNAVAILABLE, whyClosed());
            return taken.size();
        }
        decideAll(taken, now, batch);
        return taken.size();
    }

    /**
     * Makes the batch durable and answers its commands. The commands are dropped instead if the batch depends on a batch
     * that was thrown away, or if the term of a copy that it was decided with is over.
     */
    public void commit(Batch batch) {
        batch.freeze();
        if (!batch.mayBeCommitted()) {
            boolean goesOn = batch.isThrownAway() && stopped.isEmpty() && !queue.isClosed();
            batch.dropped(
                    goesOn ? FsError.BUSY : FsError.UNAVAILABLE,
                    goesOn ? "what it was decided on was not done; try again" : whyClosed());
            return;
        }
        try {
            if (!batch.overlay().isEmpty()) {
                if (!batch.copies().publish()) {
                    copies.durable();
                    batch.dropped(FsError.BUSY, "the commit came later than copies of other shards allow; try again");
                    return;
                }
                listener.committing(batch.records());
                batch.committing();
                log.append(batch.records(), batch.overlay());
                copies.durable();
                batch.committed();
                if (batch.isDurable()) {
                    batches.increment();
                    records.add(batch.records().size());
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            noteStoreFailure(e);
            stop("its log could not be written: " + e, e, false);
            batch.failed(e);
            return;
        }
        batch.done();
        commands.add(batch.commands());
        batch.answer();
        try {
            listener.committed(batch.records());
        } catch (RuntimeException e) {
            LOG.error(
                    "a listener failed at {} committed records", batch.records().size(), e);
        }
    }

    /** Returns why the core stopped by itself; empty = it did not. */
    public Optional<String> stopped() {
        return stopped.isEmpty() ? Optional.empty() : Optional.of(stopped);
    }

    /**
     * Returns the exception of the store that stopped the core; empty = something else stopped the core. After a
     * failure of the store, another core over the newly opened store may serve.
     */
    public Optional<Throwable> storeFailure() {
        return broken ? Optional.empty() : storeFailure;
    }

    public int queueLength() {
        return queue.size();
    }

    public ShardCounters counters() {
        return new ShardCounters(
                batches.sum(), commands.sum(), records.sum(), busy.sum(), cancelled.sum(), faults.sum());
    }

    /** Lets threads that submit a command decide and commit it, if the given step says so. */
    void callersStep(CallerStep step) {
        callerStep = step;
    }

    /** Refuses all queued commands and all later commands. Commands that are being decided are finished. */
    public void close() {
        closeQueue();
    }

    private void closeQueue() {
        dropAll(queue.close(), FsError.UNAVAILABLE, whyClosed());
        dropAll(postponed.takeWaiting(), FsError.UNAVAILABLE, whyClosed());
    }

    CommandQueue queue() {
        return queue;
    }

    /**
     * Decides the taken commands. If a replay throws an exception or a decision throws an Error, all commands of the
     * batch get an answer.
     */
    private void decideAll(List<Command<?>> taken, Inputs now, Batch batch) {
        for (int i = 0; i < taken.size(); i++) {
            Command<?> command = taken.get(i);
            if (command.isCancelled()) {
                cancelled.increment();
                postponed.take(command).ifPresent(CopyRules.Hold::release);
                command.dropped(FsError.CANCELLED, "cancelled before it began");
                continue;
            }
            command.deciding();
            if (!decide(command, now, batch)) {
                batch.dropped(FsError.UNAVAILABLE, whyClosed());
                dropAll(taken.subList(i + 1, taken.size()), FsError.UNAVAILABLE, whyClosed());
                return;
            }
        }
    }

    /** Decides one command. Returns false if the shard stopped; the command then has its answer. */
    private boolean decide(Command<?> command, Inputs now, Batch batch) {
        Optional<CopyRules.Hold> earlier = postponed.take(command);
        boolean goesOn = decideHeld(command, now, batch);
        earlier.ifPresent(CopyRules.Hold::release);
        return goesOn;
    }

    private <A> boolean decideHeld(Command<A> command, Inputs now, Batch batch) {
        Decision<A> decision;
        List<LogRecord> all;
        CopyRules.Hold hold;
        try {
            decision = command.decide(batch.overlay(), now);
            all = new ArrayList<>(decision.records());
            all.addAll(totals.of(decision.records(), batch.overlay()));
            hold = copies.hold(all, batch.overlay());
        } catch (RuntimeException e) {
            LOG.error("decision of {} broke; nothing of it was done", command, e);
            faults.increment();
            command.dropped(FsError.FAULT, "the decision broke: " + e);
            return true;
        } catch (Error e) {
            return brokenBy(command, "a decision broke: " + e, e);
        }
        if (!hold.isFree()) {
            postpone(command, hold);
            return true;
        }
        if (hold != CopyRules.Hold.NONE) {
            batch.keep(hold);
        }
        try {
            if (decision.early()) {
                batch.addEarly(command, all, decision.answer(), log.volatileRows());
                commands.increment();
            } else {
                batch.add(command, all, decision.answer());
            }
            return true;
        } catch (RuntimeException | Error e) {
            return brokenBy(command, "a replay broke: " + e, e);
        }
    }

    /** Lets a command wait until other shards have given back the copies of the rows that it changes. */
    private void postpone(Command<?> command, CopyRules.Hold hold) {
        if (postponed.size() >= limits.queueCommands()
                || (postponed.size() > 0 && postponed.bytes() + command.sizeBytes() > limits.queueBytes())) {
            hold.release();
            busy.increment();
            command.dropped(
                    FsError.BUSY,
                    postponed.size() + " changes of " + postponed.bytes() + " bytes wait for other shards; try again");
            return;
        }
        postponed.add(command, hold);
        if (queue.isClosed()) {
            dropAll(postponed.takeWaiting(), FsError.UNAVAILABLE, whyClosed());
        }
        hold.whenFree(() -> decideAgain(command));
    }

    private void decideAgain(Command<?> command) {
        if (!postponed.toQueue(command)) {
            return;
        }
        switch (queue.offer(command, true)) {
            case ACCEPTED -> {}
            case FULL -> notDecidedAgain(command, FsError.BUSY, "the shard's queue is full; try again");
            case CLOSED -> notDecidedAgain(command, FsError.UNAVAILABLE, whyClosed());
        }
    }

    private void notDecidedAgain(Command<?> command, FsError error, String why) {
        postponed.take(command).ifPresent(CopyRules.Hold::release);
        command.dropped(error, why);
    }

    private boolean brokenBy(Command<?> guilty, String why, Throwable cause) {
        broke(why, cause);
        guilty.dropped(FsError.FAULT, why);
        return false;
    }

    /**
     * Stops the core because of damage that a new opening of the store cannot repair. The core stays stopped, even if
     * its store fails too.
     */
    void broke(String why, Throwable cause) {
        stop(why, cause, true);
    }

    private void unreadable(Throwable cause) {
        noteStoreFailure(cause);
        stop("its state cannot be read: " + cause, cause, false);
    }

    private void noteStoreFailure(Throwable cause) {
        if (cause instanceof IOException || cause instanceof UncheckedIOException) {
            storeFailure = Optional.of(cause);
        }
    }

    private void stop(String why, Throwable cause, boolean forGood) {
        LOG.error("shard stops: {}", why, cause);
        synchronized (this) {
            // Deciding and committing may both stop the core. The core reports the reason that lasts.
            if (stopped.isEmpty() || (forGood && !broken)) {
                stopped = why;
            }
            broken |= forGood;
        }
        closeQueue();
    }

    private String whyClosed() {
        return stopped.isEmpty() ? "the shard is closed" : "the shard stopped: " + stopped;
    }

    private void dropAll(List<Command<?>> commands, FsError error, String why) {
        for (Command<?> each : commands) {
            postponed.take(each).ifPresent(CopyRules.Hold::release);
            each.dropped(error, why);
        }
    }
}
