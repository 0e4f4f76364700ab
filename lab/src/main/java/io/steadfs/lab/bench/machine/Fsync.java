package io.steadfs.lab.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Measures how long the storage takes to make 4 KiB durable. */
final class Fsync {
    static final int SAMPLES = 101;

    private static final int BYTES = 4096;

    private Fsync() {}

    /**
     * Appends 4 KiB to a file {@link #SAMPLES} times, with an fdatasync after each append. Returns the median time of
     * an fdatasync in microseconds.
     */
    static long middleMicros(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "fsync-", "");
        long[] nanos = new long[SAMPLES];
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < SAMPLES; i++) {
                out.write(ByteBuffer.allocate(BYTES));
                long begun = System.nanoTime();
                out.force(false);
                nanos[i] = System.nanoTime() - begun;
            }
        } finally {
            Files.delete(file);
        }
        Arrays.sort(nanos);
        return nanos[SAMPLES / 2] / 1000;
    }
}
