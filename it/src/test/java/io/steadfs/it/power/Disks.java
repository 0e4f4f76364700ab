package io.steadfs.it.power;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Disks that lose their power on demand: the process that they are in, as this one sees it. The file system is mounted
 * where only processes {@link #inside} a namespace see it, which any user may make; this process gets at it by the root of
 * that one in {@code /proc}. All of it goes away with the process.
 */
final class Disks implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String MOUNT = "exec 0<>/dev/fuse 1>&0 && "
            + "mount -i -t fuse -o fd=0,rootmode=40000,user_id=0,group_id=0 power \"$1\" && shift && exec \"$@\"";

    private final Process process;
    private final Path mountPoint;
    private final SocketChannel orders;
    private final BufferedReader answers;

    private Disks(Process process, Path mountPoint, SocketChannel orders) {
        this.process = process;
        this.mountPoint = mountPoint;
        this.orders = orders;
        this.answers = new BufferedReader(Channels.newReader(orders, StandardCharsets.UTF_8));
    }

    /** Skips the test where this machine allows no such file system. */
    static void assumePossible(Path directory) throws IOException, InterruptedException {
        assumeTrue(
                Files.isReadable(Path.of("/dev/fuse")) && Files.isWritable(Path.of("/dev/fuse")),
                "this machine has no /dev/fuse that this user may open");
        Path mountPoint = Files.createDirectories(directory.resolve("trial"));
        Path log = directory.resolve("trial.log");
        Process trial = new ProcessBuilder(confined(mountPoint, List.of("true")))
                .redirectError(log.toFile())
                .start();
        boolean ended = trial.waitFor(SOON.toSeconds(), TimeUnit.SECONDS);
        String said = Files.readString(log, StandardCharsets.UTF_8);
        assumeTrue(
                ended && trial.exitValue() == 0,
                () -> "this machine lets no user mount a file system of its own in a namespace: " + said);
    }

    private static List<String> confined(Path mountPoint, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", MOUNT, "sh", mountPoint.toString()));
        all.addAll(command);
        return all;
    }

    /**
     * Mounts it, without disks.
     *
     * @param directory gets the mount point, the socket and the log
     */
    static Disks mount(Path directory) throws IOException {
        Path mountPoint = Files.createDirectories(directory.resolve("disks")).toRealPath();
        Path socket = mountPoint.resolveSibling("orders");
        Path log = mountPoint.resolveSibling("disks.log");
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx768m",
                "-XX:+UseSerialGC",
                // Standard output is the device.
                "-XX:+DisplayVMOutputToStderr",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                DiskProcess.class.getName(),
                socket.toString());
        Process process = new ProcessBuilder(confined(mountPoint, java))
                .redirectError(log.toFile())
                .start();
        try {
            return new Disks(process, mountPoint, connect(process, socket, log));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static SocketChannel connect(Process process, Path socket, Path log) throws IOException {
        return Awaitility.await("the disks take orders")
                .atMost(SOON)
                .until(
                        () -> {
                            if (!process.isAlive()) {
                                throw new IOException(
                                        "the disks ended: " + Files.readString(log, StandardCharsets.UTF_8));
                            }
                            return tryConnect(socket);
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<SocketChannel> tryConnect(Path socket) {
        try {
            return Optional.of(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The command, run where the disks are seen. */
    List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(process.pid()),
                "--user",
                "--mount",
                "--preserve-credentials",
                "--"));
        all.addAll(command);
        return all;
    }

    /** The directory of a disk, for processes inside. */
    Path within(String disk) {
        return mountPoint.resolve(disk);
    }

    /** The same for this process. */
    Path seen(String disk) {
        return Path.of("/proc/" + process.pid() + "/root" + within(disk));
    }

    void make(String disk) throws IOException {
        order("make " + disk);
    }

    /** From this moment on nothing on them changes, and nobody who asks is answered. */
    void cut(Collection<String> disks) throws IOException {
        order("cut " + String.join(" ", disks));
    }

    /** Lets those die who wait for an answer; they have been sent SIGKILL before. */
    void refuseWaiting(String disk) throws IOException {
        order("refuse " + disk);
    }

    /**
     * The disk works again.
     *
     * @param seed of what it kept though it was not synced; none: it kept nothing of that
     */
    Loss lose(String disk, OptionalLong seed) throws IOException {
        return Loss.decode(order(seed.isPresent() ? "keep " + disk + " " + seed.getAsLong() : "forget " + disk));
    }

    void lie(String disk, Disk.Lie lie) throws IOException {
        order("lie " + disk + " " + lie);
    }

    private synchronized String order(String line) throws IOException {
        OutputStream out = Channels.newOutputStream(orders);
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        String answer = answers.readLine();
        if (answer == null || !answer.startsWith("ok ")) {
            throw new IOException(line + ": " + answer);
        }
        return answer.substring("ok ".length());
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.destroyForcibly();
        process.onExit().join();
    }
}
