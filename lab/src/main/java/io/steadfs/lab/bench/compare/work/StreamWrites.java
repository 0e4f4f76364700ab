package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;

/** Writes one file and closes the file. Each MiB counts as one operation. */
final class StreamWrites implements Work {
    private final WorkDirectory directory;
    private final Path file;

    StreamWrites(WorkDirectory directory, int thread) {
        this.directory = directory;
        this.file = directory.under("stream-written-" + thread);
    }

    @Override
    public void prepare(int operations) throws IOException {
        directory.fileSystem().mkdirs(file.getParent());
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        long begun = System.nanoTime();
        write(directory, file, operations);
        latencies.record(System.nanoTime() - begun);
    }

    static void write(WorkDirectory directory, Path file, int mebibytes) throws IOException {
        byte[] piece = StreamBytes.piece();
        try (FSDataOutputStream out = directory.fileSystem().create(file, false)) {
            for (int i = 0; i < mebibytes; i++) {
                StreamBytes.number(piece, i);
                out.write(piece);
            }
        }
    }

    @Override
    public void clean() throws IOException {
        directory.delete(file);
    }
}
