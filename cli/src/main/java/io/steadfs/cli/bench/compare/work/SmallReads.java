package io.steadfs.cli.bench.compare.work;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Opens random small files, reads all of each and closes it. */
final class SmallReads implements Work {
    private final Ground ground;
    private final Random random;
    private final byte[] wanted;
    private final byte[] read = new byte[Ground.SMALL_BYTES];

    SmallReads(Ground ground, int thread) {
        this.ground = ground;
        this.random = new Random(thread);
        this.wanted = ground.content();
    }

    @Override
    public void run(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            Path path = ground.small(random.nextInt(Ground.SMALL_FILES));
            try (FSDataInputStream in = ground.fileSystem().open(path)) {
                in.readFully(read);
            }
            if (!Arrays.equals(read, wanted)) {
                throw new IOException(path + " has other bytes than were written");
            }
        }
    }
}
