package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Distinguishes a full disk from a broken disk by the operating system's message. Neither Java nor RocksDB reports a
 * full disk in another way.
 */
public final class DiskFailure {
    private DiskFailure() {}

    /**
     * Converts a failure into an exception that names the path. If the disk is full, the result is a
     * {@link NoSpaceException}. If the file is missing, the result is the cause itself.
     */
    public static IOException of(IOException cause, Path path) {
        String text = String.valueOf(cause.getMessage());
        if (isNoSpace(text)) {
            return new NoSpaceException("no space left for " + path, cause);
        }
        return cause instanceof NoSuchFileException ? cause : new IOException(path + ": " + text, cause);
    }

    /** Whether the operating system's message says that the disk is full or a quota is used up. */
    public static boolean isNoSpace(String text) {
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }

    /** Whether the failure or one of its causes says that the disk is full or a quota is used up. */
    public static boolean isNoSpace(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NoSpaceException || isNoSpace(String.valueOf(each.getMessage()))) {
                return true;
            }
        }
        return false;
    }
}
