package io.steadfs.cli.bench.compare.work;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;

/** Writes one file, an operation for each MiB, and closes it. */
final class StreamWrites implements Work {
    private final Ground ground;
    private final Path file;

    StreamWrites(Ground ground, int thread) {
        this.ground = ground;
        this.file = ground.under("stream-written-" + thread);
    }

    @Override
    public void prepare(int operations) throws IOException {
        ground.fileSystem().mkdirs(file.getParent());
    }

    @Override
    public void run(int operations) throws IOException {
        write(ground, file, operations);
    }

    static void write(Ground ground, Path file, int mebibytes) throws IOException {
        byte[] piece = StreamBytes.piece();
        try (FSDataOutputStream out = ground.fileSystem().create(file, false)) {
            for (int i = 0; i < mebibytes; i++) {
                StreamBytes.number(piece, i);
                out.write(piece);
            }
        }
    }

    @Override
    public void clean() throws IOException {
        ground.delete(file);
    }
}
