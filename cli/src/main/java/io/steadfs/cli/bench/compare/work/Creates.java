package io.steadfs.cli.bench.compare.work;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Creates files that are not there, writes the bytes and closes them; all threads in one directory, or each in its own. */
final class Creates implements Work {
    private final Ground ground;
    private final Path directory;
    private final String prefix;
    private final byte[] bytes;
    private int made;

    Creates(Ground ground, int thread, boolean shared, byte[] bytes) {
        this.ground = ground;
        this.directory = ground.under("creates-" + bytes.length + (shared ? "-shared" : "-of-" + thread));
        this.prefix = "of-" + thread + "-";
        this.bytes = bytes;
    }

    @Override
    public void prepare(int operations) throws IOException {
        ground.fileSystem().mkdirs(directory);
    }

    @Override
    public void run(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            ground.write(new Path(directory, prefix + made), bytes);
            made++;
        }
    }

    @Override
    public void clean() throws IOException {
        while (made > 0) {
            made--;
            ground.delete(new Path(directory, prefix + made));
        }
    }
}
