package io.steadfs.lab.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small file system in memory for one server, so that its disk can be filled. It lives in a mount namespace of its
 * own, made without privileges ({@code unshare --user --mount}) and held by a process that does nothing else; the server
 * enters it with {@code nsenter}. Not every machine allows that.
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
     * Makes one.
     *
     * @param mounted existing directory where processes within see it
     * @throws IOException saying why this machine does not allow it
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

    /** To put before a command that is to see this file system. */
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

    /** The directory as this process sees it. */
    Path seenFromOutside() {
        return Path.of("/proc/" + holder.pid() + "/root" + mounted);
    }

    /** Takes all space that is left. */
    void fill() throws IOException {
        byte[] piece = new byte[PIECE];
        try (OutputStream out = Files.newOutputStream(balloon())) {
            for (int length = PIECE; length >= 512; length /= 2) {
                try {
                    while (true) {
                        out.write(piece, 0, length);
                    }
                } catch (IOException full) {
                    // As wanted; what is left may hold a smaller piece.
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

    /** Copies what is on it into the directory that it covers, to be looked at when it is gone. */
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
