package io.steadfs.ioserver.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Java tells a full disk from a broken one by nothing but the system's words. */
final class DiskFailure {
    private DiskFailure() {}

    static IOException of(IOException cause, Path path) {
        String text = String.valueOf(cause.getMessage());
        if (text.contains("No space left on device") || text.contains("Disk quota exceeded")) {
            return new NoSpaceException("no space left for " + path, cause);
        }
        return cause instanceof NoSuchFileException ? cause : new IOException(path + ": " + text, cause);
    }
}
