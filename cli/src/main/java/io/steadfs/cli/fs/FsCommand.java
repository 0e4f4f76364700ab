package io.steadfs.cli.fs;

import io.steadfs.cli.connect.NamedFileSystem;
import io.steadfs.cli.report.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.Tool;
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
            "Run Hadoop's file system shell: -ls, -put, -get, -cat, -mkdir, -mv, -rm, -du, -stat and all the others, and -ln and -readlink for symbolic links.",
            "Paths without a scheme are in the file system of --uri, else of STEAD_URI, else of fs.defaultFS in"
                    + " HADOOP_CONF_DIR/core-site.xml; where none of them names one, nothing is done. Listings are sorted by"
                    + " name.",
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
    private static final String DEFAULT = CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY;
    private static final String HADOOP_DEFAULTS = "core-default.xml";
    private static final String LOCAL_DISK = "file:";
    /**
     * The setting for the largest number of entries in a sorted listing. Sorted listings are easier to read, and this
     * process has enough memory to sort large listings.
     */
    private static final String SORTED_ENTRIES = "fs.stead.list.sorted.entries";

    private static final String SORTED_FOR_PEOPLE = "1000000";

    private final NamedFileSystem named;

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
        this.named = new NamedFileSystem(environment);
    }

    /** All arguments after the options of this command belong to Hadoop's shell, even if they begin with a dash. */
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
        SetrepWait wait = SetrepWait.of(arguments);
        // Hadoop's shell returns -1 for wrong usage. The system's shell would show -1 as 255.
        int exitCode =
                ToolRunner.run(configuration(), new Shell(), wait.arguments().toArray(String[]::new)) & 0xff;
        if (exitCode == 0) {
            wait.note().ifPresent(System.err::println);
        }
        return exitCode;
    }

    /**
     * Runs Hadoop's shell after Hadoop's generic options were read, because such an option can name the file system
     * too.
     */
    private final class Shell extends Configured implements Tool {
        @Override
        public int run(String[] rest) throws Exception {
            Configuration configuration = getConf();
            checkNamed(configuration);
            configuration.setIfUnset(SORTED_ENTRIES, SORTED_FOR_PEOPLE);
            FsShell shell = new SteadShell(configuration);
            try {
                return shell.run(rest);
            } finally {
                shell.close();
            }
        }
    }

    /**
     * Hadoop's built-in default file system is the local disk. If a user forgets to name a file system, the command
     * must not work on the local disk.
     */
    private void checkNamed(Configuration configuration) {
        String[] sources = configuration.getPropertySources(DEFAULT);
        if (sources == null || sources[sources.length - 1].equals(HADOOP_DEFAULTS)) {
            throw new ParameterException(spec.commandLine(), NamedFileSystem.MISSING);
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

    /**
     * Hadoop's configuration. A file system that {@code --uri} or the environment names becomes the default file
     * system.
     */
    Configuration configuration() {
        Configuration configuration = named.configuration();
        Optional<NamedFileSystem.Named> found = named.find(uri);
        found.filter(one -> uri.isEmpty() && one.text().startsWith(LOCAL_DISK)).ifPresent(one -> {
            throw new ParameterException(
                    spec.commandLine(),
                    one.where() + " names the local disk, '" + one.text() + "', and not a file system of servers");
        });
        found.ifPresent(one -> configuration.set(DEFAULT, one.text()));
        return configuration;
    }
}
