package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Opens small files in random order, reads all bytes of each file, and closes the file. */
final class SmallReads implements Work {
    private final WorkDirectory directory;
    private final Random random;
    private final byte[] wanted;
    private final byte[] read = new byte[WorkDirectory.SMALL_BYTES];

    SmallReads(WorkDirectory directory, int thread) {
        this.directory = directory;
        this.random = new Random(thread);
        this.wanted = directory.content();
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            Path path = directory.small(random.nextInt(WorkDirectory.SMALL_FILES));
            long begun = System.nanoTime();
            try (FSDataInputStream in = directory.fileSystem().open(path)) {
                in.readFully(read);
            }
            latencies.record(System.nanoTime() - begun);
            if (!Arrays.equals(read, wanted)) {
                throw new IOException(path + " has other bytes than were written");
            }
        }
    }
}
