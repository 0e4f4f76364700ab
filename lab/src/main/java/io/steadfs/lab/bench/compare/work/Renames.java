package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Renames files within the directory of each thread. Each file gets a new name, and later the old name again. */
final class Renames implements Work {
    private static final int FILES = 50;

    private final WorkDirectory work;
    private final Path directory;
    private final Path[] here = new Path[FILES];
    private final Path[] there = new Path[FILES];
    private long done;

    Renames(WorkDirectory work) {
        this.work = work;
        this.directory = work.own("renames");
        for (int i = 0; i < FILES; i++) {
            here[i] = new Path(directory, i + "-a");
            there[i] = new Path(directory, i + "-b");
        }
    }

    @Override
    public void prepare(int operations) throws IOException {
        if (done == 0) {
            for (Path file : here) {
                work.write(file, new byte[0]);
            }
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            int file = (int) (done % FILES);
            boolean back = done / FILES % 2 == 1;
            Path source = back ? there[file] : here[file];
            Path target = back ? here[file] : there[file];
            long begun = System.nanoTime();
            if (!work.fileSystem().rename(source, target)) {
                throw new IOException("rename of " + source + " to " + target + " was refused");
            }
            latencies.record(System.nanoTime() - begun);
            done++;
        }
    }
}
