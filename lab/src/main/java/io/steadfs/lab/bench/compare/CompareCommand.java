package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.config.ConfigException;
import io.steadfs.lab.bench.compare.cold.ClientProcess;
import io.steadfs.lab.bench.compare.cold.ColdWork;
import io.steadfs.lab.bench.compare.system.ClusterSize;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.system.HdfsContender;
import io.steadfs.lab.bench.compare.system.SteadContender;
import io.steadfs.lab.bench.compare.system.SteadHome;
import io.steadfs.lab.bench.compare.work.WorkKind;
import io.steadfs.lab.bench.machine.Machine;
import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the speed of SteadFS with HDFS, with the same SteadFS, or with another build of SteadFS. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Do the same work through Hadoop's FileSystem on SteadFS and on HDFS, both on this machine in one run, and say how"
                    + " many times as fast SteadFS is. With --same or --beside the other one is SteadFS too.",
            "Both have a metadata server, if --mds says nothing else of SteadFS, and as many data servers, each in a process of"
                    + " its own, with one copy of the data."
                    + " HDFS is as released, but syncs a block when its file is closed, as SteadFS does, and its client waits"
                    + " shorter when a block is not reported yet. All threads of this process share one FileSystem of each.",
            "Rounds take turns, there and back, and begin when the servers are at rest. Works: create,"
                    + " create-separate, create-4k, stat, stat-miss, rename, delete, list, read-4k, spark, stream-write,"
                    + " stream-read.",
            "Reports rates, ratios, p50 and p99 latency, what an operation takes, and with one thread the floor:"
                    + " what the bare messages and fsyncs of a work allow. Latency is from call to return of one"
                    + " operation; of streams it is of one whole file. Writes compare.json, compare.md and compare.png."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:something failed; the last line says what", "2:wrong usage"})
