package io.steadfs.client.read;

import io.steadfs.client.call.Awaited;
import io.steadfs.client.call.Traces;
import io.steadfs.client.call.Waiting;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Waiter;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the calls of a {@link StripedReader} blocking. The waiting thread copies the bytes into the caller's buffer. A short
 * read that fetches nothing ahead may run the client's event loop while it waits, see {@link Waiter}. So whoever reads
 * must hold no lock that is needed to complete other futures of the client.
 */
public final class BlockingReader implements FileReader {
    private final StripedReader reader;
    private final Object subject;
    private volatile boolean closed;

    /** What a read waits for. */
    private record ReadAt(Object subject, long position) {
        @Override
        public String toString() {
            return subject + ": read at " + position;
        }
    }

    /** @param subject the file; an object whose text names it in messages */
    public BlockingReader(StripedReader reader, Object subject) {
        this.reader = reader;
        this.subject = subject;
    }

    @Override
    public FileInfo info() {
        return reader.info();
    }

    @Override
    public long length() {
        return reader.length();
    }

    @Override
    public int read(long position, ByteBuffer target) throws FsException {
        if (position < 0 || position >= reader.length() || !target.hasRemaining()) {
            return Waiting.on(readAsync(position, target), new Awaited(subject, "read"));
        }
        int done = 0;
        while (target.hasRemaining() && position + done < reader.length()) {
            checkOpen();
            done += readOnce(position + done, target);
        }
        return done;
    }

    private int readOnce(long position, ByteBuffer target) throws FsException {
        try (Waiter waiter = reader.isShort(position, target.remaining()) ? Waiter.beginIfAllowed() : null) {
            StripedReader.Reading reading = reader.begin(position, target.remaining());
            try {
                Waiting.on(waiter, reading.ready(), new ReadAt(subject, position), Traces.WANTED);
                return reading.copyTo(target);
            } finally {
                reading.release();
            }
        }
    }

    @Override
    public CompletableFuture<Integer> readAsync(long position, ByteBuffer target) {
        if (closed) {
            return CompletableFuture.failedFuture(closedError());
        }
        return reader.read(position, target);
    }

    private void checkOpen() throws FsException {
        if (closed) {
            throw closedError();
        }
    }

    private FsException closedError() {
        return new FsException(FsError.INVALID_ARGUMENT, "reader of " + subject + " is closed");
    }

    @Override
    public int compositeCrc() throws FsException {
        checkOpen();
        return Waiting.on(reader.compositeCrc(), new Awaited(subject, "checksum"));
    }

    @Override
    public void unbuffer() {
        reader.unbuffer();
    }

    @Override
    public void close() {
        closed = true;
        reader.unbuffer();
    }
}
