package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Turns;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes the flushes of one writer through their steps, one flush after the other. All is called within the writer's turn.
 *
 * <p>A flush (hflush, hsync, close) fixes how far each column must be, and then goes through these steps:
 *
 * <ol>
 * <li>All bytes up to there are acknowledged.
 * <li>For hsync and close the columns are synced, where their last write did not do that already: {@link FlushSync}.
 * <li>The metafile's shard is told the new length and new columns, or for close everything in one request: {@link FlushRecord}.
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

    /**
     * Begins a flush of all bytes taken so far, behind those under way.
     *
     * @param position bytes taken so far
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

    /** Takes the first flush as far as it can go, then the next one. */
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

    /** All steps of the flush are done. */
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

    /** Takes out all flushes, and adds their futures to the list. */
    void leave(List<CompletableFuture<Void>> all) {
        flushes.forEach(flush -> all.add(flush.done));
        flushes.clear();
    }
}
