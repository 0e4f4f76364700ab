package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Tells a full disk from a broken one by the operating system's message, because neither Java nor RocksDB tells them apart otherwise. */
public final class DiskFailure {
    private DiskFailure() {}

    /**
     * An exception that names the path. It is a {@link NoSpaceException} if the disk is full. For a missing file it is the cause itself.
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

    /** Whether a failure, or one of its causes, is a full disk. */
    public static boolean isNoSpace(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NoSpaceException || isNoSpace(String.valueOf(each.getMessage()))) {
                return true;
            }
        }
        return false;
    }
}
