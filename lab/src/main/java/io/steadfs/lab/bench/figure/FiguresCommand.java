package io.steadfs.lab.bench.figure;

import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Progress;
import io.steadfs.config.ConfigException;
import io.steadfs.lab.bench.figure.ground.Experiment;
import io.steadfs.lab.bench.figure.ground.Outcome;
import io.steadfs.lab.bench.figure.ground.Picture;
import io.steadfs.lab.bench.figure.ground.Place;
import io.steadfs.lab.bench.figure.ground.SlowCommits;
import io.steadfs.lab.bench.figure.growth.GrowthExperiment;
import io.steadfs.lab.bench.figure.growth.GrowthPlan;
import io.steadfs.lab.bench.figure.growth.GrowthSeries;
import io.steadfs.lab.bench.figure.listing.ListingExperiment;
import io.steadfs.lab.bench.figure.listing.ListingPlan;
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

/** Repeats experiments of the papers that describe the create protocols, direct lookup and split directories. */
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
            "Or one of the paper that describes SkyeFS, section 6: s7, creates a second over time in one directory of all"
                    + " clients, without a hint and presplit, beside a directory on each shard, 10 clients for each shard; s8,"
                    + " time to the first and the last entry of a listing, against the number of entries. Both with several"
                    + " numbers of shards.",
            "Each point has a new cluster in this process, with its data once in memory and once on disk. Files have a"
                    + " column on each IO server, or one in the experiments on lookups. All series take turns in small"
                    + " rounds. Only their work is timed; after a round its files are deleted, and the next one begins"
                    + " when the servers have removed them.",
            "Protocols that lease handles are shown twice: as they are by default, and as in the paper (L=20), with leases"
                    + " of 20 handles that are asked for when none is left.",
            "Writes figure-F-PLACE.csv and .png, and prints the means and the last one as a multiple of the first. s7 also"
                    + " writes figure-s7-PLACE-steady.csv, with steady rates, how soon they were reached, and ratios."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:something failed; the last line says what", "2:wrong usage"})
public final class FiguresCommand implements Callable<Integer> {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Option(
            names = "--figure",
            required = true,
            paramLabel = "F",
            description = "which one: 6, 7, 8, lookup, h5, h6, h7, h8, renames, s7, s8")
    private String figure = "";

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go; made if need be")
    private Path out = Path.of("");

