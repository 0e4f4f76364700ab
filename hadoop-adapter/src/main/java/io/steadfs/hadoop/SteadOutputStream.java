package io.steadfs.hadoop;

import io.steadfs.client.write.FileWriter;
import io.steadfs.rpc.Waiter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsAggregator;
import org.apache.hadoop.fs.statistics.IOStatisticsContext;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.jspecify.annotations.Nullable;

/**
 * Writes an open file. The stream is thread-safe, because its {@link FileWriter} is thread-safe. The stream has no
 * buffer of its own. {@link #flush} does nothing. Only {@link #hflush} and {@link #hsync} give a guarantee.
 */
final class SteadOutputStream extends OutputStream implements Syncable, StreamCapabilities, IOStatisticsSource {
    @SuppressWarnings("deprecation") // callers still ask for HFLUSH
    private static final Set<String> CAPABILITIES =
            Set.of(StreamCapabilities.HFLUSH, StreamCapabilities.HSYNC, StreamCapabilities.IOSTATISTICS);

    private static final List<String> COUNTERS = List.of(
            StreamStatisticNames.STREAM_WRITE_BYTES,
            StreamStatisticNames.STREAM_WRITE_EXCEPTIONS,
            StoreStatisticNames.OP_HFLUSH,
            StoreStatisticNames.OP_HSYNC);

    private final AbsolutePath path;
    private final FileWriter writer;
    private final Consumer<SteadOutputStream> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final IOStatisticsAggregator threadStatistics =
            IOStatisticsContext.getCurrentIOStatisticsContext().getAggregator();
    private final StreamCounters statistics = new StreamCounters(COUNTERS);

    SteadOutputStream(AbsolutePath path, FileWriter writer, Consumer<SteadOutputStream> onClose) {
        this.path = path;
        this.writer = writer;
        this.onClose = onClose;
    }

    private void checkOpen() throws IOException {
        if (closed.get()) {
            throw new ClosedChannelException();
        }
    }

    private IOException failed(IOException error) {
        statistics.increment(StreamStatisticNames.STREAM_WRITE_EXCEPTIONS);
        return HadoopErrors.translate(error, path.toString());
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        checkOpen();
        Objects.checkFromIndexSize(offset, length, bytes.length);
        try {
            writer.write(bytes, offset, length);
        } catch (IOException e) {
            throw failed(e);
        }
        statistics.add(StreamStatisticNames.STREAM_WRITE_BYTES, length);
    }

    /** Does nothing, even on a closed stream, as in HDFS. */
    @Override
    public void flush() {}

    @Override
    public void hflush() throws IOException {
        checkOpen();
        statistics.increment(StoreStatisticNames.OP_HFLUSH);
        try {
            writer.hflush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void hsync() throws IOException {
        checkOpen();
        statistics.increment(StoreStatisticNames.OP_HSYNC);
        try {
            writer.hsync();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() throws IOException {
        Waiter.checkMayWait();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            writer.close();
        } catch (IOException e) {
            throw failed(e);
        } finally {
            statistics.addTo(threadStatistics);
            onClose.accept(this);
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
        return "SteadOutputStream{" + path + ", position " + writer.position() + "}";
    }
}
