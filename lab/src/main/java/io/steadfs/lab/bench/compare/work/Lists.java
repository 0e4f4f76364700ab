package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FileStatus;

/** Lists a directory of {@link WorkDirectory#LISTED} files, together with the files' attributes. */
final class Lists implements Work {
    private final WorkDirectory directory;

    Lists(WorkDirectory directory) {
        this.directory = directory;
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        for (int i = 0; i < operations; i++) {
            long begun = System.nanoTime();
            FileStatus[] entries = directory.fileSystem().listStatus(directory.listed());
            // Programs that list a directory use the paths of its files. Some file systems build a path only when a
            // program asks for the path, so the benchmark asks for each path.
            long named = Arrays.stream(entries)
                    .filter(entry -> entry.isFile() && entry.getPath().toUri().isAbsolute())
                    .count();
            if (named != WorkDirectory.LISTED) {
                throw new IOException(
                        directory.listed() + " has " + entries.length + " entries, not " + WorkDirectory.LISTED);
            }
            latencies.record(System.nanoTime() - begun);
        }
    }
}
