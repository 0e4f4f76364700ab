package io.steadfs.cli.leases;

import io.steadfs.admin.IoServers;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.LeaseInfo;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the leases of all IO servers. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "List the leases that have not ended: where, which handles, how many of them no file is known to have,",
            "whose, and for how long. Exit code 1 if an IO server does not answer; the others are listed then."
        })
final class ListLeasesCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private record Found(String server, LeaseInfo lease) {
        Handle first() {
            return new Handle(lease.getFirst());
        }

        String state() {
            return lease.getRevoking() ? "revoking" : lease.getLeftMillis() == 0 ? "over" : "open";
        }

        Map<String, ?> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("server", server);
            fields.put("lease", first().toString());
            fields.put("handles", lease.getCount());
            fields.put("unused", lease.getUnused());
            fields.put("holder", Long.toHexString(lease.getHolder()));
            fields.put("name", lease.getName());
            fields.put("grantedMillis", lease.getGrantedMillis());
            fields.put("leftMillis", lease.getLeftMillis());
            fields.put("state", state());
            return fields;
        }
    }

    @Override
    public Integer call() throws IOException {
        try (Connections connections = Connections.ofWatcher();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            IoServers servers =
                    new IoServers(connection.transport(), connection.fs().clusterMap(), IoServers.USUAL_TIMEOUT_MILLIS);
            List<Found> found = new ArrayList<>();
            List<String> silent = new ArrayList<>();
            for (ClusterMap.Server server : servers.all()) {
                try {
                    servers.leases(server).forEach(lease -> found.add(new Found(IoServers.name(server), lease)));
                } catch (FsException e) {
                    silent.add(String.valueOf(e.getMessage()));
                }
            }
            spec.commandLine().getOut().print(json ? Json.line(fields(found, silent)) + "\n" : text(found));
            spec.commandLine().getOut().flush();
            silent.forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            return silent.isEmpty() ? 0 : 1;
        }
    }

    private static long sum(List<Found> found, java.util.function.ToLongFunction<LeaseInfo> what) {
        return found.stream().mapToLong(each -> what.applyAsLong(each.lease())).sum();
    }

    private static Map<String, ?> fields(List<Found> found, List<String> silent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("leases", found.stream().map(Found::fields).toList());
        fields.put("handles", sum(found, LeaseInfo::getCount));
        fields.put("unused", sum(found, LeaseInfo::getUnused));
        fields.put("problems", silent);
        return fields;
    }

    private static String text(List<Found> found) {
        TextTable table = new TextTable(
                5, "server", "lease", "state", "holder", "name", "handles", "unused", "left s", "granted");
        for (Found each : found) {
            table.row(
                    each.server(),
                    each.first(),
                    each.state(),
                    Long.toHexString(each.lease().getHolder()),
                    each.lease().getName(),
                    each.lease().getCount(),
                    each.lease().getUnused(),
                    each.lease().getLeftMillis() / 1000,
                    Instant.ofEpochMilli(each.lease().getGrantedMillis()));
        }
        return table + "\n" + found.size() + " leases of " + sum(found, LeaseInfo::getCount) + " handles, "
                + sum(found, LeaseInfo::getUnused) + " of them unused\n";
    }
}
