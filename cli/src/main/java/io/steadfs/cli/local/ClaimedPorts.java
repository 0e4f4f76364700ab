package io.steadfs.cli.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Ports that this process has for itself among all processes of its user that ask here, until it ends. Each is a lock on one
 * byte of a file in Java's folder for temporary files: the byte whose offset is the port. The file stays empty, and stays.
 */
final class ClaimedPorts {
    /** Never closed: the system takes all locks of a process from it when it closes the file once. */
    private static Optional<FileChannel> opened = Optional.empty();

    private ClaimedPorts() {}

    /** Whether nobody had it; then this process has it now. */
    static synchronized boolean claim(int port) throws IOException {
        if (opened.isEmpty()) {
            opened = Optional.of(FileChannel.open(file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        }
        try {
            return opened.get().tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static Path file() {
        return Path.of(System.getProperty("java.io.tmpdir"), "stead-ports-" + System.getProperty("user.name"));
    }
}
