package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * Opens one file, reads the file to its end, and closes the file. Each MiB counts as one operation. All rounds read the
 * same file.
 */
final class StreamReads implements Work {
    private final WorkDirectory directory;
    private final Path file;
    private boolean made;

    StreamReads(WorkDirectory directory) {
        this.directory = directory;
        this.file = directory.own("stream-read");
    }

    @Override
    public void prepare(int operations) throws IOException {
        if (!made) {
            StreamWrites.write(directory, file, operations);
            made = true;
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        byte[] piece = new byte[StreamBytes.PIECE];
        long begun = System.nanoTime();
        try (FSDataInputStream in = directory.fileSystem().open(file)) {
            for (int i = 0; i < operations; i++) {
                in.readFully(piece);
                StreamBytes.check(piece, i, file.toString());
            }
            if (in.read() >= 0) {
                throw new IOException(file + " has more bytes than were written");
            }
        }
        latencies.record(System.nanoTime() - begun);
    }
}
