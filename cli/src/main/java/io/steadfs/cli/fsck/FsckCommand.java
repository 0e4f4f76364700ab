package io.steadfs.cli.fsck;

import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.client.SteadFs;
import io.steadfs.fsck.Check;
import io.steadfs.fsck.ClusterServers;
import io.steadfs.fsck.FindingKind;
import io.steadfs.fsck.LostAndFoundDirectory;
import io.steadfs.fsck.Pace;
import io.steadfs.fsck.Repair;
import io.steadfs.fsck.Settlement;
import io.steadfs.fsck.Waiting;
import io.steadfs.fsck.Work;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Checks a file system while clients use it. */
@Command(
        name = "fsck",
        mixinStandardHelpOptions = true,
        description = {
            "Check names, metafiles, directories, counts and datafiles of a file system, while clients work. Nothing is changed",
            "without --repair, and bytes are compared only with --scrub.",
            "A check of everything that finds nothing also settles stores that were salvaged (with --scrub) or put back with an older state.",
            "Run it as the superuser. What differs between servers is looked at again in a way that excludes changes in flight."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing is wrong, and all was checked",
            "1:not all could be checked, or not by this user",
            "2:wrong usage",
            "3:something is wrong"
        })
public final class FsckCommand implements Callable<Integer> {
    private static final int MOST_KEPT = 1_000_000;
    private static final int MOST_PASSES = 5;
    private static final String BEFORE = "asks each server whether its store is settled";
    private static final String ALL = "all";
    private static final String SAFE = "safe";

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--repair",
            paramLabel = "KINDS",
            arity = "0..1",
            fallbackValue = SAFE,
            split = ",",
            description = {
                "repair what is found, of these kinds, comma separated; without kinds all whose repair gives up no data of files; 'all' for all kinds."
                        + " The check is repeated until it finds nothing to repair,"
                        + " five times at most. What no name leads to comes to /lost+found"
            })
    private @Nullable List<String> repair;

    @Option(
            names = "--scrub",
            description = "compare all bytes of all files with their checksums too, at the IO servers")
    private boolean scrub;

    @Option(names = "--json", description = "print everything as one JSON object, and no progress")
    private boolean json;

    @Option(
            names = "--findings",
            paramLabel = "N",
            defaultValue = "1000",
            description = "most findings that are printed; all are counted; default: ${DEFAULT-VALUE}")
    private int findings;

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "2000",
            description = "rows in one message from a server, 1 to 10000; default: ${DEFAULT-VALUE}")
    private int page;

    @Option(
            names = "--rate",
            paramLabel = "ROWS",
            defaultValue = "0",
            description =
                    "most rows a second that are looked at, so that clients keep their pace; 0 = as fast as servers"
                            + " answer; default: ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "time for which a server that is busy or away is asked again; default: ${DEFAULT-VALUE}")
    private int patience;

    @Option(
            names = "--overdue",
            paramLabel = "SECONDS",
            defaultValue = "1800",
            description = "a lease that is over for longer, and gets no further towards its end, is a finding;"
                    + " default: ${DEFAULT-VALUE}")
    private int overdue;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = {
                "directory for what the check knows so far; it stays there. A check that was ended or killed goes on where it was when it is"
                        + " run again with the same one. Without it a temporary one is used and removed"
            })
    private @Nullable Path work;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        check("--findings", findings, 0, MOST_KEPT);
        check("--page", page, 1, 10_000);
        check("--rate", rate, 0, 10_000_000);
        check("--patience", patience, 0, 86_400);
        check("--overdue", overdue, 0, 31_536_000);
        Set<FindingKind> kinds = kinds();
        try (Connections connections = Connections.ofOperator();
                Connection connection = cluster.open(connections, spec.commandLine());
                WorkDirectory directory = WorkDirectory.of(Optional.ofNullable(work))) {
            ClusterServers servers = new ClusterServers(
                    connection.transport(),
                    () -> connection.fs().clusterMap(),
                    Connections.caller(),
                    TimeUnit.SECONDS.toMillis(patience),
                    Waiting.ofThread());
            PrintWriter out = spec.commandLine().getOut();
            List<FsckResult> passes = new ArrayList<>();
            List<String> settled = List.of();
            boolean again = true;
            int first = directory.firstPass();
            for (int pass = first; again && pass < Math.max(first + 1, MOST_PASSES); pass++) {
                boolean goesOn = directory.isBegun(pass);
                Settlement settlement = shown(() -> BEFORE, () -> Settlement.before(servers, goesOn));
                FsckResult result = pass(servers, connection.fs(), directory.pass(pass), kinds);
                passes.add(result);
                // An earlier command may have made the repairs. In this case, only another pass can see the effect of
                // these repairs.
                again = result.repaired() > 0 || (goesOn && !kinds.isEmpty() && result.total() > 0);
                if (result.ended().isComplete()) {
                    directory.ended(pass, !again || pass + 1 >= MOST_PASSES);
                } else {
                    again = false;
                }
                if (result.tookAway()) {
                    directory.keep();
                }
                settled = settlement.after(result.ended(), result.counts(), scrub);
                if (!json) {
                    out.print(passes.size() > 1 ? "\n" + result.text() : result.text());
                    out.flush();
                }
            }
            FsckResult last = passes.get(passes.size() - 1);
            if (json) {
                out.print(Json.line(Map.of(
                                "passes",
                                passes.stream().map(FsckResult::fields).toList(),
                                "settled",
                                settled))
                        + "\n");
            } else {
                settled.forEach(out::println);
            }
            out.flush();
            if (directory.isKept()) {
                spec.commandLine().getErr().println("stead: what was taken away is in " + directory.path() + " too");
            }
            if (last.total() > 0) {
                return 3;
            }
            return last.ended().isComplete() ? 0 : 1;
        }
    }

    /** Runs one check, and repairs its findings. */
    private FsckResult pass(ClusterServers servers, SteadFs fs, Path directory, Set<FindingKind> kinds)
            throws IOException {
        Pace pace = new Pace(rate);
        long began = System.nanoTime();
        try (Work kept = Work.open(directory)) {
            Check check = new Check(servers, kept, pace, page, scrub, TimeUnit.SECONDS.toMillis(overdue));
            Check.Result ended = shown(() -> ShownProgress.line(pace.look()), check::run);
            double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
            Repair repairs = new Repair(
                    servers,
                    kept,
                    new LostAndFoundDirectory(fs, Connections.caller().getUser()),
                    pace,
                    page);
            long repaired = kinds.isEmpty() ? 0 : repairs.run(kinds);
            return new FsckResult(
                    kept.counts(),
                    kept.findings(findings).stream()
                            .map(each -> new FsckResult.Shown(each, kept.path(each)))
                            .toList(),
                    kept.repairs(findings),
                    repaired,
                    kept.hasTakenAway(),
                    ended,
                    pace.look().rows(),
                    seconds);
        }
    }

    /** Runs this, and tells of its progress unless one JSON object is to be printed. */
    private <T> T shown(Supplier<String> line, ShownProgress.Work<T> work) throws IOException {
        return json ? work.run() : ShownProgress.to(spec.commandLine().getErr(), line, work);
    }

    private Set<FindingKind> kinds() {
        Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
        if (repair == null) {
            return kinds;
        }
        if (repair.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--repair: it names no kind");
        }
        for (String label : repair) {
            if (label.equals(ALL)) {
                return EnumSet.allOf(FindingKind.class);
            }
            if (label.equals(SAFE)) {
                return EnumSet.complementOf(EnumSet.copyOf(FindingKind.givingUp()));
            }
            kinds.add(FindingKind.of(label)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "--repair: there is no kind '" + label + "', but "
                                    + Arrays.stream(FindingKind.values())
                                            .map(FindingKind::label)
                                            .collect(Collectors.joining(", ")))));
        }
        return kinds;
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " is not in " + least + " to " + most);
        }
    }
}
