package io.steadfs.lab.torture;

import io.steadfs.cli.local.JavaCommand;
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

/**
 * A {@code stead} command in a Java process of its own, with the ways to stop, kill and measure that process.
 * Thread-safe.
 */
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
     * Starts a process.
     *
     * @param name name of the process in messages
     * @param prefix words of a command that runs another command; empty = none
     * @param java options of the Java process
     * @param arguments arguments of {@code stead}
     * @param log file that the standard error of the process is appended to
     */
    static Child start(String name, List<String> prefix, List<String> java, List<String> arguments, Path log)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(JavaCommand.java());
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
     * Returns the class path of this process with absolute paths. A process in another namespace starts in another
     * working directory.
     */
    private static String classPath() {
        return Stream.of(JavaCommand.classPath().split(File.pathSeparator))
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
            // The process was killed.
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

    /** Sends SIGKILL and returns after the process has ended. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGSTOP. */
    void stop() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** Sends SIGCONT. */
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

    /** @return whether the process ended in this time */
    boolean awaitEnd(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Sends SIGTERM, after SIGCONT. If the process does not end in the given milliseconds, SIGKILL follows. */
    void terminate(long millis) throws InterruptedException, IOException {
        goOn();
        process.destroy();
        if (!awaitEnd(millis)) {
            kill();
        }
    }

    /** Returns the resident memory of the process in bytes; -1 = unknown. */
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

    /** Returns the number of open files of the process, sockets included; -1 = unknown. */
    long openFiles() {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid() + "/fd"))) {
            return files.count();
        } catch (IOException | UncheckedIOException e) {
            return -1;
        }
    }
}
