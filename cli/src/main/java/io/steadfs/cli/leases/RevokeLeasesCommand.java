package io.steadfs.cli.leases;

import io.steadfs.admin.IoServers;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Ends the leases of one holder. */
@Command(
        name = "revoke",
        mixinStandardHelpOptions = true,
        description = {
            "End the leases of one holder at all IO servers now. Files keep the datafiles that they have; a holder that is",
            "alive leases others. Exit code 1 if an IO server does not answer: its leases end by themselves."
        })
final class RevokeLeasesCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--holder",
            required = true,
            paramLabel = "ID",
            description = "the holder's number, as 'leases list' tells it")
    private String holder = "";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        long id;
        try {
            id = Long.parseUnsignedLong(holder, 16);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "--holder: '" + holder + "' is no hexadecimal number of 64 bits", e);
        }
        try (Connections connections = Connections.ofOperator();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            IoServers.Ended ended = new IoServers(
                            connection.transport(), connection.fs().clusterMap(), IoServers.USUAL_TIMEOUT_MILLIS)
                    .end(id, 0);
            ended.problems().forEach(problem -> spec.commandLine().getErr().println("stead: " + problem));
            spec.commandLine().getOut().println(ended.leases() + " leases of holder " + holder + " are over");
            spec.commandLine().getOut().flush();
            return ended.problems().isEmpty() ? 0 : 1;
        }
    }
}
