package io.steadfs.lab.demo;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.OwnCluster;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.report.Progress;
import io.steadfs.cli.web.WebService;
import io.steadfs.layout.ProtocolName;
import io.steadfs.path.FsPath;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows that a Spark job works on SteadFS, and checks the job's result. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Run a Spark job on SteadFS and check its result.",
            "Starts a cluster in this process, copies texts in, lets Spark (a process of its own, with nothing of SteadFS"
                    + " on its class path but the client jar, and no setting) count their words, write the counts as"
                    + " partitioned Parquet and read them back, and compares all sums with a plain count of the original"
                    + " files. Says what it does on standard error, the result on standard output.",
            "A word is a longest run of ASCII letters. Hidden and compressed files are left out."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:Spark's sums agree with the plain count",
            "1:the demo could not be run to its end; the last line says why",
            "2:wrong usage",
            "3:a sum differs"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int DIFFERENT = 3;

    @Parameters(
            arity = "0..1",
            paramLabel = "FOLDER",
            description = "texts to count; default: the licence and notice texts of the running JDK")
    private Optional<Path> folder = Optional.empty();

    @Option(names = "--uri", paramLabel = "URI", description = "use this running cluster instead of starting one")
    private Optional<String> uri = Optional.empty();

    @Option(
            names = "--io",
            paramLabel = "N",
            defaultValue = "4",
            description = "IO servers of the cluster that is started; default: ${DEFAULT-VALUE}")
    private int ioServers;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "keep the started cluster's data here; default: a temporary folder, removed at the end")
    private Optional<Path> dir = Optional.empty();

    @Option(
            names = "--keep",
            description = "keep the files at --uri; or serve those of the cluster started here until Ctrl-C")
    private boolean keep;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            description =
                    "how the job creates files: unified, basecase, compound, leased, precreated, delegated, lazy or adaptive;"
                            + " default: adaptive, as for every job")
    private Optional<String> protocol = Optional.empty();

    @Option(names = "--eager", description = "let each file have datafiles for all columns from the beginning")
    private boolean eager;

    @Option(names = "--no-webui", description = "start no web interface beside the cluster")
    private boolean withoutWebUi;

    @Option(names = "--json", description = "print the result as one JSON object")
    private boolean json;

    @Option(
            names = "--plant-difference",
            hidden = true,
            description = "add a word to the plain count, to see that a difference is found")
    private boolean plantDifference;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        settings();
        Progress progress = new Progress("demo", spec.commandLine().getErr());
        Optional<SteadUri> given = givenCluster();
        Texts texts = Texts.in(folder.orElseGet(Texts::ofJdk));
        if (texts.leftOut() > 0) {
            progress.say(texts.leftOut() + " files left out because they are hidden or compressed");
        }
        SparkClassPath classPath = SparkClassPath.under(home());

        try (Cleanup cleanup = new Cleanup()) {
            SteadUri cluster = given.isPresent() ? given.get() : start(cleanup, progress);
            Connections connections = cleanup.add(Connections.ofProcess());
            Connection connection = cleanup.add(connections.open(cluster));
            FsPath place = freePlace();
            // Only files in a given cluster are removed here. The files of a cluster in this process vanish with its
            // temporary folder or stay in --dir.
            if (given.isPresent() && !keep) {
                cleanup.add(() -> {
                    if (connection.fs().find(place).isPresent()) {
                        connection.fs().delete(place, true);
                    }
                });
            }

            PlainCount plain = PlainCount.of(texts);
            if (plantDifference) {
                plain.add("difference", 1);
            }
            DemoResult result =
                    new Demo(cluster, connection, place, classPath, settings(), cleanup, progress).run(texts, plain);
            out.print(json ? result.json() + System.lineSeparator() : result.text());
            out.flush();
            next(progress, cluster, place, given.isEmpty());
            return result.agrees() ? 0 : DIFFERENT;
        }
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        try {
            protocol.ifPresent(name -> settings.put(
                    "stead.create.protocol", ProtocolName.parse(name).toString()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "--protocol: '" + protocol.orElse("") + "' " + e.getMessage(), e);
        }
        if (eager) {
            settings.put("stead.layout.eager", "true");
        }
        return settings;
    }

    private Optional<SteadUri> givenCluster() {
        try {
            return uri.map(SteadUri::parse);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--uri: " + e.getMessage(), e);
        }
    }

    private SteadUri start(Cleanup cleanup, Progress progress) throws IOException {
        Path data = dir.isPresent() ? dir.get() : cleanup.temporaryFolder("stead-demo-");
        progress.say("starting a cluster with " + ioServers + " IO servers in " + data);
        SteadUri cluster = OwnCluster.start(data, ioServers, cleanup);
        if (!withoutWebUi) {
            WebService web = cleanup.add(WebService.start(
                    cluster,
                    WebServer.Options.onLoopback(0, data.resolve("webui")),
                    Configured.of("all servers of this cluster", ServerKeys.LOCAL, key -> Optional.empty())));
            progress.say("web interface at " + web.uri());
            web.firstUser().ifPresent(progress::say);
        }
        return cluster;
    }

    /** Returns a new folder for each run, so that several runs on one cluster do not use the same folder. */
    private static FsPath freePlace() throws IOException {
        String time = LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        return FsPath.parse("/demo/" + time + "-" + ProcessHandle.current().pid());
    }

    private static Path home() {
        return Path.of(System.getProperty("stead.home", "")).toAbsolutePath();
    }

    private void next(Progress progress, SteadUri cluster, FsPath place, boolean own) throws InterruptedException {
        if (!keep) {
            progress.say("to look around afterwards: stead demo --keep");
            return;
        }
        progress.say("next, try: bin/stead fs --uri " + cluster + " -ls -R " + place);
        if (own) {
            progress.say("serving " + cluster + " until Ctrl-C");
            new CountDownLatch(1).await();
        }
    }
}
