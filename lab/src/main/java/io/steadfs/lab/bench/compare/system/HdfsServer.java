package io.steadfs.lab.bench.compare.system;

import io.steadfs.cli.local.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server of HDFS in a process of its own. The server's process ends with this process. */
final class HdfsServer implements AutoCloseable {
    private static final long STOP_SECONDS = 20;

    private final String name;
    private final ServerLog log;
    private final Process process;

    private HdfsServer(String name, ServerLog log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts the processes of one HDFS. */
    record Start(Path jars, HdfsFolder folder) {
        /** Starts a server and returns at once. */
        HdfsServer server(String name, Map<String, String> settings, String main) throws IOException {
            List<String> options = new ArrayList<>();
            settings.forEach((key, value) -> options.addAll(List.of("-D", key + "=" + value)));
            return start(name, main, options);
        }

        /** Runs a command and waits for its end. */
        void once(String name, String main, List<String> arguments) throws IOException, InterruptedException {
            try (HdfsServer run = start(name, main, arguments)) {
                int status = run.process.waitFor();
                if (status != 0) {
                    throw new IOException("HDFS " + name + " ended with " + status + "; " + run.log.lastWords());
                }
            }
        }

        private HdfsServer start(String name, String main, List<String> arguments) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(JavaCommand.java());
            command.addAll(JavaCommand.options());
            command.addAll(List.of(
                    "-cp",
                    String.join(
                            File.pathSeparator,
                            folder.conf().toString(),
                            jars.resolve("*").toString(),
                            ownClasses().toString()),
                    EndWithInput.class.getName(),
                    main));
            command.addAll(arguments);
            ServerLog log = new ServerLog(folder.log(name));
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.append())
                    .start();
            return new HdfsServer(name, log, process);
        }

        private static Path ownClasses() {
            try {
                return Path.of(EndWithInput.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
            } catch (java.net.URISyntaxException e) {
                throw new IllegalStateException("this program's classes are at no path", e);
            }
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    /** @throws IOException if the server ended; the message has the last lines of the server's log */
    void checkRunning() throws IOException {
        if (!process.isAlive()) {
            throw new IOException("HDFS " + name + " ended with " + process.exitValue() + "; " + log.lastWords());
        }
    }

    /**
     * Ends the server with SIGTERM. A server that takes too long gets SIGKILL. SIGKILL is safe here, because nobody
     * needs the server's data any more.
     */
    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly().onExit().join();
    }
}
