package io.steadfs.cli.leases;

import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks IO servers to decide now about the handles of ended leases. */
@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = {
            "Have all IO servers find out now which handles of leases that are over belong to files, and take the others back,",
            "and wait for that. It begins by itself as well, soon after a lease is over. Exit code 1 if some are left, with the reason."
        })
final class ValidateLeasesCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 100;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "how long to wait; default: ${DEFAULT-VALUE}")
    private int waitSeconds;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (waitSeconds < 0) {
            throw new ParameterException(spec.commandLine(), "--wait: " + waitSeconds + " is below 0");
        }
        try (Connections connections = Connections.ofOperator();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
            HandleAccount account = HandleAccount.of(
                    connection.transport(), connection.fs().clusterMap(), true, IoServers.USUAL_TIMEOUT_MILLIS);
            long first = unsettled(account);
            while (unsettled(account) > 0 && System.nanoTime() < end) {
                Thread.sleep(LOOK_MILLIS);
                account = HandleAccount.of(
                        connection.transport(), connection.fs().clusterMap(), true, IoServers.USUAL_TIMEOUT_MILLIS);
            }
            long left = unsettled(account);
            spec.commandLine()
                    .getOut()
                    .println(first + " suspect and orphan handles at first, " + left + " now; pooled "
                            + account.sum(Account::getPooled));
            spec.commandLine().getOut().flush();
            account.waitsFor().forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            account.problems().forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            return left == 0 && account.problems().isEmpty() ? 0 : 1;
        }
    }

    private static long unsettled(HandleAccount account) {
        return account.sum(Account::getSuspect) + account.sum(Account::getOrphan);
    }
}
