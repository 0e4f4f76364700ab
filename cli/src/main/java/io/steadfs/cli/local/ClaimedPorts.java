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
 * Claims ports for this process until the process ends. Two processes of the same user never claim the same port
 * through this class. A claim is a lock on one byte of a file. The offset of the byte is the port. The file lies in
 * Java's folder for temporary files. The file stays empty, and nobody ever deletes the file.
 */
final class ClaimedPorts {
    /**
     * This file is never closed. If a process closes a file, the operating system drops all locks of the process on
     * this file.
     */
    private static Optional<FileChannel> opened = Optional.empty();

    private static final Map<Integer, FileLock> CLAIMED = new HashMap<>();

    private ClaimedPorts() {}

    /** Claims the port for this process. Returns false if the port is already claimed. */
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

    /** Releases the port, so that other processes can claim it. */
    static synchronized void release(int port) throws IOException {
        FileLock lock = CLAIMED.remove(port);
        if (lock != null) {
            lock.release();
        }
    }
}
