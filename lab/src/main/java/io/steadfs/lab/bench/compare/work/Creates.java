package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * Creates new files, writes bytes to the files, and closes the files. Either all threads use one directory, or each
 * thread uses a directory of its own.
 */
final class Creates implements Work {
    private final WorkDirectory work;
    private final Path directory;
    private final String prefix;
    private final byte[] bytes;
    private final List<Path> files = new ArrayList<>();

    Creates(WorkDirectory work, int thread, boolean shared, byte[] bytes) {
        this.work = work;
        this.directory = work.under("creates-" + bytes.length + (shared ? "-shared" : "-of-" + thread));
        this.prefix = "of-" + thread + "-";
        this.bytes = bytes;
    }

    @Override
    public void prepare(int operations) throws IOException {
        work.fileSystem().mkdirs(directory);
        for (int i = 0; i < operations; i++) {
            files.add(new Path(directory, prefix + i));
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            long begun = System.nanoTime();
            work.write(files.get(i), bytes);
            latencies.record(System.nanoTime() - begun);
        }
    }

    @Override
    public void clean() throws IOException {
        for (Path file : files) {
            work.delete(file);
        }
        files.clear();
    }
}
