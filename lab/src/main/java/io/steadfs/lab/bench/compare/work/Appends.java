package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The bare fsync: appends {@value #BYTES} bytes to a local file and waits until they are durable, without the file's
 * times ({@code force(false)}). Each round has a new file.
 */
public final class Appends implements Work {
    public static final int BYTES = 4096;

    private final Path file;

    /** @param file path for the file of each round; nothing is there between rounds */
    public Appends(Path file) {
        this.file = file;
    }

    @Override
    public void prepare(int operations) throws IOException {
        Files.createFile(file);
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.APPEND)) {
            for (int i = 0; i < operations; i++) {
                long begun = System.nanoTime();
                bytes.clear();
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(false);
                latencies.record(System.nanoTime() - begun);
            }
        }
    }

    @Override
    public void clean() throws IOException {
        Files.delete(file);
    }
}
