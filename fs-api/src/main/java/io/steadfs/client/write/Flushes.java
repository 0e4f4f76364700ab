package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Turns;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Executes the flushes of one writer, one flush after another. All methods must be called in the writer's turn.
 *
 * <p>A flush is an hflush, an hsync or a close. At its beginning, a flush notes how many bytes each column has taken.
 * Then a flush goes through these steps:
 *
 * <ol>
 *   <li>The servers acknowledge the noted number of bytes of each column.
 *   <li>{@link FlushSync} syncs the columns, if the flush needs a sync. A column whose last write has synced all bytes
 *       is left out.
 *   <li>{@link FlushRecord} tells the metafile's shard the new length and the new columns. For a close, the same
 *       request also closes the file.
 * </ol>
 */
final class Flushes {
    private final Turns turns;
    private final WriteFailure failure;
    private final WriterMemory memory;
    private final List<ColumnWriter> columns;
    private final Runnable whenClosed;
    private final FlushSync syncs;
    private final FlushRecord records;
    private final Deque<Flush> flushes = new ArrayDeque<>();

    /** @param whenClosed called after the close succeeded, outside the turn */
    Flushes(
            SessionFile file,
            Courier courier,
            Turns turns,
            WriteFailure failure,
            WriterMemory memory,
            List<ColumnWriter> columns,
            Runnable whenClosed) {
        this.turns = turns;
        this.failure = failure;
        this.memory = memory;
        this.columns = columns;
        this.whenClosed = whenClosed;
        this.syncs = new FlushSync(this, file, courier, turns, failure, columns);
        this.records = new FlushRecord(this, file, turns, failure, columns);
    }

    /** Whether the metafile's shard has recorded a flush of this writer. From any thread. */
    boolean anyRecorded() {
        return records.isAnswered();
    }

    /**
     * Begins a flush of all bytes that the writer has taken so far. Earlier flushes are finished first.
     *
     * @param position file offset after the last byte that the writer has taken
     * @param sync whether the bytes must be on stable storage
     */
    Flush begin(Flush.Mode mode, long position, boolean sync) {
        long[] targets = new long[columns.size()];
        for (ColumnWriter column : columns) {
            targets[column.index()] = column.filled();
        }
        Flush flush = new Flush(mode, position, targets, sync);
        flushes.add(flush);
        for (ColumnWriter column : columns) {
            if (sync) {
                column.cutSynced();
            } else {
                column.cut();
            }
        }
        advance();
        return flush;
    }

    /** Advances the first flush as far as possible. If the first flush completes, advances the next flush. */
    void advance() {
        for (Flush flush = flushes.peek(); flush != null && !failure.hasBegun(); flush = flushes.peek()) {
            if (flush.recording || flush.syncsUnderWay > 0 || !isAcknowledged(flush)) {
                return;
            }
            if (!flush.synced) {
                flush.synced = true;
                syncs.send(flush);
            } else if (records.isWanted(flush)) {
                flush.recording = true;
                records.send(flush);
            } else {
                finish(flush);
            }
        }
    }

    private boolean isAcknowledged(Flush flush) {
        for (ColumnWriter column : columns) {
            if (column.acknowledged() < flush.targets[column.index()]) {
                return false;
            }
        }
        return true;
    }

    /** Completes a flush whose steps are all done. */
    void finish(Flush flush) {
        flushes.remove(flush);
        if (flush.mode == Flush.Mode.CLOSE) {
            memory.giveBackAll();
        }
        turns.afterwards(() -> {
            flush.done.complete(null);
            if (flush.mode == Flush.Mode.CLOSE) {
                whenClosed.run();
            }
        });
    }

    /** Removes all flushes, and adds their futures to the list. */
    void leave(List<CompletableFuture<Void>> all) {
        flushes.forEach(flush -> all.add(flush.done));
        flushes.clear();
    }
}
