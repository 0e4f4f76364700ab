package io.steadfs.lab.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small file system in memory for one server, so that a test can fill the server's disk.
 *
 * <p>The file system lives in a mount namespace of its own. The command {@code unshare --user --mount} makes the
 * namespace without privileges, and not every machine allows the command. A process that does nothing else keeps the
 * namespace alive. The server enters the namespace with {@code nsenter}.
 */
final class ServerDisk implements AutoCloseable {
    private static final int PIECE = 1 << 20;

    private final Process holder;
    private final Path mounted;

    private ServerDisk(Process holder, Path mounted) {
        this.holder = holder;
        this.mounted = mounted;
    }

    /**
     * Makes a file system.
     *
     * @param mounted existing directory where processes inside the namespace see the file system
     * @param megabytes size of the file system
     * @throws IOException if this machine does not allow it; the message says why
     */
    static ServerDisk make(Path mounted, int megabytes) throws IOException, InterruptedException {
        Process holder = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=" + megabytes + "m none '" + mounted
                                + "' && echo READY && exec cat > /dev/null")
                .redirectErrorStream(true)
                .start();
        BufferedReader out = holder.inputReader();
        String line = out.readLine();
        if (!"READY".equals(line)) {
            holder.destroyForcibly();
            throw new IOException("no file system of its own for " + mounted + ": "
                    + (line == null ? "unshare ended with " + holder.waitFor() : line));
        }
        return new ServerDisk(holder, mounted);
    }

    /** Returns the words to put before a command that must see this file system. */
    List<String> prefix() {
        return List.of(
                "nsenter",
                "--target",
                Long.toString(holder.pid()),
                "--user",
                "--mount",
                "--preserve-credentials",
                "--");
    }

    /** Returns the path by which this process, outside the namespace, sees the mounted directory. */
    Path seenFromOutside() {
        return Path.of("/proc/" + holder.pid() + "/root" + mounted);
    }

    /** Fills all space that is left. */
    void fill() throws IOException {
        byte[] piece = new byte[PIECE];
        try (OutputStream out = Files.newOutputStream(balloon())) {
            for (int length = PIECE; length >= 512; length /= 2) {
                try {
                    while (true) {
                        out.write(piece, 0, length);
                    }
                } catch (IOException full) {
                    // The disk is full, as wanted. The space that is left may hold a smaller piece.
                }
            }
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(balloon());
    }

    private Path balloon() {
        return seenFromOutside().resolve("balloon");
    }

    /**
     * Copies the contents of this file system into the directory below the mount. The copies remain after the file
     * system is gone.
     */
    void keep() throws IOException, InterruptedException {
        new ProcessBuilder("cp", "-a", seenFromOutside() + "/.", mounted.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor(120, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
