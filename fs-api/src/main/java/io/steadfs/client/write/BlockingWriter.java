package io.steadfs.client.write;

import io.steadfs.client.call.Awaited;
import io.steadfs.client.call.Traces;
import io.steadfs.client.call.Waiting;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Waiter;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes the calls of a {@link StripedWriter} blocking. If several threads write at once, each write is appended as a
 * whole.
 */
public final class BlockingWriter implements FileWriter {
    private final StripedWriter writer;
    private final Object subject;
    private final Object writing = new Object();
    private final AtomicBoolean closed = new AtomicBoolean();

    public BlockingWriter(StripedWriter writer) {
        this.writer = writer;
        this.subject = writer.operation().about();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws FsException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        synchronized (writing) {
            int done = append(bytes, offset, length);
            while (done < length) {
                Waiting.on(writer.room(), new Awaited(subject, "write"));
                done += append(bytes, offset + done, length - done);
            }
        }
    }

    private int append(byte[] bytes, int offset, int length) throws FsException {
        try {
            return writer.append(bytes, offset, length);
        } catch (FsException e) {
            throw Waiting.again(e);
        }
    }

    @Override
    public long position() {
        return writer.position();
    }

    @Override
    public void hflush() throws FsException {
        Waiting.on(writer.hflush(), new Awaited(subject, "hflush"));
    }

    @Override
    public void hsync() throws FsException {
        Waiting.on(writer.hsync(), new Awaited(subject, "hsync"));
    }

    @Override
    public void close() throws FsException {
        Waiter.checkMayWait();
        if (closed.compareAndSet(false, true)) {
            Waiting.on(writer::close, new Awaited(subject, "close"), Traces.WANTED);
        }
    }
}
