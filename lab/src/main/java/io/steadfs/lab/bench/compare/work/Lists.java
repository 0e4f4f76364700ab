package io.steadfs.lab.bench.compare.work;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FileStatus;

/** Lists a directory of {@link WorkDirectory#LISTED} files with their attributes. */
final class Lists implements Work {
    private final WorkDirectory directory;

    Lists(WorkDirectory directory) {
        this.directory = directory;
    }

    @Override
    public void run(int operations) throws IOException {
        for (int i = 0; i < operations; i++) {
            FileStatus[] entries = directory.fileSystem().listStatus(directory.listed());
            // Who lists wants the paths, which some file systems make no earlier than when they are asked for.
            long named = Arrays.stream(entries)
                    .filter(entry -> entry.isFile() && entry.getPath().toUri().isAbsolute())
                    .count();
            if (named != WorkDirectory.LISTED) {
                throw new IOException(
                        directory.listed() + " has " + entries.length + " entries, not " + WorkDirectory.LISTED);
            }
        }
    }
}
