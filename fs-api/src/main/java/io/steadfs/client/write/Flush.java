package io.steadfs.client.write;

import java.util.concurrent.CompletableFuture;

/** One hflush, hsync or close on its way: how far each column must be, and which steps are done. Changed within the writer's turn. */
final class Flush {
    enum Mode {
        FLUSH,
        SYNC,
        CLOSE
    }

    final Mode mode;
    /** Bytes of the file that it covers. */
    final long position;
    /** Bytes of each column that it covers, by the column's index. */
    final long[] targets;

    final CompletableFuture<Void> done = new CompletableFuture<>();
    int syncsUnderWay;
    /** The columns were asked to sync, or need no SYNC. */
    boolean synced;
    /** The metafile's shard is being told. */
    boolean recording;

    Flush(Mode mode, long position, long[] targets, boolean sync) {
        this.mode = mode;
        this.position = position;
        this.targets = targets;
        this.synced = !sync;
    }
}
