package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.Overlay;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands decided together, to be committed together: the overlay with their records, and what each is to be answered. Owned by
 * the thread that decides, then handed over to the one that commits.
 */
public final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Overlay overlay;
    private final List<Decided<?>> decided = new ArrayList<>();
    private final List<LogRecord> records = new ArrayList<>();
    private long bytes;

    Batch(Overlay overlay) {
        this.overlay = overlay;
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

    void answer() {
        decided.forEach(Decided::answer);
    }

    void failed(Throwable cause) {
        decided.forEach(each -> each.command().failed(cause));
    }

    /** Nothing of it was done. */
    void dropped(String why) {
        decided.forEach(each -> each.command().dropped(FsError.UNAVAILABLE, why));
        decided.clear();
    }

    private record Decided<A>(Command<A> command, A result) {
        void answer() {
            try {
                command.answered(result);
            } catch (RuntimeException e) {
                LOG.error("answer of {} could not be given", command, e);
            }
        }
    }
}
