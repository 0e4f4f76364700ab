package io.steadfs.lab.bench.figure;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Progress;
import io.steadfs.config.ConfigException;
import io.steadfs.lab.bench.word.Words;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Repeats experiments of the papers that describe the create protocols and direct lookup. */
@Command(
        name = "figures",
        mixinStandardHelpOptions = true,
        description = {
            "Repeat an experiment of \"File Creation Strategies in a Distributed Metadata File System\", section 5, by its"
                    + " figure: 6, mean latency of a create against the number of IO servers, one client; 7, creates a"
                    + " second against the number of clients, in one directory; 8, creates a second against the number of"
                    + " metadata shards, 24 clients in many directories.",
            "Or one of the paper that describes h-flat, section 5: h5, writes to large files, h6, creates and small"
                    + " writes in 10 directories of each client, and h7, creates in one directory, against the number of"
                    + " servers of each sort, 64 clients; h8, the last two"
                    + " and stats for each server, of that of one server, with 6 clients for each server; stats also by"
                    + " clients that keep attributes for a second. lookup: creates and stats in deep directories of 64 clients"
                    + " against the number of shards, by both lookups. renames: mean latency of the rename of a task's"
                    + " directory, and of one that all shards have copies of, against the number of shards, one client.",
            "Each point has a new cluster in this process, with its data once in memory and once on disk. Files have a"
                    + " column on each IO server, or one in the experiments on lookups. All series take turns in small"
                    + " rounds. Only their work is timed; after a round its files are deleted, and the next one begins"
                    + " when the servers have removed them.",
            "Protocols that lease handles are shown twice: as they are by default, and as in the paper (L=20), with leases"
                    + " of 20 handles that are asked for when none is left.",
            "Writes figure-F-PLACE.csv and .png, and prints the means and the last one as a multiple of the first."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:something failed; the last line says what", "2:wrong usage"})
public final class FiguresCommand implements Callable<Integer> {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private static final int USUAL_ROUNDS = 10;
    private static final int MOST_COMMIT_DELAY_MILLIS = 1_000;

    @Option(
            names = "--figure",
            required = true,
            paramLabel = "F",
            description = "which one: 6, 7, 8, lookup, h5, h6, h7, h8, renames")
    private String figure = "";

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go; made if need be")
    private Path out = Path.of("");

    @Option(
            names = "--points",
            paramLabel = "X,...",
            split = ",",
            description = "numbers of IO servers, clients or shards; default: 1,2,4,8,12,16,20,26 for figure 6,"
                    + " 1,2,4,8,14,16,20,24 for 7, 1,2,3,4,6,8,12 for 8, 1,3,12 for renames,"
                    + " 1,2,4,8,12 for others")
    private List<Integer> points = new ArrayList<>();

    @Option(
            names = "--protocols",
            paramLabel = "P,...",
            description = "create protocols, as of bench create; default: all; unified for lookups")
    private Optional<String> protocols = Optional.empty();

    @Option(
            names = "--lookups",
            paramLabel = "L,...",
            split = ",",
            description = "how clients look up paths, component or direct; both take turns; default: direct, in figure"
                    + " lookup both")
    private List<String> lookups = new ArrayList<>();

    @Option(
            names = "--works",
            paramLabel = "W,...",
            split = ",",
            description = "figures 8, lookup: create, stat of files, and move of directories to other parents; all take"
                    + " turns; default: create, in figure lookup create and stat")
    private List<String> works = new ArrayList<>();

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "0",
            description = "figures 8, lookup: number of clients; default: 24, 64")
    private int clients;

    @Option(
            names = "--depth",
            paramLabel = "D",
            defaultValue = "0",
            description = "figures 8, lookup: names in the path of a directory in which files are; default: 2, 4")
    private int depth;

    @Option(
            names = "--creates",
            paramLabel = "C",
            defaultValue = "1000",
            description = "figure 6: creates of each protocol at each point; default: ${DEFAULT-VALUE}")
    private int creates;

    @Option(
            names = "--rounds",
            paramLabel = "R",
            defaultValue = "0",
            description = "all but 6: rounds of each series at each point, each a sample of the rate; default: "
                    + USUAL_ROUNDS)
    private int rounds;

    @Option(
            names = "--files",
            paramLabel = "F",
            defaultValue = "0",
            description =
                    "all but 6: files of each client in a round, or parts of a large file, or renames; in 8 and lookup each is"
                            + " in a directory of its own; default: 120 for 7, 20 for others")
    private int files;

    @Option(
            names = "--warm-up",
            paramLabel = "F",
            defaultValue = "20",
            description = "files of each client at each point before the clock starts; default: ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--rehearsal",
            paramLabel = "F",
            defaultValue = "2000",
            description = "files of each protocol before all that, at the first point of each place, until Java has"
                    + " compiled what it runs; default: ${DEFAULT-VALUE}")
    private int rehearsal;

    @Option(
            names = "--on",
            paramLabel = "PLACE,...",
            split = ",",
            description = "memory, disk; default: both, or disk where there is no /dev/shm and no --memory")
    private List<String> on = new ArrayList<>();

    @Option(
            names = "--memory",
            paramLabel = "DIR",
            description = "a folder on a file system in memory; default: /dev/shm if it is there")
    private Optional<Path> memory = Optional.empty();

    @Option(
            names = "--disk",
            paramLabel = "DIR",
            description = "a folder on a disk; default: Java's folder for temporary files")
    private Optional<Path> disk = Optional.empty();

    @Option(
            names = "--commit-delay-ms",
            paramLabel = "T",
            defaultValue = "2",
            description =
                    "all but 6, 7 and renames: by how much each synced commit of every server is made longer, without use of a"
                            + " processor, so that few processors do for many shards; in lookup and h5 to h8 also for how long"
                            + " each read takes its shard; default: ${DEFAULT-VALUE}")
    private int commitDelayMillis;

    @Option(
            names = "--batch-requests",
            paramLabel = "B",
            defaultValue = "1",
            description =
                    "all but 6, 7 and renames: most requests that a server commits at once; 1, as in the paper, makes a shard slow"
                            + " enough to need others; 1024 is what shards do by default; default: ${DEFAULT-VALUE}")
    private int batchRequests;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a configuration key of metadata or IO servers, above what the figure sets; may be repeated")
    private Map<String, String> settings = new TreeMap<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        FigurePlan plan;
        List<Place> places;
        try {
            plan = plan();
            places = places();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        Files.createDirectories(out);
        for (Place place : places) {
            write(table(plan, place, progress), place, progress);
        }
        return 0;
    }

    private static MeasuredTable table(FigurePlan plan, Place place, Progress progress)
            throws IOException, InterruptedException {
        MeasuredTable table = new MeasuredTable(plan.figure(), measure(plan, place, progress));
        return plan.figure() == Figure.FOR_EACH_SERVER ? table.forEachServer() : table;
    }

    private static List<Measured> measure(FigurePlan plan, Place place, Progress progress)
            throws IOException, InterruptedException {
        List<Measured> all = new ArrayList<>();
        boolean first = true;
        for (int point : plan.points()) {
            progress.say("figure " + plan.figure().id + ", " + place.name() + ": " + point + " " + plan.figure().x);
            try (Cleanup cleanup = new Cleanup()) {
                PointBench bench = new PointBench(plan, point, place, cleanup);
                if (first || plan.figure().needsRehearsalAtEachPoint()) {
                    bench.rehearse(plan.rehearsal());
                    first = false;
                }
                all.addAll(bench.run());
            }
        }
        return all;
    }

    /**
     * Writes the numbers first, and the picture last. If the picture cannot be drawn, the user reads one line about
     * that, and keeps the numbers.
     */
    private void write(MeasuredTable table, Place place, Progress progress) throws IOException {
        String name = "figure-" + figure + "-" + place.name();
        Files.writeString(out.resolve(name + ".csv"), table.csv());
        PrintWriter printed = spec.commandLine().getOut();
        printed.println("Figure " + figure + ", " + place.name());
        printed.println(table.text());
        printed.flush();
        try {
            Picture.draw(table, place.name(), out.resolve(name + ".png"));
        } catch (IOException e) {
            progress.say("no picture " + out.resolve(name + ".png") + ": " + e.getMessage());
        }
    }

    private FigurePlan plan() {
        Figure which = Figure.of(figure);
        boolean latency = which == Figure.LATENCY;
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!which.takes(option.longestName())) {
                throw new IllegalArgumentException(option.longestName() + " changes nothing in --figure " + figure);
            }
        }
        if (creates < 1) {
            throw new IllegalArgumentException("--creates " + creates + " is less than 1");
        }
        if (commitDelayMillis < 0 || commitDelayMillis > MOST_COMMIT_DELAY_MILLIS) {
            throw new IllegalArgumentException(
                    "--commit-delay-ms " + commitDelayMillis + " is not in 0.." + MOST_COMMIT_DELAY_MILLIS);
        }
        if (protocols.isPresent() && !works.isEmpty() && !works.contains(Words.of(Work.CREATE))) {
            throw new IllegalArgumentException("--protocols changes nothing: there is no create among --works");
        }
        int small = Math.min(which.usualFiles(), creates);
        return new FigurePlan(
                which,
                Protocol.parseAll(protocols.orElseGet(() -> which.isOfLookup()
                        ? Protocol.UNIFIED.toString()
                        : Arrays.stream(Protocol.values())
                                .map(Protocol::toString)
                                .collect(Collectors.joining(",")))),
                works.isEmpty() ? which.usualWorks() : Words.parseAll(Work.class, "--works", works),
                lookups.isEmpty() ? which.usualLookups() : Words.parseAll(Lookup.class, "--lookups", lookups),
                points.isEmpty() ? which.usualPoints() : points,
                clients,
                depth == 0 ? which.usualDepth() : depth,
                latency ? (creates + small - 1) / small : rounds == 0 ? USUAL_ROUNDS : rounds,
                latency ? small : files == 0 ? which.usualFiles() : files,
                warmUp,
                rehearsal,
                which.hasSlowCommits() ? commitDelayMillis * 1000L : 0,
                which.hasSlowCommits() ? batchRequests : 0,
                checked(settings));
    }

    private static Map<String, String> checked(Map<String, String> settings) {
        try {
            ServerKeys.MDS.and(ServerKeys.IO).check(settings, "--set");
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return settings;
    }

    private List<Place> places() {
        Optional<Path> inMemory = memory.or(() -> Optional.of(SHARED_MEMORY).filter(Files::isDirectory));
        Path onDisk = disk.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        List<String> names = on;
        if (names.isEmpty()) {
            names = inMemory.isPresent() ? List.of("memory", "disk") : List.of("disk");
        }
        List<Place> places = new ArrayList<>();
        for (String name : names) {
            Path folder = switch (name) {
                case "memory" ->
                    inMemory.orElseThrow(() -> new IllegalArgumentException(
                            "--on memory: there is no " + SHARED_MEMORY + "; name a folder with --memory"));
                case "disk" -> onDisk;
                default -> throw new IllegalArgumentException("--on '" + name + "' is neither memory nor disk");
            };
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException("--" + name + " " + folder + " is no folder");
            }
            places.add(new Place(name, folder));
        }
        return places;
    }
}
