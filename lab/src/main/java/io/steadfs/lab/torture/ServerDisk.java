package io.steadfs.lab.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small file system in memory for one server, so that the server's disk can be filled. The file system is in a
 * separate mount namespace. The command {@code unshare --user --mount} makes the namespace without privileges. A
 * process that does nothing else keeps the namespace. The server enters the namespace by {@code nsenter}. Some machines
 * do not allow such namespaces.
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
     * @param mounted existing directory at which processes in the namespace see the file system
     * @throws IOException if this machine does not allow the namespace; the message says why
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

    /** The beginning of a command that must see this file system. */
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

    /** Path of the file system for processes outside of the namespace. */
    Path seenFromOutside() {
        return Path.of("/proc/" + holder.pid() + "/root" + mounted);
    }

    /** Fills all free space. */
    void fill() throws IOException {
        byte[] piece = new byte[PIECE];
        try (OutputStream out = Files.newOutputStream(balloon())) {
            for (int length = PIECE; length >= 512; length /= 2) {
                try {
                    while (true) {
                        out.write(piece, 0, length);
                    }
                } catch (IOException full) {
                    // The disk is full for a piece of this length, but a smaller piece may still fit.
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
     * Copies the files to the directory below the mount, so that people can look at the files after the end of the file
     * system.
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
