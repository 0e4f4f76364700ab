package io.steadfs.cli.fsck;

import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.error.FsException;
import io.steadfs.fsck.CheckedServers;
import io.steadfs.fsck.ClusterServers;
import io.steadfs.fsck.DatafileCheck;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks the datafiles of a file system in use. */
@Command(
        name = "fsck",
        mixinStandardHelpOptions = true,
        description = {
            "Compare what all metadata shards list with what each IO server has, while clients work. Nothing is changed.",
            "Finds datafiles that are leaked, missing, of another metafile, listed twice, shorter than their files need,",
            "or unreadable, and rows of a shard's index that lead nowhere. Names and directories are not checked yet."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing is wrong with what was checked, and all was",
            "1:not all could be checked, or not by this user",
            "2:wrong usage",
            "3:something is wrong"
        })
public final class FsckCommand implements Callable<Integer> {
    private static final int MOST_KEPT = 100_000;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Option(
            names = "--findings",
            paramLabel = "N",
            defaultValue = "1000",
            description = "most findings that are printed; all are counted; default: ${DEFAULT-VALUE}")
    private int findings;

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "2000",
            description = "datafiles in one message from a server, 1 to 10000; default: ${DEFAULT-VALUE}")
    private int page;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        check("--findings", findings, 0, MOST_KEPT);
        check("--page", page, 1, 10_000);
        try (Connections connections = Connections.ofProcess();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            ClusterServers servers =
                    new ClusterServers(connection.transport(), connection.fs().clusterMap(), Connections.caller());
            FsckResult result = run(servers);
            spec.commandLine().getOut().print(json ? Json.line(result.fields()) + "\n" : text(result));
            spec.commandLine().getOut().flush();
            if (result.total() > 0) {
                return 3;
            }
            return result.isComplete() ? 0 : 1;
        }
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " is not in " + least + " to " + most);
        }
    }

    private FsckResult run(CheckedServers servers) throws FsException {
        FsckResult result = new FsckResult(findings);
        for (int server : servers.ioServers()) {
            long began = System.nanoTime();
            DatafileCheck check = new DatafileCheck(servers, result::found, page);
            String problem = "";
            try {
                check.run(server);
            } catch (FsException e) {
                problem = String.valueOf(e.getMessage());
            }
            double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
            result.checked(
                    new FsckResult.Server("io-" + server, check.datafiles(), check.suspected(), seconds, problem));
        }
        return result;
    }

    private static String text(FsckResult result) {
        StringBuilder text = new StringBuilder();
        if (!result.findings().isEmpty()) {
            TextTable table = new TextTable(5, "finding", "server", "datafile", "metafile", "what");
            result.findings()
                    .forEach(each -> table.row(
                            each.kind().label(),
                            "io-" + each.datafile().owner(),
                            each.datafile(),
                            each.metafile().isNone() ? "-" : each.metafile(),
                            each.what()));
            text.append(table).append('\n');
        }
        TextTable servers = new TextTable(1, "server", "datafiles", "looked at again", "seconds");
        result.servers()
                .forEach(each -> servers.row(
                        each.name(),
                        each.datafiles(),
                        each.suspected(),
                        String.format(Locale.ROOT, "%.1f", each.seconds())));
        text.append(servers).append('\n');
        result.servers().stream()
                .filter(each -> !each.problem().isEmpty())
                .forEach(each -> text.append(each.name())
                        .append(" could not be checked to its end: ")
                        .append(each.problem())
                        .append('\n'));
        result.counts().forEach((kind, count) -> {
            if (count > 0) {
                text.append(kind.label()).append(": ").append(count).append('\n');
            }
        });
        text.append(result.total() == 0 ? "nothing is wrong" : result.total() + " findings")
                .append(result.isComplete() ? "" : ", but not all was checked")
                .append('\n');
        return text.toString();
    }
}
