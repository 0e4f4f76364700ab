package io.steadfs.client.write;

import java.util.concurrent.CompletableFuture;

/**
 * Is the state of one hflush, hsync or close. The state says how many bytes each column must have, and which steps are
 * done. Only the thread with the writer's turn changes the state.
 */
final class Flush {
    enum Mode {
        FLUSH,
        SYNC,
        CLOSE
    }

    final Mode mode;
    /** Number of bytes of the file that the flush covers. */
    final long position;
    /** Number of bytes of each column that the flush covers, by the column's index. */
    final long[] targets;

    final CompletableFuture<Void> done = new CompletableFuture<>();
    int syncsUnderWay;
    /** Whether all needed SYNC requests were sent. True from the beginning if the flush needs no sync. */
    boolean synced;
    /** Whether a request to the metafile's shard is on its way. */
    boolean recording;

    Flush(Mode mode, long position, long[] targets, boolean sync) {
        this.mode = mode;
        this.position = position;
        this.targets = targets;
        this.synced = !sync;
    }
}
