package io.steadfs.cli;

import io.steadfs.cli.admin.AdminCommand;
import io.steadfs.cli.archive.ClassArchiveCommand;
import io.steadfs.cli.fs.FsCommand;
import io.steadfs.cli.fsck.FsckCommand;
import io.steadfs.cli.leases.LeasesCommand;
import io.steadfs.cli.local.LocalCommand;
import io.steadfs.cli.membership.MembershipCommand;
import io.steadfs.cli.open.OpenFilesCommand;
import io.steadfs.cli.process.FormatCommand;
import io.steadfs.cli.process.IoServerCommand;
import io.steadfs.cli.process.MdsCommand;
import io.steadfs.cli.process.ZooKeeperCommand;
import io.steadfs.cli.salvage.SalvageCommand;
import io.steadfs.cli.status.PartitionsCommand;
import io.steadfs.cli.status.StatusCommand;
import io.steadfs.cli.timeline.TimelineCommand;
import io.steadfs.cli.web.WebUiCommand;
import io.steadfs.config.ConfigException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Entry point of {@code bin/stead}. Each subcommand has its own class. {@link MoreCommands} adds the subcommands of
 * other modules.
 */
@Command(
        name = "stead",
        mixinStandardHelpOptions = true,
        version = "stead 0.1.0-SNAPSHOT",
        description = "SteadFS, a distributed file system for Hadoop and Spark.")
public final class Main implements Runnable {
    /** The commands, in the order in which the help lists them. */
    private static final List<Class<?>> COMMANDS = List.of(
            LocalCommand.class,
            FsCommand.class,
            StatusCommand.class,
            TimelineCommand.class,
            LeasesCommand.class,
            OpenFilesCommand.class,
            PartitionsCommand.class,
            FsckCommand.class,
            SalvageCommand.class,
            WebUiCommand.class,
            FormatCommand.class,
            MembershipCommand.class,
            AdminCommand.class,
            MdsCommand.class,
            IoServerCommand.class,
            ZooKeeperCommand.class,
            ClassArchiveCommand.class);

    /** The exit code if the command could not do everything that the user asked for. */
    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command line, with the exit codes and error messages that the process uses. */
    public static CommandLine commandLine() {
        List<Class<?>> commands = new ArrayList<>(COMMANDS);
        ServiceLoader.load(MoreCommands.class).forEach(more -> more.addTo(commands));
        CommandLine stead = new CommandLine(new Main());
        commands.forEach(stead::addSubcommand);
        return stead.setExecutionExceptionHandler(Main::tell);
    }

    /**
     * Prints an expected failure as one line. Any other failure is a fault of this program, so the method prints its
     * stack trace.
     */
    private static int tell(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof FileSystemException file) {
            String reason = file.getReason();
            command.getErr()
                    .println("stead: " + file.getFile() + ": "
                            + (reason == null ? file.getClass().getSimpleName() : reason));
        } else if (e instanceof IOException || e instanceof ConfigException) {
            command.getErr().println("stead: " + e.getMessage());
        } else {
            command.getErr().println("stead: unexpected: " + e);
            e.printStackTrace(command.getErr());
        }
        command.getErr().flush();
        return FAILED;
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.err);
    }
}
