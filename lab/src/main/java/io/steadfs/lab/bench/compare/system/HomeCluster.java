package io.steadfs.lab.bench.compare.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.local.JavaCommand;
import io.steadfs.disk.DurableDirectories;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A cluster that runs the servers of a {@link SteadHome}. Each server runs in a process of its own, and ZooKeeper runs
 * in another process. The servers and ZooKeeper end when this process ends, even if a signal kills this process.
 *
 * <p>The command {@code bin/stead local --processes} starts the cluster.
 */
final class HomeCluster implements AutoCloseable {
    private static final String READY = "READY ";
    private static final long STOP_SECONDS = 90;

    /** Runs a command until the command ends. If standard input ends first, the command gets SIGTERM. */
    private static final String UNTIL_INPUT_ENDS = """
            trap '' INT
            exec 3<&0
            "$@" 3<&- &
            child=$!
            (cat <&3; kill "$child") > /dev/null 2>&1 &
            exec 3<&-
            wait "$child"
            """;

    private final Process process;
    private final ServerLog log;
    private final List<Server> servers;
    private final URI uri;

    /**
     * @param name name such as "mds-1" or "io-3"
     * @param metrics address of the server's metrics page; empty if the server has no metrics
     */
    record Server(String name, long pid, Optional<URI> metrics) {
        boolean isMds() {
            return name.startsWith("mds-");
        }

        private static Server of(JsonNode said) {
            String metrics = said.path("metrics").asText();
            return new Server(
                    said.get("name").asText(),
                    said.get("pid").asLong(),
                    metrics.isEmpty() ? Optional.empty() : Optional.of(URI.create(metrics)));
        }
    }

    private HomeCluster(Process process, ServerLog log, List<Server> servers, URI uri) {
        this.process = process;
        this.log = log;
        this.servers = List.copyOf(servers);
        this.uri = uri;
    }

    /**
     * Starts so many metadata servers, shards and IO servers. Returns once all servers serve
     * requests.
     *
     * @param folder folder for all data of the servers, which is made if need be; may be that of an earlier start
     * @param settings configuration values of the servers, by key
     * @throws IOException if the command ended; the message has the last lines of the command's output
     */
    static HomeCluster start(SteadHome home, Path folder, ClusterSize size, Map<String, String> settings)
            throws IOException {
        DurableDirectories.make(folder);
        ServerLog log = new ServerLog(folder.resolve("local.log"));
        ProcessBuilder builder =
                new ProcessBuilder(command(home, folder.resolve("data"), size, settings)).redirectError(log.append());
        // Servers get the Java options of the command's process.
        builder.environment().put("STEAD_JAVA_OPTS", String.join(" ", JavaCommand.options()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            return ready(process, log);
        } catch (IOException | RuntimeException e) {
            stop(process);
            throw new IOException(
                    home.command() + " local did not start: " + e.getMessage() + "; " + log.lastWords(), e);
        }
    }

    private static List<String> command(SteadHome home, Path data, ClusterSize size, Map<String, String> settings) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_INPUT_ENDS, "sh"));
        command.addAll(List.of(home.command().toString(), "local", "--processes", "--json", "--no-webui"));
        command.addAll(List.of("--mds", Integer.toString(size.mds()), "--shards", Integer.toString(size.shards())));
        command.addAll(List.of("--io", Integer.toString(size.dataServers())));
        command.addAll(List.of("--port", "0", "--dir", data.toString()));
        settings.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return command;
    }

    private static HomeCluster ready(Process process, ServerLog log) throws IOException {
        List<Server> servers = new ArrayList<>();
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("{")) {
                new ObjectMapper().readTree(line).get("servers").forEach(server -> servers.add(Server.of(server)));
            } else if (line.startsWith(READY)) {
                return new HomeCluster(process, log, servers, URI.create(line.substring(READY.length())));
            }
        }
        throw new IOException("it ended with status " + process.onExit().join().exitValue());
    }

    List<Server> servers() {
        return servers;
    }

    /**
     * The metrics of one server; empty if the server has no metrics.
     *
     * @throws IOException if the server does not answer. The message names the server, and has the last lines of the
     *     command's output. The command's output names servers that ended
     */
    Optional<MetricsPage> metrics(Server server) throws IOException {
        if (server.metrics().isEmpty()) {
            return Optional.empty();
        }
        URI page = server.metrics().get();
        try {
            return Optional.of(MetricsPage.read(page));
        } catch (IOException e) {
            throw new IOException(
                    server.name() + " does not answer at " + page + ": " + e.getMessage() + "; " + log.lastWords(), e);
        }
    }

    URI uri() {
        return uri;
    }

    @Override
    public void close() throws IOException {
        stop(process);
    }

    private static void stop(Process process) throws IOException {
        process.getOutputStream().close();
        try {
            if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The command did not end in time, so the command and its servers are killed.
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
