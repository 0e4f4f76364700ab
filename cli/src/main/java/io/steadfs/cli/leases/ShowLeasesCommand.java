package io.steadfs.cli.leases;

import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Counts the handles of all IO servers by class and holder. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Count the handles of all IO servers by class and holder. In use: a file has it (of all datafiles about, of leased",
            "ones exactly). Pooled: leased, and no file has it. Pending: its file was deleted, its datafile not yet. Suspect:",
            "its lease is over, whether a file has it is being found out. Orphan: no file has it, it is being taken back.",
            "Only those in use have bytes. Exit code 1 if a server does not answer; the others are shown then."
        })
final class ShowLeasesCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        try (Connections connections = Connections.ofWatcher();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            HandleAccount account = HandleAccount.of(
                    connection.transport(), connection.fs().clusterMap(), false, IoServers.USUAL_TIMEOUT_MILLIS);
            spec.commandLine().getOut().print(json ? Json.line(account.fields()) + "\n" : text(account));
            spec.commandLine().getOut().flush();
            account.problems().forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            return account.problems().isEmpty() ? 0 : 1;
        }
    }

    private static String text(HandleAccount account) {
        TextTable table = new TextTable(
                3,
                "server",
                "holder",
                "name",
                "leases",
                "in use",
                "pooled",
                "pending",
                "suspect",
                "orphan",
                "oldest s",
                "at most");
        long now = System.currentTimeMillis();
        for (HandleAccount.Server server : account.servers()) {
            Account sum = server.account().getSum();
            table.row(
                    server.name(),
                    "all " + server.account().getHolders(),
                    "",
                    sum.getLeases(),
                    HandleAccount.inUseAbout(server),
                    sum.getPooled(),
                    account.pending(server.name()),
                    sum.getSuspect(),
                    sum.getOrphan(),
                    age(sum, now),
                    HandleAccount.bound(server));
            for (Account holder : server.account().getAccountsList()) {
                table.row(
                        server.name(),
                        Long.toHexString(holder.getHolder()),
                        holder.getName(),
                        holder.getLeases(),
                        holder.getInUse(),
                        holder.getPooled(),
                        0,
                        holder.getSuspect(),
                        holder.getOrphan(),
                        age(holder, now),
                        server.account().getHolderMost());
            }
        }
        StringBuilder text = new StringBuilder(table.toString()).append('\n');
        account.waitsFor()
                .forEach(line ->
                        text.append("leases that are over wait: ").append(line).append('\n'));
        return text.toString();
    }

    private static long age(Account account, long now) {
        return account.getOldestMillis() == 0 ? 0 : Math.max(0, (now - account.getOldestMillis()) / 1000);
    }
}
