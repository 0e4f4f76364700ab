package io.steadfs.it;

import io.steadfs.cli.Main;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code stead local} in a process of its own, with the class path of the tests, to be ended in any way. */
final class LocalProcess implements AutoCloseable {
    private static final String READY = "READY stead://";
    /** Of the end of a log, in the message of a failure. */
    private static final int LINES = 40;

    private static final long END_SECONDS = 60;

    private final Process process;
    private final ServerAddress address;

    private LocalProcess(Process process, ServerAddress address) {
        this.process = process;
        this.address = address;
    }

    /** @param port of the metadata server; 0 for any */
    static LocalProcess start(Path directory, int port, Map<String, String> settings) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "local",
                "--mds",
                "3",
                "--shards",
                "3",
                "--io",
                "4",
                "--dir",
                directory.toString(),
                "--port",
                String.valueOf(port)));
        settings.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        File log = directory.resolveSibling(directory.getFileName() + ".log").toFile();
        Process process = new ProcessBuilder(JavaProgram.command(List.of("-Xmx512m"), Main.class, arguments))
                .redirectError(ProcessBuilder.Redirect.appendTo(log))
                .start();
        return new LocalProcess(process, ready(process, log));
    }

    private static ServerAddress ready(Process process, File log) throws IOException {
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(READY)) {
                return ServerAddress.parse(line.substring(READY.length()));
            }
        }
        List<String> lines = Files.readAllLines(log.toPath());
        String end = String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        throw new IOException("stead local ended without " + READY + "; " + log + " ends with\n" + end);
    }

    ServerAddress address() {
        return address;
    }

    SteadFs connect() {
        return SteadClient.connect(Settings.defaults(), List.of(address), caller());
    }

    static Caller caller() {
        return Caller.newBuilder().setUser(Cluster.SUPERUSER).build();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() throws InterruptedException, IOException {
        process.destroyForcibly();
        exitCode();
    }

    /** SIGTERM; its exit code. */
    int terminate() throws InterruptedException, IOException {
        process.destroy();
        return exitCode();
    }

    private int exitCode() throws InterruptedException, IOException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("process " + process.pid() + " goes on after " + END_SECONDS + " s");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
