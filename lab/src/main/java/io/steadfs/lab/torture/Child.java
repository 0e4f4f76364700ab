package io.steadfs.lab.torture;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a {@code stead} command in a separate Java process. The harness can stop and kill the process. Thread-safe. */
final class Child {
    private final String name;
    private final Process process;
    private final CompletableFuture<String> ready;
    private final long startedNanos = System.nanoTime();

    private Child(String name, Process process, CompletableFuture<String> ready) {
        this.name = name;
        this.process = process;
        this.ready = ready;
    }

    /**
     * Starts the process.
     *
     * @param prefix command that runs another command; empty = none
     * @param java options of the Java process
     * @param arguments arguments of the command {@code stead}
     * @param log file for the error output of the process
     */
    static Child start(String name, List<String> prefix, List<String> java, List<String> arguments, Path log)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(java);
        command.add("-cp");
        command.add(classPath());
        command.add("io.steadfs.cli.Main");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        CompletableFuture<String> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(name, process, ready, log), "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
        return new Child(name, process, ready);
    }

    /**
     * The class path of this process, with absolute paths. A process that enters another namespace starts in another
     * directory.
     */
    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(own.split(File.pathSeparator))
                .map(path -> Path.of(path).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void read(String name, Process process, CompletableFuture<String> ready, Path log) {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("READY")) {
                    ready.complete(line);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // The process was ended.
        }
        ready.completeExceptionally(new IOException(name + " ended before it was ready; see " + log));
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    long ageMillis() {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally();
    }

    /** @throws IOException if the process is not ready in time; the message names the process */
    void awaitReady(long seconds) throws IOException, InterruptedException {
        try {
            ready.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(name + " was not ready after " + seconds + " s", e);
        }
    }

    /** Sends SIGKILL, and returns after the process has ended. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP. */
    void stop() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** SIGCONT. */
    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", signal, Long.toString(pid())).start().waitFor();
    }

    /** Closes the standard input of the process. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** @return whether the process has ended in the given time */
    boolean awaitEnd(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Sends SIGTERM. If the process does not end within the given milliseconds, sends SIGKILL. */
    void terminate(long millis) throws InterruptedException, IOException {
        goOn();
        process.destroy();
        if (!awaitEnd(millis)) {
            kill();
        }
    }

    /** Resident memory of the process in bytes; -1 = unknown. */
    long residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }

    /** Number of open files and sockets of the process; -1 = unknown. */
    long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
            return files.count();
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }
}
