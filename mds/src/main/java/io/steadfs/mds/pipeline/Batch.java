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
 * Commands decided together, to be committed together: the overlay with their records, and what each is to be answered. Owned by
 * the thread that decides, then handed over to the one that commits.
 */
public final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Overlay overlay;
    /** Which this one rests on, until it is known to be committed. */
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

    /** Over the committed state. */
    static Batch over(Overlay overlay) {
        return new Batch(overlay, Optional.empty());
    }

    /** An empty batch over this one, which gets nothing more, and whose own ground is committed. */
    Batch above() {
        freeze();
        overlay.settle();
        return new Batch(overlay.above(), Optional.of(this));
    }

    /** It gets nothing more: from here on it may be read by several threads. */
    void freeze() {
        overlay.close();
    }

    /** Whether what it rests on is committed, so that it may be. */
    boolean mayBeCommitted() {
        return !thrownAway && before.stream().allMatch(ground -> ground.committed);
    }

    /** The state with all that was decided in this batch. */
    Overlay overlay() {
        return overlay;
    }

    /** Nothing was decided in it. */
    public boolean isEmpty() {
        return decided.isEmpty();
    }

    int commands() {
        return decided.size();
    }

    /** Of the commands, as {@link Command#sizeBytes} tells. */
    long bytes() {
        return bytes;
    }

    /** In the order decided. */
    List<LogRecord> records() {
        return records;
    }

    /** Replays the records; what they throw means that the batch must not be committed. */
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

    /** All of it is in the committed state. */
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

    /** Nothing of it was done. */
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
                // It is done; who asked hears of it when he asks again.
                LOG.error("answer of {} could not be given", command, e);
            }
        }
    }
}
