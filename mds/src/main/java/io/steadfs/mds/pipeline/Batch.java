package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds commands that are decided together and will be committed together, with the overlay of their records and the answer
 * to each command. The deciding thread owns the batch, then hands it over to the committing thread.
 */
public final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Overlay overlay;
    /** The batch that this one depends on, until that batch is known to be committed. */
    private Optional<Batch> before;

    private final List<Decided<?>> decided = new ArrayList<>();
    private final List<LogRecord> records = new ArrayList<>();
    private long bytes;
    private volatile boolean committed;
    private volatile boolean thrownAway;

    private Batch(Overlay overlay, Optional<Batch> before) {
        this.overlay = overlay;
        this.before = before;
    }

    /** An empty batch over the committed state. */
    static Batch over(Overlay overlay) {
        return new Batch(overlay, Optional.empty());
    }

    /** An empty batch on top of this one. This batch gets no more commands, and the batch below this one must be committed. */
    Batch above() {
        freeze();
        overlay.settle();
        return new Batch(overlay.above(), Optional.of(this));
    }

    /** The batch gets no more commands. Several threads may read a frozen batch. */
    void freeze() {
        overlay.close();
    }

    /** Whether this batch may be committed: the batch that it depends on is committed. */
    boolean mayBeCommitted() {
        return !thrownAway && before.stream().allMatch(ground -> ground.committed);
    }

    /** The state with all decisions of this batch. */
    Overlay overlay() {
        return overlay;
    }

    /** Whether no command was decided in this batch. */
    public boolean isEmpty() {
        return decided.isEmpty();
    }

    int commands() {
        return decided.size();
    }

    /** Size of the commands, as {@link Command#sizeBytes} tells. */
    long bytes() {
        return bytes;
    }

    /** The records, in the order in which they were decided. */
    List<LogRecord> records() {
        return records;
    }

    /** Replays the records into the overlay. If this throws an exception, the batch must not be committed. */
    <A> void add(Command<A> command, List<LogRecord> changes, A answer) {
        for (LogRecord each : changes) {
            each.replay(overlay);
            records.add(each);
        }
        decided.add(new Decided<>(command, answer));
        bytes += command.sizeBytes();
    }

    void committing() {
        decided.forEach(each -> each.command().committing());
    }

    void committed() {
        decided.forEach(each -> each.command().committed());
    }

    /** The whole batch is in the committed state. */
    void done() {
        committed = true;
        before = Optional.empty();
    }

    void answer() {
        decided.forEach(Decided::answer);
    }

    void failed(Throwable cause) {
        decided.forEach(each -> each.command().failed(cause));
    }

    /** Nothing of this batch was done. */
    void dropped(String why) {
        thrownAway = true;
        decided.forEach(each -> each.command().dropped(FsError.UNAVAILABLE, why));
        decided.clear();
    }

    private record Decided<A>(Command<A> command, A result) {
        void answer() {
            try {
                command.answered(result);
            } catch (RuntimeException | Error e) {
                // The change is done. A caller that repeats the request learns that.
                LOG.error("answer of {} could not be given", command, e);
            }
        }
    }
}
