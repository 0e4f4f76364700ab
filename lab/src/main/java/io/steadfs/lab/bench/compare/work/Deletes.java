package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/** Deletes empty files one by one. The files of all threads are in one directory. */
final class Deletes implements Work {
    private final WorkDirectory directory;
    private final String prefix;
    private final List<Path> files = new ArrayList<>();

    Deletes(WorkDirectory directory, int thread) {
        this.directory = directory;
        this.prefix = "of-" + thread + "-";
    }

    @Override
    public void prepare(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            Path file = new Path(directory.under("deletes"), prefix + i);
            directory.write(file, new byte[0]);
            files.add(file);
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            long begun = System.nanoTime();
            directory.delete(files.get(i));
            latencies.record(System.nanoTime() - begun);
        }
    }

    @Override
    public void clean() {
        files.clear();
    }
}
