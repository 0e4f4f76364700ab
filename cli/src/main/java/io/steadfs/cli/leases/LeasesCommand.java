package io.steadfs.cli.leases;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that contains all subcommands about leases. */
@Command(
        name = "leases",
        mixinStandardHelpOptions = true,
        description = "Tell which handles the IO servers have leased to whom, and end leases.",
        subcommands = {
            ShowLeasesCommand.class,
            ListLeasesCommand.class,
            RevokeLeasesCommand.class,
            ValidateLeasesCommand.class
        })
public final class LeasesCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "leases: say show, list, revoke or validate");
    }
}