public final class CompareCommand implements Callable<Integer> {
    private static final String CLOSE_SYNC = "stead.close.sync";

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "where the report goes; made if need be")
    private Path out = Path.of("");

    @Option(
            names = "--quick",
            description =
                    "fewer and shorter rounds, fewer threads, smaller streams, no memory: at most 15 minutes on two processors")
    private boolean quick;

    @Option(
            names = "--works",
            paramLabel = "W,...",
            split = ",",
            description = "only these; default: all but create-separate")
    private List<String> works = new ArrayList<>();

    @Option(
            names = "--threads",
            paramLabel = "T,...",
            split = ",",
            description =
                    "numbers of threads, but of streams, of which there are 1 and 4; default: 1,8,24; quick: 1,24")
    private List<Integer> threads = new ArrayList<>();

    @Option(
            names = "--visits",
            paramLabel = "V",
            description =
                    "how often all works are gone through, so that no ratio has all its rounds in the same minute;"
                            + " none but the first goes on when --minutes are over; default: 1; quick: 2")
    private Optional<Integer> visits = Optional.empty();

    @Option(
            names = "--rounds",
            paramLabel = "R",
            description = "of each work in each visit; default: 9; quick: 2, and more in the end, see --minutes")
    private Optional<Integer> rounds = Optional.empty();

    @Option(
            names = "--uncounted-rounds",
            paramLabel = "R",
            description =
                    "before the rounds of a visit, until Java's compilers take less than a tenth of what servers and clients"
                            + " take of the processors, but not more than so many; default: 0; quick: 3")
    private Optional<Integer> uncountedRounds = Optional.empty();

    @Option(
            names = "--round-ms",
            paramLabel = "MS",
            description = "how long a round should take; default: 3000; quick: 600")
    private Optional<Integer> roundMillis = Optional.empty();

    @Option(
            names = "--rehearsal-ms",
            paramLabel = "MS",
            description =
                    "how long each work is done on each system before anything is measured, until Java has compiled"
                            + " what it runs; half as long for each data server if they have a part in it;"
                            + " default: 10000; quick: 7000")
    private Optional<Integer> rehearsalMillis = Optional.empty();

    @Option(
            names = "--minutes",
            paramLabel = "M",
            description =
                    "when all have had their rounds, those whose ratios are least certain get more until the run has taken"
                            + " so long; default: 0, none do; quick: 14")
    private Optional<Integer> minutes = Optional.empty();

    @Option(
            names = "--stream-mib",
            paramLabel = "MIB",
            description = "bytes of all streams together; default: 1024; quick: 512")
    private Optional<Integer> streamMebibytes = Optional.empty();

    @Option(
            names = "--memory-files",
            paramLabel = "F",
            description =
                    "files before and after which memory is measured, before all else; 0: not at all; default: 500000;"
                            + " quick: 0")
    private Optional<Integer> memoryFiles = Optional.empty();

    @Option(
            names = "--mds",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "metadata servers of SteadFS, of both with --same and --beside; HDFS has one NameNode; default:"
                            + " ${DEFAULT-VALUE}")
    private int mds;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "metadata shards of SteadFS, at least as many as metadata servers; default: as many")
    private Optional<Integer> shards = Optional.empty();

    @Option(
            names = "--io",
            paramLabel = "N",
            defaultValue = "4",
            description = "data servers; default: ${DEFAULT-VALUE}")
    private int ioServers;

    @Option(
            names = "--hdfs-delay-ms",
            paramLabel = "MS",
            defaultValue = "10",
            description =
                    "how long HDFS's client first waits when a block is not reported yet; 400 is what HDFS comes with;"
                            + " default: ${DEFAULT-VALUE}")
    private int delayMillis;

    @Option(names = "--no-close-sync", description = "neither syncs when a file is closed")
    private boolean noCloseSync;

    @Option(
            names = "--same",
            description =
                    "SteadFS beside another SteadFS in place of HDFS: shows how much ratios differ from 1 by chance")
    private boolean same;

    @Option(
            names = "--beside",
            paramLabel = "HOME",
            description =
                    "SteadFS beside the SteadFS of another build in place of HDFS: a built checkout or an unpacked release;"
                            + " each side has servers and client of its own jars")
    private Optional<Path> beside = Optional.empty();

    @Option(
            names = "--cold",
            description = {
                "in place of all else: the first 100 and 1,000 operations of new client processes, works create, stat and"
                        + " rename, with servers that have just started and with servers that have served another client;"
                        + " and how long servers take to start. SteadFS's clients begin their class path with its client jar."
                        + " --threads: 1,8; --rounds: 5, quick: 2; no round begins after"
                        + " --minutes: 20, quick: 10. Writes cold.json and cold.md"
            })
    private boolean cold;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description =
                    "a configuration key of SteadFS, its servers or clients; with --same and --beside of both; may be"
                            + " repeated")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--set-beside",
            paramLabel = "KEY=VALUE",
            description = "with --same or --beside: a key of the second SteadFS alone; may be repeated")
    private Map<String, String> settingsBeside = new LinkedHashMap<>();

    @Option(
            names = "--disk",
            paramLabel = "DIR",
            description = "where servers keep their data while it runs; default: Java's folder for temporary files")
    private Optional<Path> disk = Optional.empty();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterSize size;
        Optional<Homes> homes;
        Optional<ColdPlan> coldPlan;
        Optional<Path> clientJar;
        ComparePlan plan;
        try {
            coldPlan = cold ? Optional.of(coldPlan()) : Optional.empty();
            plan = plan();
            size = size();
            homes = homes();
            checkOptions(homes);
            clientJar =
                    cold && homes.isEmpty() ? Optional.of(SteadHome.of(home()).clientJar()) : Optional.empty();
        } catch (IllegalArgumentException | ConfigException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        // If the folder cannot be written, fail now rather than after an hour.
        Files.delete(Files.createTempFile(Files.createDirectories(out), "compare", ""));
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        try (Cleanup cleanup = new Cleanup()) {
            Path folder = cleanup.temporaryFolder(disk(), "stead-compare-");
            ComparedSystems systems = systems(folder, size, homes, clientJar);
            if (coldPlan.isPresent()) {
                cold(coldPlan.get(), systems, cleanup, progress);
            } else {
                compare(plan, systems, cleanup, progress);
            }
        }
        return 0;
    }

    private void compare(ComparePlan plan, ComparedSystems systems, Cleanup cleanup, Progress progress)
            throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(plan.minutes());
        progress.say("starting both in " + systems.folder());
        Contender first = systems.first(cleanup);
        Contender second = systems.second(cleanup);
        Machine machine = Machine.read(disk(), home())
                .with(systems.facts(SystemFacts.of(first), SystemFacts.of(second)))
                .with(facts(plan));
        Together together = cleanup.add(new Together());
        Comparison comparison = new Comparison(plan, first, second, systems.folder(), together, progress);
        List<ServerMemory> memory = comparison.memory();
        comparison.prepare();
        CompareReport report = new CompareReport(
                Side.of(first), Side.of(second), machine, comparison.run(until), memory, systems.isHdfs());
        print(report.text());
        Optional<String> noPicture = report.write(out);
        noPicture.ifPresent(reason -> progress.say("no picture: " + reason));
        progress.say("the report is " + out.resolve("compare.md"));
    }

    private void cold(ColdPlan plan, ComparedSystems systems, Cleanup cleanup, Progress progress)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Path folder = systems.folder();
        ColdComparison comparison = new ColdComparison(
                plan,
                systems::first,
                systems::second,
                new ClientProcess(folder.resolve("clients.log")),
                cleanup.add(new RunningSystems()),
                progress);
        progress.say("making files in " + folder);
        List<SystemFacts> both = comparison.prepare();
        Machine machine = Machine.read(disk(), home())
                .with(systems.facts(both.get(0), both.get(1)))
                .with(facts(plan));
        ColdResults results = comparison.run(begun, begun + TimeUnit.MINUTES.toNanos(plan.minutes()));
        ColdReport report = new ColdReport(both.get(0).side(), both.get(1).side(), machine, results);
        print(report.text());
        report.write(out);
        progress.say("the report is " + out.resolve("cold.md"));
    }

    private void print(String text) {
        PrintWriter printed = spec.commandLine().getOut();
        printed.println(text);
        printed.flush();
    }

    private ColdPlan coldPlan() {
        Map<String, Optional<Integer>> others = new LinkedHashMap<>();
        others.put("--visits", visits);
        others.put("--uncounted-rounds", uncountedRounds);
        others.put("--round-ms", roundMillis);
        others.put("--rehearsal-ms", rehearsalMillis);
        others.put("--stream-mib", streamMebibytes);
        others.put("--memory-files", memoryFiles);
        others.forEach((option, value) -> value.ifPresent(given -> {
            throw new IllegalArgumentException(option + " " + given + " is not for --cold");
        }));
        return new ColdPlan(
                works.isEmpty()
                        ? List.of(ColdWork.values())
                        : works.stream().map(ColdPlan::work).toList(),
                threads.isEmpty() ? List.of(1, 8) : threads,
                rounds.orElse(quick ? 2 : 5),
                minutes.orElse(quick ? 10 : 20));
    }

    private ClusterSize size() {
        return new ClusterSize(mds, shards.orElse(mds), ioServers);
    }

    private ComparePlan plan() {
        List<WorkKind> kinds = works.isEmpty()
                ? Arrays.stream(WorkKind.values())
                        .filter(kind -> kind != WorkKind.CREATE_SEPARATE)
                        .toList()
                : works.stream().map(WorkKind::parse).toList();
        return new ComparePlan(
                kinds,
                threads.isEmpty() ? quick ? List.of(1, 24) : List.of(1, 8, 24) : threads,
                List.of(1, 4),
                ioServers,
                visits.orElse(quick ? 2 : 1),
                rounds.orElse(quick ? 2 : 9),
                uncountedRounds.orElse(quick ? 3 : 0),
                roundMillis.orElse(quick ? 600 : 3000),
                rehearsalMillis.orElse(quick ? 7000 : 10_000),
                streamMebibytes.orElse(quick ? 512 : 1024),
                memoryFiles.orElse(quick ? 0 : 500_000),
                minutes.orElse(quick ? 14 : 0));
    }

    private boolean isHdfs() {
        return !same && beside.isEmpty();
    }

    /** The two builds to compare; empty if the user did not ask for another build. */
    private Optional<Homes> homes() {
        if (same && beside.isPresent()) {
            throw new IllegalArgumentException("--same and --beside exclude each other: both say what is second");
        }
        return beside.map(home -> Homes.of(home(), home));
    }

    private void checkOptions(Optional<Homes> homes) {
        if (delayMillis < 1) {
            throw new IllegalArgumentException("--hdfs-delay-ms " + delayMillis + " is less than 1");
        }
        if (isHdfs() && !settingsBeside.isEmpty()) {
            throw new IllegalArgumentException(
                    "--set-beside " + settingsBeside.keySet() + " is only for --same and --beside");
        }
        if (!Files.isDirectory(disk())) {
            throw new IllegalArgumentException("--disk " + disk() + " is no folder");
        }
        SteadContender.KEYS.checkNames(settings.keySet(), "--set");
        if (homes.isPresent()) {
            homes.get().checkKeys(settings.keySet(), settingsBeside.keySet());
        } else {
            SteadContender.KEYS.checkNames(settingsBeside.keySet(), "--set-beside");
        }
        checkValues("--set", settings);
        checkValues("--set-beside", settingsBeside);
    }

    private static void checkValues(String option, Map<String, String> values) {
        if (values.containsKey(CLOSE_SYNC)) {
            throw new IllegalArgumentException(
                    option + " " + CLOSE_SYNC + ": what is durable must be the same of both; see --no-close-sync");
        }
        SteadContender.KEYS.checkValues(values);
    }

    private Path disk() {
        return disk.orElseGet(() -> Path.of(System.getProperty("java.io.tmpdir")));
    }

    private static Path home() {
        return Path.of(System.getProperty("stead.home", "."));
    }

    private ComparedSystems systems(Path folder, ClusterSize size, Optional<Homes> homes, Optional<Path> clientJar) {
        Map<String, String> beside = new LinkedHashMap<>(settings);
        beside.putAll(settingsBeside);
        return new ComparedSystems(
                home(),
                folder,
                size,
                homes,
                same,
                durable(settings),
                durable(beside),
                clientJar,
                new HdfsContender.Options(!noCloseSync, quick, delayMillis));
    }

    /** Copies the values. If {@link #noCloseSync} is set, the copy disables the sync on close. */
    private Map<String, String> durable(Map<String, String> values) {
        Map<String, String> all = new LinkedHashMap<>(values);
        if (noCloseSync) {
            all.put(CLOSE_SYNC, "false");
        }
        return all;
    }

    private Map<String, String> facts(ComparePlan plan) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "rounds",
                plan.rounds() + " of about " + plan.roundMillis() + " ms"
                        + (plan.visits() > 1 ? " in each of up to " + plan.visits() + " visits" : "")
                        + (plan.uncountedRounds() > 0
                                ? ", behind up to " + plan.uncountedRounds() + " uncounted ones while Java compiles"
                                : "")
                        + (plan.minutes() > 0 ? ", and more where ratios were least certain" : "") + ", behind "
                        + plan.rehearsalMillis()
                        + " ms of each work on each system, " + plan.rehearsalMillis(WorkKind.READ_4K)
                        + " where data servers have a part; streams of " + plan.streamMebibytes() + " MiB");
        facts.put("command", command());
        return facts;
    }

    private Map<String, String> facts(ColdPlan plan) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "rounds",
                "up to " + plan.rounds() + " of each row, each with a new client of each system"
                        + (plan.minutes() > 0 ? "; none begins after " + plan.minutes() + " minutes" : ""));
        facts.put("command", command());
        return facts;
    }

    private String command() {
        return "bin/stead "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    }
}
