package io.steadfs.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that are written anew for each input: in memory where the machine has a file system there, since one on a disk may
 * write back each file that is replaced.
 */
public final class Scratch {
    private static final Path MEMORY = Path.of("/dev/shm");

    private Scratch() {}

    /** An empty directory; whoever asks for it deletes it. */
    public static Path directory(String prefix) throws IOException {
        return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, prefix)
                : Files.createTempDirectory(prefix);
    }
}
