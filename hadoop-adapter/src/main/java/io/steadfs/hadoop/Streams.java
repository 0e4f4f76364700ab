package io.steadfs.hadoop;

import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Makes Hadoop's streams from the client's readers and writers. Remembers the streams that write, so that closing the
 * mount completes their files. Every stream refers to the mount, so the mount stays open while a program uses the
 * stream. Thread-safe.
 */
final class Streams implements AutoCloseable {
    private final Mount mount;
    private final FileSystem.@Nullable Statistics statistics;
    private final Set<SteadOutputStream> writing = ConcurrentHashMap.newKeySet();

    Streams(Mount mount, FileSystem.@Nullable Statistics statistics) {
        this.mount = mount;
        this.statistics = statistics;
    }

    FSDataInputStream reading(AbsolutePath path, FileReader reader) {
        return new FSDataInputStream(
                new SteadInputStream(mount, path, reader, mount.options().joining(), statistics));
    }

    /** Makes a stream that writes. The position of the stream begins at the length of the file, as in HDFS. */
    FSDataOutputStream writing(AbsolutePath path, FileWriter writer) {
        SteadOutputStream stream = new SteadOutputStream(path, writer, this::completed);
        writing.add(stream);
        return new FSDataOutputStream(stream, statistics, writer.position());
    }

    private void completed(SteadOutputStream stream) {
        writing.remove(stream);
    }

    /**
     * Completes the files that are still open for writing. If the thread is interrupted, the remaining files stay
     * incomplete.
     *
     * @throws IOException the first failure; further failures are attached as suppressed exceptions
     */
    @Override
    public void close() throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (SteadOutputStream stream : writing) {
            try {
                stream.close();
            } catch (InterruptedIOException e) {
                failures.add(e);
                break;
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            IOException first = failures.get(0);
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            throw first;
        }
    }
}
