package io.steadfs.cli.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Ports that this process has claimed until it ends. Processes of the same user that use this class do not get the same port. A claim is a
 * lock on one byte of a file in Java's folder for temporary files: the byte whose offset is the port. The file stays empty, and is never
 * deleted.
 */
final class ClaimedPorts {
    /** Never closed: when a process closes the file once, the system drops all its locks. */
    private static Optional<FileChannel> opened = Optional.empty();

    private static final Map<Integer, FileLock> CLAIMED = new HashMap<>();

    private ClaimedPorts() {}

    /** Claims the port for this process. Returns false if another process has it. */
    static synchronized boolean claim(int port) throws IOException {
        if (CLAIMED.containsKey(port)) {
            return false;
        }
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "stead-ports-" + System.getProperty("user.name"));
        try {
            if (opened.isEmpty()) {
                opened = Optional.of(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            }
            Optional<FileLock> lock = Optional.ofNullable(opened.get().tryLock(port, 1, false));
            lock.ifPresent(held -> CLAIMED.put(port, held));
            return lock.isPresent();
        } catch (IOException e) {
            throw new IOException("cannot claim port " + port + " in " + file + ": " + e, e);
        }
    }

    /** Releases the port for other processes. */
    static synchronized void release(int port) throws IOException {
        FileLock lock = CLAIMED.remove(port);
        if (lock != null) {
            lock.release();
        }
    }
}
