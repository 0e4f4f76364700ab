package io.steadfs.lab.bench;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.NamedFileSystem;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.OwnCluster;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Progress;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures creates: the rate, the latency of each create, and the messages, steps and fsyncs of each create. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        description = {
            "Create files and say what each took: time, messages, steps, fsyncs.",
            "Each client is a thread with a session and connections of its own. It creates a file, writes the bytes,"
                    + " closes it, and takes the next; with --bytes 0 it closes the file without a write. Latency is told"
                    + " twice: until create returns (the name is durable) and until close returns (bytes and length are).",
            "Messages are counted on the servers, where they arrive: with protocol unified, of a file with bytes in one"
                    + " column CREATE, WRITE, CLOSE; of an empty one CREATE, CLOSE. Steps are waits that nothing else hides, counted by the"
                    + " client. Fsyncs are those of all servers, divided by the files.",
            "A file of B bytes has bytes in min(width, B / strip size rounded up) columns."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:something failed; the last line says what", "2:wrong usage"})
final class CreateBenchCommand implements Callable<Integer> {
    private static final int SIDE_BY_SIDE_ROUNDS = 10;

    /** The cluster to measure: a running cluster or a cluster in this process. */
    static final class Where {
        @Option(
                names = "--uri",
                paramLabel = "URI",
                description =
                        "a running cluster, for example stead://localhost:7410; without it and --local: what STEAD_URI"
                                + " names, else fs.defaultFS in HADOOP_CONF_DIR/core-site.xml")
        private Optional<String> uri = Optional.empty();

        @Option(
                names = "--local",
                description = "start a cluster in this process; it then shares processors with the clients")
        private boolean local;
    }

    @ArgGroup(multiplicity = "0..1")
    private Where where = new Where();

    @Option(
            names = "--protocol",
            paramLabel = "P",
            defaultValue = "unified",
            description =
                    "create protocol: unified, basecase, compound, leased, precreated, delegated, lazy, or eager, which is unified with leased"
                            + " datafiles for all columns; several, separated by commas, take turns and are compared with"
                            + " the first; default: ${DEFAULT-VALUE}")
    private String protocol = "unified";

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "0",
            description =
                    "rounds of each protocol, among which its files are dealt out; default: 1, and 10 where protocols"
                            + " are compared")
    private int rounds;

    @Option(names = "--clients", paramLabel = "C", defaultValue = "1", description = "default: ${DEFAULT-VALUE}")
    private int clients;

    @Option(
            names = "--files",
            paramLabel = "F",
            defaultValue = "1000",
            description = "files of each client, with each protocol; default: ${DEFAULT-VALUE}")
    private int files;

    @Option(
            names = "--bytes",
            paramLabel = "B",
            defaultValue = "0",
            description = "bytes of each file; default: ${DEFAULT-VALUE}")
    private int bytes;

    @Option(
            names = "--dirs",
            paramLabel = "shared|split",
            defaultValue = "shared",
            description = "all clients in one directory, or each in its own; default: ${DEFAULT-VALUE}")
    private String dirs = "shared";

    @Option(
            names = "--expected-files",
            paramLabel = "F",
            defaultValue = "0",
            description =
                    "with --dirs shared: say that the directory gets so many files, so that it is spread over several"
                            + " partitions; default: nothing is said")
    private long expectedFiles;

    @Option(
            names = "--width",
            paramLabel = "N",
            defaultValue = "0",
            description = "columns of each file; default: the cluster's")
    private int width;

    @Option(
            names = "--strip-size",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "bytes of a strip; default: the cluster's")
    private int stripSize;

    @Option(
            names = "--warm-up",
            paramLabel = "F",
            defaultValue = "500",
            description = "files of each client before the clock starts; default: ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--io",
            paramLabel = "N",
            defaultValue = "4",
            description = "IO servers with --local; default: ${DEFAULT-VALUE}")
    private int ioServers;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "data with --local; default: a temporary folder, removed at the end")
    private Optional<Path> dir = Optional.empty();

    @Option(names = "--keep", description = "do not remove the files at --uri")
    private boolean keep;

    @Option(names = "--json", description = "print the result as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        CreatePlan plan = checked(this::plan);
        Optional<SteadUri> given = checked(() -> where.local
                ? Optional.empty()
                : Optional.of(NamedFileSystem.ofProcess().servers(where.uri).get(0)));

        try (Cleanup cleanup = new Cleanup()) {
            SteadUri cluster = given.isPresent() ? given.get() : start(cleanup, progress);
            Connections connections = cleanup.add(Connections.ofProcess());
            FsPath folder = FsPath.parse("/bench/create-" + System.currentTimeMillis() + "-"
                    + ProcessHandle.current().pid());
            CreateBench bench = cleanup.add(new CreateBench(cluster, connections, plan, folder, progress));
            // Only files in a given cluster are removed here. The files of a cluster in this process vanish with its
            // temporary folder or stay in --dir.
            if (given.isPresent() && !keep) {
                cleanup.add(bench::removeFiles);
            }
            List<CreateResult> results = bench.run();
            out.println(results.size() == 1 ? told(results.get(0)) : told(new SideBySide(results)));
            out.flush();
        }
        return 0;
    }

    private String told(CreateResult result) {
        return json ? result.json() : result.text();
    }

    private String told(SideBySide results) {
        return json ? results.json() : results.text();
    }

    private CreatePlan plan() {
        List<Protocol> protocols = Protocol.parseAll(protocol);
        int usualRounds = protocols.size() == 1 ? 1 : Math.min(SIDE_BY_SIDE_ROUNDS, files);
        return new CreatePlan(
                protocols,
                clients,
                files,
                rounds == 0 ? Math.max(1, usualRounds) : rounds,
                bytes,
                shared(),
                expectedFiles,
                warmUp,
                width,
                stripSize);
    }

    private boolean shared() {
        return switch (dirs) {
            case "shared" -> true;
            case "split" -> false;
            default -> throw new IllegalArgumentException("--dirs '" + dirs + "' is neither shared nor split");
        };
    }

    private <T> T checked(java.util.function.Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private SteadUri start(Cleanup cleanup, Progress progress) throws IOException {
        Path data = dir.isPresent() ? dir.get() : cleanup.temporaryFolder("stead-bench-");
        progress.say("starting a cluster with " + ioServers + " IO servers in " + data);
        return OwnCluster.start(data, ioServers, cleanup);
    }
}
