package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.FileReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The windows through which a file is read in order. A reader that jumps gets small windows and no reading ahead; one
 * that goes on where it stopped gets windows that double up to a limit, the next one being fetched while the present one
 * is consumed. Windows end at checksum chunks, so that no chunk is fetched twice. Holds two windows at most. Used by one
 * thread at a time.
 */
final class ReadAhead {
    /** Window after a jump. */
    private static final int FIRST_BYTES = 2 * Chunks.CHUNK_BYTES;

    private final FileReader reader;
    private final boolean random;
    private int largestBytes;
    private int nextBytes = FIRST_BYTES;
    /** The present window followed the one before it. */
    private boolean inOrder;

    private @Nullable Window present;
    private @Nullable Fetch ahead;

    private record Window(long start, ByteBuffer bytes) {
        long end() {
            return start + bytes.limit();
        }

        boolean has(long position) {
            return position >= start && position < end();
        }
    }

    private record Fetch(long start, ByteBuffer target, CompletableFuture<Integer> done) {
        boolean has(long position) {
            return position >= start && position < start + target.limit();
        }
    }

    /** @param random the reader is known to jump: never read ahead */
    ReadAhead(FileReader reader, int largestBytes, boolean random) {
        this.reader = reader;
        this.largestBytes = largestBytes;
        this.random = random;
    }

    /** Changes the limit of a window, from the next one on. */
    void limit(int bytes) {
        largestBytes = Math.max(bytes, Chunks.CHUNK_BYTES);
        nextBytes = Math.min(nextBytes, largestBytes);
    }

    /** Copies bytes that a window holds or, where none does, fetches one. Returns the bytes copied; -1 at the end. */
    int read(long position, ByteBuffer target) throws IOException {
        if (position >= reader.length()) {
            return -1;
        }
        Window window = present;
        if (window == null || !window.has(position)) {
            boolean goesOn = window == null ? position == 0 : position == window.end();
            if (!goesOn && (ahead == null || !ahead.has(position))) {
                nextBytes = FIRST_BYTES;
            }
            if ((random || !goesOn) && ahead == null && target.remaining() >= FIRST_BYTES) {
                return reader.read(position, target);
            }
            inOrder = !random && window != null && goesOn;
            window = next(position);
            present = window;
            if (!window.has(position)) {
                return -1;
            }
        }
        if (inOrder && ahead == null && window.end() < reader.length()) {
            ahead = fetch(window.end());
        }
        ByteBuffer bytes = window.bytes().duplicate().position((int) (position - window.start()));
        int count = Math.min(bytes.remaining(), target.remaining());
        target.put(bytes.limit(bytes.position() + count));
        return count;
    }

    private Window next(long position) throws IOException {
        Fetch fetch = ahead;
        ahead = null;
        if (fetch == null || !fetch.has(position)) {
            fetch = fetch(position);
        }
        return new Window(fetch.start(), fetch.target().duplicate().position(0).limit(await(fetch.done())));
    }

    private Fetch fetch(long position) {
        long end = Math.min(Chunks.floor(position + nextBytes), reader.length());
        ByteBuffer target = ByteBuffer.allocate((int) (Math.max(end, position + 1) - position));
        nextBytes = Math.min(largestBytes, random ? nextBytes : nextBytes * 2);
        // The reader moves the position of what it is given.
        return new Fetch(position, target, reader.readAsync(position, target.duplicate()));
    }

    /** Forgets both windows. */
    void clear() {
        present = null;
        ahead = null;
        inOrder = false;
        nextBytes = FIRST_BYTES;
    }

    private static int await(CompletableFuture<Integer> done) throws IOException {
        try {
            return Math.max(0, done.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException("interrupted while reading").initCause(e);
        } catch (ExecutionException e) {
            throw unwrap(e);
        }
    }

    /** The error of a request that failed beside us. */
    static IOException unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof IOException error ? error : new IOException(cause);
    }
}
