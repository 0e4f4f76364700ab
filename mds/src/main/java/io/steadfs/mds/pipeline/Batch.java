package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import io.steadfs.store.WriteView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands that are decided together and will be committed together. The batch holds the answer to each command and an
 * overlay with the records. The deciding thread owns the batch and then hands it over to the committing thread.
 */
public final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Overlay overlay;
    private final CopyRules.BatchCopies copies;
    private final List<CopyRules.Hold> holds = new ArrayList<>();
    /** The batch that this batch depends on; empty = this batch is committed, or depends on no batch. */
    private Optional<Batch> before;

    private final List<Decided<?>> decided = new ArrayList<>();
    private final List<LogRecord> records = new ArrayList<>();
    private long bytes;
    private boolean durable;
    private volatile boolean committed;
    private volatile boolean thrownAway;

    private Batch(Overlay overlay, CopyRules.BatchCopies copies, Optional<Batch> before) {
        this.overlay = overlay;
        this.copies = copies;
        this.before = before;
    }

    /** Returns an empty batch over the committed state. */
    static Batch over(Overlay overlay, CopyRules.BatchCopies copies) {
        return new Batch(overlay, copies, Optional.empty());
    }

    /**
     * Returns an empty batch on top of this batch. This batch gets no more commands. The batch below this batch must be
     * committed.
     */
    Batch above(CopyRules.BatchCopies newCopies) {
        freeze();
        overlay.settle();
        return new Batch(overlay.above(), newCopies, Optional.of(this));
    }

    /** Freezes the batch, which then gets no more commands. Several threads may read a frozen batch. */
    void freeze() {
        overlay.close();
    }

    /**
     * Returns whether this batch may be committed. If the batch depends on another batch, the other batch must be
     * committed.
     */
    boolean mayBeCommitted() {
        Optional<Batch> ground = before;
        return !thrownAway && (ground.isEmpty() || ground.get().committed);
    }

    /** Returns whether this batch or one that it depends on was thrown away. */
    boolean isThrownAway() {
        Optional<Batch> ground = before;
        return thrownAway || (ground.isPresent() && ground.get().isThrownAway());
    }

    /** Returns the state with all decisions of this batch. */
    Overlay overlay() {
        return overlay;
    }

    /** Returns the copies that the decisions of this batch use. */
    CopyRules.BatchCopies copies() {
        return copies;
    }

    /** Keeps rows held until this batch is durable or thrown away. */
    void keep(CopyRules.Hold hold) {
        holds.add(hold);
    }

    /** Returns whether no command was decided in this batch. */
    public boolean isEmpty() {
        return decided.isEmpty();
    }

    int commands() {
        return decided.size();
    }

    /** Returns the size of the commands in bytes, according to {@link Command#sizeBytes}. */
    long bytes() {
        return bytes;
    }

    /** Returns the records in the order in which they were decided. */
    List<LogRecord> records() {
        return records;
    }

    /**
     * Adds a decided command and replays its records into the overlay. If this throws an exception, the batch must not
     * be committed.
     */
    <A> void add(Command<A> command, List<LogRecord> changes, A answer) {
        replay(changes);
        decided.add(new Decided<>(command, answer));
        bytes += command.sizeBytes();
    }

    /**
     * Adds a decided command and gives its answer at once. Its records are volatile. They are replayed into the overlay,
     * and into the live rows too, because readers may now know of the command.
     *
     * @param live the volatile rows that every reader sees
     */
    <A> void addEarly(Command<A> command, List<LogRecord> changes, A answer, WriteView live) {
        replay(changes);
        changes.forEach(each -> each.replay(live));
        new Decided<>(command, answer).answer();
    }

    private void replay(List<LogRecord> changes) {
        for (LogRecord each : changes) {
            each.replay(overlay);
            records.add(each);
            durable |= !each.isVolatile();
        }
    }

    /** Returns whether the batch changes more than volatile rows, so that its commit is a write to the log. */
    boolean isDurable() {
        return durable;
    }

    void committing() {
        decided.forEach(each -> each.command().committing());
    }

    void committed() {
        decided.forEach(each -> each.command().committed());
    }

    /** Notes that the whole batch is in the committed state. */
    void done() {
        committed = true;
        before = Optional.empty();
        holds.forEach(CopyRules.Hold::release);
    }

    void answer() {
        decided.forEach(Decided::answer);
    }

    void failed(Throwable cause) {
        decided.forEach(each -> each.command().failed(cause));
    }

    /** Tells all commands that nothing of this batch was done. */
    void dropped(FsError error, String why) {
        thrownAway = true;
        decided.forEach(each -> each.command().dropped(error, why));
        decided.clear();
        holds.forEach(CopyRules.Hold::release);
        holds.clear();
    }

    private record Decided<A>(Command<A> command, A result) {
        void answer() {
            try {
                command.answered(result);
            } catch (RuntimeException | Error e) {
                // The change is done. A caller that repeats the request gets the recorded reply.
                LOG.error("answer of {} could not be given", command, e);
            }
        }
    }
}
