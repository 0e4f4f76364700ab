package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Asks for the attributes of random names in a directory. Either all names exist, or none of the names exists. */
final class Stats implements Work {
    private final WorkDirectory directory;
    private final boolean there;
    private final Random random;

    Stats(WorkDirectory directory, int thread, boolean there) {
        this.directory = directory;
        this.there = there;
        this.random = new Random(thread);
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        FileSystem fileSystem = directory.fileSystem();
        for (int i = 0; i < operations; i++) {
            int number = random.nextInt(WorkDirectory.LISTED);
            Path path = directory.listed(there ? number : WorkDirectory.LISTED + number);
            long begun = System.nanoTime();
            try {
                boolean file = fileSystem.getFileStatus(path).isFile();
                if (!there || !file) {
                    throw new IOException(
                            path + " is " + (file ? "a file" : "a directory") + ", which it should not be");
                }
            } catch (FileNotFoundException e) {
                if (there) {
                    throw e;
                }
            }
            latencies.record(System.nanoTime() - begun);
        }
    }
}