    @Option(
            names = "--points",
            paramLabel = "X,...",
            split = ",",
            description = "numbers of IO servers, clients or shards; default: 1,2,4,8,12,16,20,26 for figure 6,"
                    + " 1,2,4,8,14,16,20,24 for 7, 1,2,3,4,6,8,12 for 8, 1,3,12 for renames, s7 and s8,"
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
            description =
                    "figures 8, lookup: number of clients; s7: for each shard; s8: that make the files; default: 24,"
                            + " 64, 10, 16")
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
            description = "all but 6: rounds of each series at each point, each a sample of the rate; in s8 listings of"
                    + " each directory; default: 10, 2 for s7")
    private int rounds;

    @Option(
            names = "--files",
            paramLabel = "F",
            defaultValue = "0",
            description =
                    "all but 6, s7 and s8: files of each client in a round, or parts of a large file, or renames; in 8 and lookup each is"
                            + " in a directory of its own; default: 120 for 7, 20 for others")
    private int files;

    @Option(
            names = "--warm-up",
            paramLabel = "F",
            defaultValue = "20",
            description = "all but s7 and s8: files of each client at each point before the clock starts; default:"
                    + " ${DEFAULT-VALUE}")
    private int warmUp;

    @Option(
            names = "--rehearsal",
            paramLabel = "F",
            description = "files of each protocol before all that, at the first point of each place, until Java has"
                    + " compiled what it runs; in renames at each point; in s7 files of each series for each shard, at each point; in s8 entries"
                    + " that are listed at each point; default: 2000, 20000 for s7, 1000000 for s8")
    private Optional<Integer> rehearsal = Optional.empty();

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "" + GrowthPlan.USUAL_SECONDS,
            description = "s7: how long clients create files in each turn; the steady state is the last third; default:"
                    + " ${DEFAULT-VALUE}")
    private int seconds;

    @Option(
            names = "--series",
            paramLabel = "S,...",
            split = ",",
            description = "s7: splitting, presplit, separate; all take turns; default: all")
    private List<String> series = new ArrayList<>();

    @Option(
            names = "--entries",
            paramLabel = "E,...",
            split = ",",
            description = "s8: numbers of files in the listed directories; default: 1000,10000,200000,2000000")
    private List<Integer> entries = new ArrayList<>();

    @Option(
            names = "--on",
            paramLabel = "PLACE,...",
            split = ",",
            description = "memory, disk; default: both, in s7 and s8 memory; disk where there is no /dev/shm and no"
                    + " --memory")
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
                    "all but 6, 7, renames and s8: by how much each synced commit of every server is made longer, without use of a"
                            + " processor, so that few processors do for many shards; in lookup and h5 to h8 also for how long"
                            + " each read takes its shard; default: ${DEFAULT-VALUE}")
    private int commitDelayMillis;

    @Option(
            names = "--batch-requests",
            paramLabel = "B",
            defaultValue = "1",
            description =
                    "all but 6, 7, renames and s8: most requests that a server commits at once; 1, as in the paper, makes a shard slow"
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
        Experiment experiment;
        List<Place> places;
        try {
            Figure which = Figure.of(figure);
            refuseIdle(which);
            experiment = experiment(which);
            places = places(which);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        Files.createDirectories(out);
        for (Place place : places) {
            write(experiment.measure(place, progress), place, progress);
        }
        return 0;
    }

    /**
     * Writes the numbers first, and the picture last. If the picture cannot be drawn, the user reads one line about
     * that, and keeps the numbers.
     */
    private void write(Outcome outcome, Place place, Progress progress) throws IOException {
        String name = "figure-" + figure + "-" + place.name();
        for (Map.Entry<String, String> csv : outcome.csvFiles().entrySet()) {
            Files.writeString(out.resolve(name + csv.getKey() + ".csv"), csv.getValue());
        }
        PrintWriter printed = spec.commandLine().getOut();
        printed.println("Figure " + figure + ", " + place.name());
        printed.println(outcome.text());
        printed.flush();
        try {
            Picture.draw(outcome.chart(), place.name(), out.resolve(name + ".png"));
        } catch (IOException e) {
            progress.say("no picture " + out.resolve(name + ".png") + ": " + e.getMessage());
        }
    }

    /** Refuses options that change nothing in the figure. */
    private void refuseIdle(Figure which) {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!which.takes(option.longestName())) {
                throw new IllegalArgumentException(option.longestName() + " changes nothing in --figure " + figure);
            }
        }
    }

    private Experiment experiment(Figure which) {
        return switch (which) {
            case GROWTH ->
                new GrowthExperiment(new GrowthPlan(
                        pointsOf(which),
                        series.isEmpty()
                                ? List.of(GrowthSeries.values())
                                : Words.parseAll(GrowthSeries.class, "--series", series),
                        clients == 0 ? which.clients(1) : clients,
                        seconds,
                        roundsOf(which),
                        rehearsalOf(which),
                        commits(which),
                        checked(settings)));
            case LISTING ->
                new ListingExperiment(new ListingPlan(
                        pointsOf(which),
                        entries.isEmpty() ? ListingPlan.USUAL_ENTRIES : entries,
                        clients == 0 ? which.clients(1) : clients,
                        roundsOf(which),
                        rehearsalOf(which),
                        checked(settings)));
            default -> new PointsExperiment(plan(which));
        };
    }

    private FigurePlan plan(Figure which) {
        boolean latency = which == Figure.LATENCY;
        if (creates < 1) {
            throw new IllegalArgumentException("--creates " + creates + " is less than 1");
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
                pointsOf(which),
                clients,
                depth == 0 ? which.usualDepth() : depth,
                latency ? (creates + small - 1) / small : roundsOf(which),
                latency ? small : files == 0 ? which.usualFiles() : files,
                warmUp,
                rehearsalOf(which),
                commits(which),
                checked(settings));
    }

    private List<Integer> pointsOf(Figure which) {
        return points.isEmpty() ? which.usualPoints() : points;
    }

    private int roundsOf(Figure which) {
        return rounds == 0 ? which.usualRounds() : rounds;
    }

    private int rehearsalOf(Figure which) {
        return rehearsal.orElseGet(which::usualRehearsal);
    }

    private SlowCommits commits(Figure which) {
        return which.hasSlowCommits() ? new SlowCommits(commitDelayMillis, batchRequests) : SlowCommits.NONE;
    }

    private static Map<String, String> checked(Map<String, String> settings) {
        try {
            ServerKeys.MDS.and(ServerKeys.IO).check(settings, "--set");
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return settings;
    }

    private List<Place> places(Figure which) {
        Optional<Path> inMemory = memory.or(() -> Optional.of(SHARED_MEMORY).filter(Files::isDirectory));
        Path onDisk = disk.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
        List<String> names = on;
        if (names.isEmpty()) {
            names = inMemory.isEmpty()
                    ? List.of("disk")
                    : which.isOfSkyeFs() ? List.of("memory") : List.of("memory", "disk");
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
