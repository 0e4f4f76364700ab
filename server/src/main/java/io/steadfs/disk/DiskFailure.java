package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Java and RocksDB tell a full disk from a broken one by nothing but the system's words. */
public final class DiskFailure {
    private DiskFailure() {}

    /** Names the path, and is a {@link NoSpaceException} where the disk is full; of a missing file, the cause itself. */
    public static IOException of(IOException cause, Path path) {
        String text = String.valueOf(cause.getMessage());
        if (isNoSpace(text)) {
            return new NoSpaceException("no space left for " + path, cause);
        }
        return cause instanceof NoSuchFileException ? cause : new IOException(path + ": " + text, cause);
    }

    /** Whether the system's words say that the disk is full or a quota used up. */
    public static boolean isNoSpace(String text) {
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }

    /** Whether a failure, or one that led to it, is that of a full disk. */
    public static boolean isNoSpace(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof NoSpaceException || isNoSpace(String.valueOf(each.getMessage()))) {
                return true;
            }
        }
        return false;
    }
}
