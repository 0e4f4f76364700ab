package io.steadfs.lab.torture;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.Progress;
import io.steadfs.config.ConfigException;
import io.steadfs.membership.FileSystemFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes processes of a working cluster fail, and then checks every operation that the cluster acknowledged. */
@Command(
        name = "torture",
        mixinStandardHelpOptions = true,
        description = {
            "Start a cluster of processes and clients, make faults of many kinds happen to them, heal everything, and check"
                    + " every acknowledged operation and every acknowledged byte.",
            "Servers, ZooKeeper and clients are killed and stopped (SIGKILL, SIGSTOP), disks of servers fill up, and a"
                    + " proxy delays, drops, half-opens, resets and partitions. Needs Linux. Disks are filled only where"
                    + " unshare --user --mount works; else the result says that they were not."
        },
        subcommands = TortureClientCommand.class,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:could not be run",
            "2:wrong usage",
            "3:something was lost, half done, left over, hanging or growing"
        })
public final class TortureCommand implements Callable<Integer> {
    private static final int FAILED = 3;

    @Option(names = "--minutes", paramLabel = "M", defaultValue = "1", description = "of faults; default: 1")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "of all choices; default: a new one, which is told")
    private Optional<Long> seed = Optional.empty();

    @Option(names = "--mds", paramLabel = "N", defaultValue = "3", description = "metadata servers; default: 3")
    private int mds;

    @Option(names = "--shards", paramLabel = "N", description = "metadata shards; default: as many as servers")
    private Optional<Integer> shards = Optional.empty();

    @Option(names = "--io", paramLabel = "N", defaultValue = "4", description = "IO servers; default: 4")
    private int io;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "4", description = "client processes; default: 4")
    private int clients;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "3", description = "of each client; default: 3")
    private int threads;

    @Option(
            names = "--wide",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "have the names of all threads in N directories, hundreds of each thread, so that directories get"
                            + " many names and lose them again; default: each thread has a tree of its own")
    private int wide;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            defaultValue = "unified",
            description =
                    "create protocol of the clients: unified, basecase, compound, leased, precreated, delegated, lazy, or"
                            + " eager, which is unified with leased datafiles for all columns at once; default:"
                            + " ${DEFAULT-VALUE}")
    private String protocol = "unified";

    @Option(
            names = "--faults-per-minute",
            paramLabel = "N",
            defaultValue = "15",
            description = "begun, about; default: 15")
    private int faultsPerMinute;

    @Option(
            names = "--without",
            split = ",",
            paramLabel = "KIND",
            description = "kinds of fault to leave out, for example mds.disk.full,net.drop")
    private List<String> without = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a configuration key of metadata or IO servers; may be repeated")
    private Map<String, String> settings = new TreeMap<>();

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "new; keeps data, logs and histories; default: a temporary one, removed if all is well")
    private Optional<Path> directory = Optional.empty();

    @Option(names = "--json", description = "print the result as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(minutes > 0 && minutes <= 10_000, "--minutes " + minutes + " is not in 0..10000");
        check(mds >= 1 && mds <= 100, "--mds " + mds + " is not in 1..100");
        int shardCount = shards.orElse(mds);
        check(
                shardCount >= mds && shardCount <= FileSystemFormat.MAX_SHARDS,
                "--shards " + shardCount + " is not in " + mds + " (--mds) to " + FileSystemFormat.MAX_SHARDS);
        check(io >= 1 && io <= 100, "--io " + io + " is not in 1..100");
        check(clients >= 1 && clients <= 100, "--clients " + clients + " is not in 1..100");
        check(threads >= 1 && threads <= 100, "--threads " + threads + " is not in 1..100");
        check(wide >= 0 && wide <= 1_000, "--wide " + wide + " is not in 0..1000");
        check(faultsPerMinute >= 1 && faultsPerMinute <= 600, "--faults-per-minute is not in 1..600");
        Path place = directory.isPresent()
                ? Files.createDirectories(directory.get()).toRealPath()
                : Files.createTempDirectory("stead-torture-").toRealPath();
        try (Stream<Path> there = Files.list(place)) {
            check(there.findAny().isEmpty(), "--directory " + place + " is not empty");
        }
        TorturePlan plan = new TorturePlan(
                seed.orElseGet(() -> (long) new SecureRandom().nextInt(1_000_000_000)),
                (int) Math.max(1, Math.round(minutes * 60)),
                mds,
                shardCount,
                io,
                clients,
                threads,
                wide,
                protocol(),
                faultsPerMinute,
                kinds(),
                settings(),
                place);
        return run(plan);
    }

    private Protocol protocol() {
        try {
            return Protocol.parse(protocol);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--protocol: " + e.getMessage());
        }
    }

    private Map<String, String> settings() {
        try {
            ServerKeys.MDS.and(ServerKeys.IO).check(settings, "--set");
        } catch (ConfigException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return settings;
    }

    private Set<FaultKind> kinds() {
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        for (String label : without) {
            Optional<FaultKind> kind = Stream.of(FaultKind.values())
                    .filter(one -> one.label().equals(label))
                    .findFirst();
            check(
                    kind.isPresent(),
                    "--without " + label + " is none of "
                            + Stream.of(FaultKind.values())
                                    .map(FaultKind::label)
                                    .toList());
            kinds.add(kind.orElseThrow());
        }
        check(kinds.size() < FaultKind.values().length, "--without leaves no fault to make");
        return kinds;
    }

    private void check(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    private Integer run(TorturePlan plan) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress("torture", spec.commandLine().getErr());
        TortureResult result;
        try (Cleanup cleanup = new Cleanup()) {
            Torture torture = cleanup.add(new Torture(plan, progress));
            result = torture.run();
            if (!result.verdict()) {
                torture.keepData();
            }
        }
        boolean kept = directory.isPresent() || !result.verdict();
        String again = "bin/stead torture --minutes " + minutes + " --seed " + plan.seed() + " --mds " + plan.mds()
                + " --shards " + plan.shards() + " --io " + plan.io() + " --clients " + plan.clients() + " --threads "
                + plan.threads() + (plan.wide() == 0 ? "" : " --wide " + plan.wide()) + " --protocol " + plan.protocol()
                + " --faults-per-minute " + plan.faultsPerMinute()
                + (without.isEmpty() ? "" : " --without " + String.join(",", without))
                + settings.entrySet().stream().map(set -> " --set " + set).collect(Collectors.joining());
        String document = Json.line(result.json(version(), again, kept));
        if (kept) {
            Files.writeString(plan.directory().resolve("result.json"), document + "\n");
        } else {
            remove(plan.directory());
        }
        if (json) {
            out.println(document);
        } else {
            out.print(result.text());
            out.println(
                    result.verdict() ? "all is well" : "FAILED: data, logs and histories are in " + plan.directory());
            out.println("again: " + again);
        }
        out.flush();
        return result.verdict() ? 0 : FAILED;
    }

    private static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }

    /** Returns the version of the command. If the sources are at hand, their commit follows the version. */
    private String version() throws IOException, InterruptedException {
        String home = System.getProperty("stead.home", "");
        String version = String.join(" ", spec.root().version());
        if (home.isEmpty()) {
            return version;
        }
        Process git = new ProcessBuilder("git", "-C", home, "rev-parse", "--short=12", "HEAD")
                .redirectErrorStream(true)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        return git.waitFor() == 0 ? version + " " + said : version;
    }
}
