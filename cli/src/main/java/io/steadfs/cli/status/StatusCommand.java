package io.steadfs.cli.status;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.ServerStatus;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.cluster.ClusterSpace;
import io.steadfs.cluster.ClusterSpace.ServerSpace;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the servers, their state and their faults. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Ask a metadata server for the cluster map, and every server in it how it is.",
            "Exit code 0 means that all servers answer and none reports a problem."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:something is wrong, and a line says what; or the metadata server does not answer",
            "2:wrong usage"
        })
public final class StatusCommand implements Callable<Integer> {
    private static final long TIMEOUT_MILLIS = 10_000;

    private static final int NOT_WELL = 1;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(names = "--counters", description = "print the counters of each server too")
    private boolean counters;

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        try (Connections connections = Connections.ofWatcher();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            ClusterStatus status =
                    ClusterStatus.ask(connection.transport(), connection.fs().clusterMap(), TIMEOUT_MILLIS);
            spec.commandLine().getOut().print(json ? Json.line(fields(status)) + System.lineSeparator() : text(status));
            spec.commandLine().getOut().flush();
            return status.isWell() ? 0 : NOT_WELL;
        }
    }

    private static Map<String, ?> fields(ClusterStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("well", status.isWell());
        fields.put("fileSystem", status.fileSystem());
        fields.put("epoch", status.epoch());
        fields.put("shards", status.shards());
        fields.put(
                "servers", status.servers().stream().map(StatusCommand::fields).toList());
        fields.put("answered", status.answered());
        fields.put("space", fields(status.space()));
        fields.put("pending", status.pending());
        fields.put("problems", status.problems());
        return fields;
    }

    private static Map<String, ?> fields(ClusterSpace space) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ioServers", space.servers());
        fields.put("answered", space.reached());
        fields.put("capacityBytes", space.capacityBytes());
        fields.put("usedBytes", space.usedBytes());
        fields.put("freeBytes", space.freeBytes());
        fields.put("otherBytes", space.otherBytes());
        fields.put("awayFreeBytes", space.awayFreeBytes());
        fields.put("away", space.away().stream().map(ServerSpace::server).toList());
        return fields;
    }

    private static Map<String, ?> fields(ServerStatus server) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("server", server.name());
        fields.put("address", server.address());
        fields.put("state", server.state());
        fields.put("uptimeMillis", server.uptimeMillis());
        fields.put("capacityBytes", server.space().capacityBytes());
        fields.put("usedBytes", server.space().usedBytes());
        fields.put("freeBytes", server.space().freeBytes());
        fields.put("asOfMillis", server.space().asOfMillis());
        fields.put("counters", server.counters());
        fields.put("gauges", server.gauges());
        fields.put("problems", server.problems());
        return fields;
    }

    private static String text(ClusterSpace space) {
        StringBuilder text = new StringBuilder();
        text.append("files have ").append(space.usedBytes()).append(" bytes on ");
        text.append(space.servers()).append(" IO server(s), whose disks have ");
        text.append(space.capacityBytes() >> 20).append(" MiB: ");
        text.append(space.freeBytes() >> 20).append(" MiB may be written, ");
        text.append(space.otherBytes() >> 20).append(" MiB are other use\n");
        for (ServerSpace away : space.away()) {
            text.append(away.server()).append(" cannot be reached: ");
            if (away.asOfMillis() == 0) {
                text.append("what it stores is not known, and not counted\n");
            } else {
                text.append("counted are its ").append(away.usedBytes()).append(" bytes as of ");
                text.append(Instant.ofEpochMilli(away.asOfMillis())).append('\n');
            }
        }
        return text.toString();
    }

    private String text(ClusterStatus status) {
        StringBuilder text = new StringBuilder();
        text.append("file system ").append(status.fileSystem());
        text.append(", epoch ").append(status.epoch());
        text.append(", ").append(status.shards()).append(" shard(s)\n\n");
        TextTable table =
                new TextTable(3, "server", "address", "state", "up s", "capacity MiB", "used MiB", "free MiB");
        for (ServerStatus server : status.servers()) {
            table.row(
                    server.name(),
                    server.address(),
                    server.state(),
                    server.uptimeMillis() / 1000,
                    server.space().capacityBytes() >> 20,
                    server.space().usedBytes() >> 20,
                    server.space().freeBytes() >> 20);
        }
        text.append(table);
        text.append("\nof ").append(status.servers().size()).append(" server(s) ");
        text.append(status.answered()).append(" answered\n");
        text.append(text(status.space()));
        if (counters) {
            for (ServerStatus server : status.servers()) {
                TextTable values = new TextTable(1, server.name(), "value");
                server.counters().forEach(values::row);
                server.gauges().forEach(values::row);
                text.append("\n").append(values);
            }
        }
        text.append('\n');
        status.pending()
                .forEach((name, value) ->
                        text.append(name).append(' ').append(value).append('\n'));
        List<String> problems = status.problems();
        text.append("\n").append(problems.isEmpty() ? "all is well\n" : "");
        problems.forEach(problem -> text.append("PROBLEM ").append(problem).append("\n"));
        return text.toString();
    }
}
