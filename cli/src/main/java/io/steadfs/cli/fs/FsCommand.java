package io.steadfs.cli.fs;

import io.steadfs.cli.report.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs Hadoop's own shell with SteadFS as the default file system. */
@Command(
        name = "fs",
        mixinStandardHelpOptions = true,
        description = {
            "Run Hadoop's file system shell: -ls, -put, -get, -cat, -mkdir, -mv, -rm, -du, -stat and all the others.",
            "Paths without a scheme are in the file system of --uri, else of STEAD_URI, else of fs.defaultFS in"
                    + " HADOOP_CONF_DIR/core-site.xml, if set.",
            "The shell's own help: stead fs -help [command]. Its generic options -D key=value and -conf file work."
        },
        customSynopsis = "stead fs [--uri stead://host:port] [--json] -<command> [arguments]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:the shell's command failed",
            "2:wrong usage of stead",
            "255:wrong usage of the shell"
        })
public final class FsCommand implements Callable<Integer> {
    /** Names the file system where {@code --uri} does not. */
    static final String URI_VARIABLE = "STEAD_URI";

    private final Map<String, String> environment;

    @Option(names = "--uri", paramLabel = "URI", description = "the file system, for example stead://localhost:7410")
    private Optional<String> uri = Optional.empty();

    @Option(
            names = "--json",
            description = "print one JSON object with the shell's output and errors, as lines, and its exit code")
    private boolean json;

    @Parameters(paramLabel = "COMMAND", description = "a command of the shell and its arguments")
    private List<String> arguments = List.of();

    private CommandSpec spec = CommandSpec.create();

    public FsCommand() {
        this(System.getenv());
    }

    FsCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    /** What follows the options of ours is the shell's, dashes and all. */
    @Spec
    void setSpec(CommandSpec value) {
        value.parser()
                .unmatchedOptionsArePositionalParams(true)
                .stopAtPositional(true)
                .posixClusteredShortOptionsAllowed(false);
        spec = value;
    }

    @Override
    public Integer call() throws Exception {
        if (arguments.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "no command for the shell; for example: stead fs -ls /");
        }
        return json ? runCaptured() : run();
    }

    private int run() throws Exception {
        FsShell shell = new FsShell(configuration());
        SetrepWait wait = SetrepWait.of(arguments);
        try {
            // The shell says -1 for wrong usage, which a shell of the system sees as 255.
            int exitCode = ToolRunner.run(shell, wait.arguments().toArray(String[]::new)) & 0xff;
            if (exitCode == 0) {
                wait.note().ifPresent(System.err::println);
            }
            return exitCode;
        } finally {
            shell.close();
        }
    }

    private int runCaptured() throws Exception {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            exitCode = run();
        } finally {
            System.out.flush();
            System.err.flush();
            System.setOut(realOut);
            System.setErr(realErr);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("command", arguments);
        result.put("exitCode", exitCode);
        result.put("output", out.toString(StandardCharsets.UTF_8).lines().toList());
        result.put("errors", err.toString(StandardCharsets.UTF_8).lines().toList());
        System.out.println(Json.line(result));
        return exitCode;
    }

    Configuration configuration() {
        Configuration configuration = new Configuration();
        confFile().ifPresent(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        uri.or(() -> Optional.ofNullable(environment.get(URI_VARIABLE)))
                .filter(text -> !text.isBlank())
                .ifPresent(text -> configuration.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, text));
        return configuration;
    }

    private Optional<Path> confFile() {
        return Optional.ofNullable(environment.get("HADOOP_CONF_DIR"))
                .map(folder -> Path.of(folder, "core-site.xml"))
                .filter(Files::isRegularFile);
    }
}
