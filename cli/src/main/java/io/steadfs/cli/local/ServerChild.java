package io.steadfs.cli.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.outage.StartStep;
import io.steadfs.rpc.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one server in a process of its own. If this process ends in any way, the server's standard input ends, and then
 * the server ends too. The server writes its errors and its log to a file. After its end, the server may be started
 * again at the same port. Not thread-safe.
 */
final class ServerChild {
    private static final Logger LOG = LoggerFactory.getLogger(ServerChild.class);
    /**
     * The longest time in milliseconds for which a starting server may log nothing. Each step of a start logs something
     * within a shorter time, and each step ends without help.
     */
    private static final long STILL_MILLIS = 120_000;

    private static final long STOP_SECONDS = 60;
    private static final int LAST_BYTES = 2000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Name name;
    private final Path directory;
    private final Path log;
    private final List<String> arguments;
    private int port;
    private Optional<Life> life = Optional.empty();

    /**
     * @param role the command of {@code bin/stead} that runs the server
     * @param text name of the server, for example "mds-2"
     */
    record Name(String role, int id, String text) {
        /**
         * A ZooKeeper server is not a member of the file system. So a ZooKeeper server has no {@code ServerId} and no
         * metrics.
         */
        boolean isZooKeeper() {
            return role.equals("zookeeper");
        }
    }

    /** One run of the server's process, from start to end. */
    private record Life(Process process, CompletableFuture<Ready> ready, long logBefore) {}

    /** The message that a server prints after it has begun to serve. */
    private record Ready(ServerAddress address, Optional<String> metricsUrl) {
        static Ready of(JsonNode said) {
            return new Ready(
                    new ServerAddress(
                            said.get("host").asText(), said.get("port").asInt()),
                    Optional.ofNullable(said.get("metrics")).map(JsonNode::asText));
        }
    }

    /**
     * Prepares a server without starting the server.
     *
     * @param port port for the first start; 0 = any free port. Every later start uses the port of the first start.
     * @param arguments arguments of the command, without identity, directory and port
     */
    ServerChild(Name name, Path directory, Path log, int port, List<String> arguments) {
        this.name = name;
        this.directory = directory;
        this.log = log;
        this.port = port;
        this.arguments = List.copyOf(arguments);
    }

    Name name() {
        return name;
    }

    Path directory() {
        return directory;
    }

    Path log() {
        return log;
    }

    /**
     * The command that starts the server. A process that runs this command must keep the server's standard input open.
     */
    List<String> command() {
        List<String> all = new ArrayList<>(List.of(
                name.role(),
                "--id",
                Integer.toString(name.id()),
                "--dir",
                directory.toString(),
                "--json",
                "--end-with-input",
                "--set",
                (name.isZooKeeper() ? "stead.zk.port=" : "stead.port=") + port));
        all.addAll(arguments);
        return JavaCommand.of(all);
    }

    /** Starts the process and returns at once. */
    void begin() throws IOException {
        if (isRunning()) {
            throw new IllegalStateException(name.text() + " runs already");
        }
        DurableDirectories.make(log.toAbsolutePath().resolveSibling(""));
        long logBefore = sizeOf(log);
        Process process = new ProcessBuilder(command())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        CompletableFuture<Ready> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> readOutput(process, ready), "output of " + name.text());
        reader.setDaemon(true);
        reader.start();
        life = Optional.of(new Life(process, ready, logBefore));
    }

    private static void readOutput(Process process, CompletableFuture<Ready> ready) {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("{")) {
                    ready.complete(Ready.of(JSON.readTree(line)));
                }
            }
            ready.completeExceptionally(new IOException("it ended"));
        } catch (IOException | RuntimeException e) {
            ready.completeExceptionally(e);
        }
    }

    /**
     * Waits until the server serves requests.
     *
     * @throws IOException if the server ended or logged nothing for too long; the server does not run then. The message
     * contains the last lines of the server's log.
     */
    ServerAddress awaitReady() throws IOException {
        Life now = life.orElseThrow(() -> new IllegalStateException(name.text() + " was not started"));
        try {
            StartStep step = StartStep.of("waits for " + name.text() + " to serve; " + log + " says more", LOG::info);
            if (!step.await(STILL_MILLIS, now.ready(), () -> sizeOf(log) - now.logBefore())) {
                kill();
                throw new IOException(name.text() + " did not start: it said nothing for " + STILL_MILLIS + " ms; "
                        + log + " says:\n" + lastWords(now.logBefore()));
            }
            ServerAddress address = now.ready().get().address();
            port = address.port();
            return address;
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name.text() + " started", e);
        } catch (ExecutionException e) {
            kill();
            throw new IOException(name.text() + " did not start; " + log + " says:\n" + lastWords(now.logBefore()), e);
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String lastWords(long from) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(from, file.length() - LAST_BYTES));
            byte[] rest = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(rest);
            return new String(rest, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isRunning() {
        return life.isPresent() && life.get().process().isAlive();
    }

    /** The present or last address of the server; empty before the first start. */
    Optional<ServerAddress> address() {
        return said().map(Ready::address);
    }

    /** The present or last URL of the server's metrics; empty if the server has no metrics. */
    Optional<String> metricsUrl() {
        return said().flatMap(Ready::metricsUrl);
    }

    private Optional<Ready> said() {
        return life.map(Life::ready)
                .filter(ready -> ready.isDone() && !ready.isCompletedExceptionally())
                .map(CompletableFuture::join);
    }

    /** The id of the running process; empty if the server does not run. */
    Optional<Long> pid() {
        return isRunning() ? life.map(now -> now.process().pid()) : Optional.empty();
    }

    /**
     * Completes with the exit code after the process has ended. If the server does not run, the result is already
     * complete.
     */
    CompletableFuture<Integer> ended() {
        return life.map(now -> now.process().onExit().thenApply(Process::exitValue))
                .orElseGet(() -> CompletableFuture.completedFuture(0));
    }

    /**
     * Sends SIGTERM and waits until the process has ended. If the process does not end in time, the method kills the
     * process and logs the kill.
     */
    void stop() throws IOException {
        if (life.isPresent()) {
            Process process = life.get().process();
            process.destroy();
            if (!hasEnded(process, STOP_SECONDS)) {
                kill();
                throw new IOException(name.text() + " did not stop within " + STOP_SECONDS + " s and was killed");
            }
        }
    }

    /** Sends SIGKILL and waits until the process has ended. */
    void kill() throws IOException {
        if (life.isPresent()) {
            Process process = life.get().process();
            process.destroyForcibly();
            if (!hasEnded(process, STOP_SECONDS)) {
                throw new IOException(name.text() + ", process " + process.pid() + ", goes on after SIGKILL");
            }
        }
    }

    private static boolean hasEnded(Process process, long seconds) throws IOException {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while process " + process.pid() + " ended", e);
        }
    }
}
