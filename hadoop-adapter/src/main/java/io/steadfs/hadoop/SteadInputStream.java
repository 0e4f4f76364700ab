package io.steadfs.hadoop;

import io.steadfs.client.read.FileReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.VectoredReadUtils;
import org.apache.hadoop.fs.impl.CombinedFileRange;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsAggregator;
import org.apache.hadoop.fs.statistics.IOStatisticsContext;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.jspecify.annotations.Nullable;

/**
 * Reads an open file. A read at the stream's own position takes the stream's lock and goes through {@link
 * StreamBuffer}. A positioned or vectored read bypasses {@link StreamBuffer}. Positioned and vectored reads share no
 * state, so several of these reads may run at the same time.
 */
final class SteadInputStream extends FSInputStream
        implements ByteBufferReadable,
                ByteBufferPositionedReadable,
                CanUnbuffer,
                StreamCapabilities,
                IOStatisticsSource {
    private static final Set<String> CAPABILITIES = Set.of(
            StreamCapabilities.UNBUFFER,
            StreamCapabilities.READBYTEBUFFER,
            StreamCapabilities.PREADBYTEBUFFER,
            StreamCapabilities.VECTOREDIO,
            StreamCapabilities.IOSTATISTICS);

    private static final List<String> COUNTERS = List.of(
            StreamStatisticNames.STREAM_READ_BYTES,
            StreamStatisticNames.STREAM_READ_OPERATIONS,
            StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS,
            StreamStatisticNames.STREAM_READ_EXCEPTIONS,
            StreamStatisticNames.STREAM_READ_UNBUFFERED,
            StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS,
            StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES,
            StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES);

    /**
     * Limits for joining ranges of a vectored read.
     *
     * @param minSeekBytes ranges are joined if the gap between the ranges is smaller; in bytes
     * @param maxSizeBytes largest size of a joined range in bytes; 0 = no ranges are joined
     */
    record Joining(int minSeekBytes, int maxSizeBytes) {}

    /** A reference to the mount. The reference keeps the client open while a program uses the stream. */
    @SuppressWarnings({"unused", "FieldCanBeLocal"})
    private final Object owner;

    private final AbsolutePath path;
    private final FileReader reader;
    private final StreamBuffer buffer;
    private final Joining joining;
    private final FileSystem.@Nullable Statistics total;
    private final IOStatisticsAggregator threadStatistics;
    private final StreamCounters statistics = new StreamCounters(COUNTERS);

    private long position;
    private volatile boolean closed;

    SteadInputStream(
            Object owner,
            AbsolutePath path,
            FileReader reader,
            Joining joining,
            FileSystem.@Nullable Statistics total) {
        this.owner = owner;
        this.path = path;
        this.reader = reader;
        this.buffer = new StreamBuffer(reader);
        this.joining = joining;
        this.total = total;
        this.threadStatistics =
                IOStatisticsContext.getCurrentIOStatisticsContext().getAggregator();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(path + ": " + FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    private void countBytes(int bytes) {
        if (bytes > 0) {
            statistics.add(StreamStatisticNames.STREAM_READ_BYTES, bytes);
            if (total != null) {
                total.incrementBytesRead(bytes);
            }
        }
    }

    private IOException failed(IOException error) {
        statistics.increment(StreamStatisticNames.STREAM_READ_EXCEPTIONS);
        return HadoopErrors.translate(error, path.toString());
    }

    @Override
    public synchronized int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) throws IOException {
        checkOpen();
        Objects.checkFromIndexSize(offset, length, target.length);
        return read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        checkOpen();
        statistics.increment(StreamStatisticNames.STREAM_READ_OPERATIONS);
        if (!target.hasRemaining()) {
            return 0;
        }
        int sum = 0;
        try {
            while (target.hasRemaining()) {
                int count = buffer.read(position, target);
                if (count < 0) {
                    break;
                }
                position += count;
                sum += count;
            }
        } catch (IOException e) {
            throw failed(e);
        }
        countBytes(sum);
        return sum == 0 ? -1 : sum;
    }

    @Override
    public int read(long at, byte[] target, int offset, int length) throws IOException {
        checkOpen();
        validatePositionedReadArgs(at, target, offset, length);
        return length == 0 ? 0 : read(at, ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int read(long at, ByteBuffer target) throws IOException {
        checkOpen();
        if (at < 0) {
            throw new EOFException(path + ": position " + at + " is negative");
        }
        statistics.increment(StreamStatisticNames.STREAM_READ_OPERATIONS);
        if (!target.hasRemaining()) {
            return 0;
        }
        try {
            int count = reader.read(at, target);
            countBytes(count);
            return count;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void readFully(long at, byte[] target, int offset, int length) throws IOException {
        checkOpen();
        validatePositionedReadArgs(at, target, offset, length);
        readFully(at, ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public void readFully(long at, ByteBuffer target) throws IOException {
        long next = at;
        while (target.hasRemaining()) {
            int count = read(next, target);
            if (count < 0) {
                throw new EOFException(path + ": " + FSExceptionMessages.EOF_IN_READ_FULLY);
            }
            next += count;
        }
    }

    @Override
    public int minSeekForVectorReads() {
        return joining.minSeekBytes();
    }

    @Override
    public int maxReadSizeForVectorReads() {
        return joining.maxSizeBytes();
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) throws IOException {
        readVectored(ranges, allocate, buffer -> {});
    }

    /**
     * Sends requests for all ranges, and returns without waiting for the bytes. Ranges that are near to each other are
     * read as one range. Hadoop calls this method from version 3.4.2 on. A future may complete on a thread that reads
     * from this stream or another one. So what is done then must not use a stream: it could wait for ever for a stream's
     * lock, or move a stream in the middle of a read.
     *
     * @param release takes back a buffer after its read failed
     */
    public void readVectored(
            List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release)
            throws IOException {
        checkOpen();
        Objects.requireNonNull(allocate, "allocate");
        Objects.requireNonNull(release, "release");
        List<? extends FileRange> sorted =
                VectoredReadUtils.validateAndSortRanges(ranges, Optional.of(reader.length()));
        List<CombinedFileRange> joined =
                VectoredReadUtils.mergeSortedRanges(sorted, 1, minSeekForVectorReads(), maxReadSizeForVectorReads());
        statistics.increment(StreamStatisticNames.STREAM_READ_VECTORED_OPERATIONS);
        statistics.add(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES, ranges.size());
        statistics.add(StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES, joined.size());
        for (CombinedFileRange range : joined) {
            if (range.getUnderlying().size() == 1) {
                FileRange only = range.getUnderlying().get(0);
                only.setData(readRange(only, allocate, release));
            } else {
                readJoined(range, allocate, release);
            }
        }
    }

    private CompletableFuture<ByteBuffer> readRange(
            FileRange range, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release) {
        ByteBuffer buffer = allocateFor(range, allocate);
        return orRelease(fill(range, buffer.duplicate()).thenApply(unused -> buffer), buffer, release);
    }

    /**
     * Reads joined ranges into one temporary buffer, and copies each range into a buffer of its own. The receiver of a
     * buffer may return the buffer to a pool. A pool cannot take back a view of a larger buffer.
     */
    private void readJoined(CombinedFileRange whole, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release) {
        ByteBuffer joined = ByteBuffer.allocate(whole.getLength());
        CompletableFuture<?> filled = fill(whole, joined.duplicate());
        for (FileRange part : whole.getUnderlying()) {
            ByteBuffer buffer = allocateFor(part, allocate);
            int from = (int) (part.getOffset() - whole.getOffset());
            CompletableFuture<ByteBuffer> copied = filled.thenApply(unused -> {
                buffer.duplicate().put(joined.duplicate().position(from).limit(from + part.getLength()));
                return buffer;
            });
            part.setData(orRelease(copied, buffer, release));
        }
    }

    /**
     * Allocates a buffer, and limits the buffer to the length of the range. A pool may return a larger buffer than
     * requested.
     */
    private static ByteBuffer allocateFor(FileRange range, IntFunction<ByteBuffer> allocate) {
        ByteBuffer buffer = allocate.apply(range.getLength());
        buffer.limit(buffer.position() + range.getLength());
        return buffer;
    }

    private static CompletableFuture<ByteBuffer> orRelease(
            CompletableFuture<ByteBuffer> result, ByteBuffer buffer, Consumer<ByteBuffer> release) {
        return result.whenComplete((unused, failure) -> {
            if (failure != null) {
                release.accept(buffer);
            }
        });
    }

    /**
     * Reads a range into the target. The future completes with the length of the range after all bytes have arrived.
     */
    private CompletableFuture<Integer> fill(FileRange range, ByteBuffer target) {
        if (range.getLength() == 0) {
            return CompletableFuture.completedFuture(0);
        }
        return reader.readAsync(range.getOffset(), target).handle((count, failure) -> {
            if (failure != null) {
                throw new CompletionException(failed(unwrap(failure)));
            }
            if (count != range.getLength()) {
                throw new CompletionException(new EOFException(path + ": " + count + " bytes of range " + range));
            }
            countBytes(count);
            return count;
        });
    }

    private static IOException unwrap(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof IOException error ? error : new IOException(cause);
    }

    @Override
    public synchronized void seek(long target) throws IOException {
        checkOpen();
        if (target < 0) {
            throw new EOFException(path + ": " + FSExceptionMessages.NEGATIVE_SEEK + " " + target);
        }
        if (target > reader.length()) {
            throw new EOFException(path + ": " + FSExceptionMessages.CANNOT_SEEK_PAST_EOF + " " + target);
        }
        if (target != position) {
            statistics.increment(StreamStatisticNames.STREAM_READ_SEEK_OPERATIONS);
            position = target;
        }
    }

    @Override
    public synchronized long skip(long count) throws IOException {
        checkOpen();
        long skipped = Math.max(0, Math.min(count, reader.length() - position));
        position += skipped;
        return skipped;
    }

    @Override
    public synchronized long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public synchronized int available() throws IOException {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, reader.length() - position);
    }

    @Override
    public synchronized void unbuffer() {
        if (!closed) {
            buffer.clear();
            reader.unbuffer();
            statistics.increment(StreamStatisticNames.STREAM_READ_UNBUFFERED);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            buffer.clear();
            reader.close();
            statistics.addTo(threadStatistics);
        }
    }

    @Override
    public boolean hasCapability(@Nullable String capability) {
        return capability != null && CAPABILITIES.contains(capability.toLowerCase(Locale.ROOT));
    }

    @Override
    public IOStatistics getIOStatistics() {
        return statistics.view();
    }

    @Override
    public String toString() {
        return "SteadInputStream{" + path + ", length " + reader.length() + ", position " + getPos() + "}";
    }
}
