package io.steadfs.cli.bench.compare.work;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Deletes empty files, one by one, of a directory in which all threads have theirs. */
final class Deletes implements Work {
    private final Ground ground;
    private final String prefix;

    Deletes(Ground ground, int thread) {
        this.ground = ground;
        this.prefix = "of-" + thread + "-";
    }

    private Path file(int number) {
        return new Path(ground.under("deletes"), prefix + number);
    }

    @Override
    public void prepare(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            ground.write(file(i), new byte[0]);
        }
    }

    @Override
    public void run(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            ground.delete(file(i));
        }
    }
}
