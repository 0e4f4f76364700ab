package io.steadfs.lab.demo;

import io.steadfs.cli.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A Spark program in a Java process of its own. Spark runs in local mode with two threads. Spark's configuration does
 * not name the classes of SteadFS, because Hadoop finds the file system by a service file in the client jar.
 */
public final class SparkProcess implements AutoCloseable {
    private static final String PROGRESS = "progress: ";
    private static final int LAST_LINES = 60;

    /**
     * Packages of the JDK that Spark needs access to. The list has the packages from the launcher of Spark 4.2 that
     * exist in Java 17.
     */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "jdk.internal.ref",
            "sun.nio.ch",
            "sun.nio.cs",
            "sun.security.action",
            "sun.util.calendar");

    private final Process process;
    private final CompletableFuture<List<String>> output;
    private final CompletableFuture<List<String>> errors;
    private volatile boolean closed;

    private SparkProcess(Process process, Consumer<String> progress) {
        this.process = process;
        this.output = drained("spark-output", process.getInputStream(), line -> {});
        this.errors = drained("spark-errors", process.getErrorStream(), line -> {
            if (line.startsWith(PROGRESS)) {
                progress.accept(line.substring(PROGRESS.length()));
            }
        });
    }

    /**
     * Starts the program.
     *
     * @param scratch an existing folder for Spark's own files
     * @param progress receives each progress message of the program
     */
    public static SparkProcess start(
            SparkClassPath classPath, Path scratch, String mainClass, List<String> arguments, Consumer<String> progress)
            throws IOException {
        return start(classPath, scratch, mainClass, arguments, Map.of(), progress);
    }

    /**
     * Starts the program with settings of the file system.
     *
     * @param settings configuration values of the client, by key such as {@code stead.x.y}
     */
    public static SparkProcess start(
            SparkClassPath classPath,
            Path scratch,
            String mainClass,
            List<String> arguments,
            Map<String, String> settings,
            Consumer<String> progress)
            throws IOException {
        Path logging = scratch.resolve("log4j2.properties");
        Files.writeString(logging, """
                status = error
                rootLogger.level = error
                rootLogger.appenderRef.stderr.ref = stderr
                appender.stderr.type = Console
                appender.stderr.name = stderr
                appender.stderr.target = SYSTEM_ERR
                appender.stderr.layout.type = PatternLayout
                appender.stderr.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
                """);
        List<String> command = new ArrayList<>();
        command.add(JavaCommand.java());
        command.addAll(JavaCommand.tuning());
        command.add("-Xmx1g");
        command.add("-XX:+IgnoreUnrecognizedVMOptions");
        command.add("--add-modules=jdk.incubator.vector");
        OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        command.add("-Djava.io.tmpdir=" + scratch);
        command.add("-Dlog4j2.configurationFile=" + logging.toUri());
        command.add("-Dspark.master=local[2]");
        command.add("-Dspark.ui.enabled=false");
        command.add("-Dspark.driver.host=127.0.0.1");
        command.add("-Dspark.driver.bindAddress=127.0.0.1");
        command.add("-Dspark.local.dir=" + scratch);
        command.add("-Dspark.sql.warehouse.dir=" + scratch.resolve("warehouse").toUri());
        command.add("-Dspark.sql.shuffle.partitions=4");
        settings.forEach((key, value) -> command.add("-Dspark.hadoop.fs." + key + "=" + value));
        command.add("-cp");
        command.add(classPath.toString());
        command.add(mainClass);
        command.addAll(arguments);

        ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
        // The job must not use the settings of a Spark or Hadoop that is installed on this machine.
        builder.environment().keySet().removeIf(name -> name.startsWith("SPARK_") || name.startsWith("HADOOP_"));
        builder.environment().remove("CLASSPATH");
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        return new SparkProcess(builder.start(), progress);
    }

    /**
     * Waits until the program ends.
     *
     * @return the last lines that the program printed
     * @throws IOException if the program failed or took too long. The message has the last lines of the program's error
     *     output
     */
    public List<String> await(long timeoutSeconds) throws IOException, InterruptedException {
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
            process.destroyForcibly().onExit().join();
            throw new IOException("the Spark job was stopped because it had not ended after " + timeoutSeconds
                    + " seconds; it said:" + lines(errors.join()));
        }
        List<String> printed = output.join();
        List<String> told = errors.join();
        if (closed) {
            throw new IOException("the Spark job was stopped");
        }
        if (process.exitValue() != 0) {
            throw new IOException("the Spark job failed with status " + process.exitValue() + "; it said:"
                    + lines(printed) + lines(told));
        }
        return printed;
    }

    /** Kills the program if the program still runs, and waits for its end. */
    @Override
    public void close() {
        kill();
    }

    /** Sends SIGKILL to the program if the program still runs, and waits for its end. */
    public void kill() {
        if (process.isAlive()) {
            closed = true;
            process.destroyForcibly().onExit().join();
        }
    }

    private static String lines(List<String> lines) {
        return lines.isEmpty() ? "" : System.lineSeparator() + String.join(System.lineSeparator(), lines);
    }

    /** Reads a stream to its end on a thread of its own. The result has the last lines of the stream. */
    private static CompletableFuture<List<String>> drained(String name, InputStream in, Consumer<String> each) {
        CompletableFuture<List<String>> kept = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    Deque<String> last = new ArrayDeque<>();
                    try (BufferedReader lines =
                            new BufferedReader(new java.io.InputStreamReader(in, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            each.accept(line);
                            if (last.size() == LAST_LINES) {
                                last.removeFirst();
                            }
                            last.addLast(line);
                        }
                        kept.complete(List.copyOf(last));
                    } catch (IOException | UncheckedIOException e) {
                        // The process ended while this thread read its output.
                        kept.complete(List.copyOf(last));
                    }
                },
                name);
        reader.setDaemon(true);
        reader.start();
        return kept;
    }
}
