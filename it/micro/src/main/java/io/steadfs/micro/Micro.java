package io.steadfs.micro;

import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.machine.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the benchmarks and reports them; the process behind {@code bin/stead bench micro}. */
@Command(
        name = "stead bench micro",
        mixinStandardHelpOptions = true,
        description = {
            "Measure parts of SteadFS, and operations of a running cluster, with JMH: score, error (half of the 99.9 %%"
                    + " confidence interval) and bytes allocated for each operation.",
            "Parts: frames, records, handle pools, partition maps, the decision of a create, CRC32C, RocksDB by the keys of a"
                    + " shard. Of a cluster in the process of the benchmark: create by each protocol, stat, rename, list.",
            "Writes micro.json, micro.md and micro.png."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:measured", "1:something failed; the last line says what", "2:wrong usage"})
public final class Micro implements Callable<Integer> {
    private static final String HEAP = "-Xmx1g";

    @Option(names = "--out", paramLabel = "DIR", description = "where the report goes; made if need be")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description = "benchmarks whose names have it, for example Cluster, or Checksum.*ofHeap")
    private String only = ".*";

    @Option(names = "--quick", description = "one fork and short iterations: minutes, and larger errors")
    private boolean quick;

    @Option(names = "--list", description = "print the benchmarks' names and end")
    private boolean list;

    @Option(names = "--in-process", hidden = true, description = "no forks and iterations of an instant; for tests")
    private boolean inProcess;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] arguments) {
        PrintWriter printed = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        CommandLine line = new CommandLine(new Micro()).setOut(printed);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("stead: " + failure.getMessage());
            return 1;
        });
        System.exit(line.execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        List<String> names = names();
        PrintWriter printed = spec.commandLine().getOut();
        if (list) {
            names.forEach(printed::println);
            printed.flush();
            return 0;
        }
        Path folder = out.orElseThrow(() -> new ParameterException(spec.commandLine(), "missing --out DIR, or --list"));
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        progress.say(names.size() + " benchmarks");
        Iterations iterations = inProcess ? Iterations.INSTANT : quick ? Iterations.QUICK : Iterations.FULL;
        Collection<RunResult> results = new Runner(options(iterations)).run();
        Machine machine = Machine.read(
                        Path.of(System.getProperty("java.io.tmpdir")), Path.of(System.getProperty("stead.home", ".")))
                .with(facts(iterations));
        MicroReport report =
                new MicroReport(machine, results.stream().map(Scored::of).toList());
        Optional<String> noPicture = report.write(folder);
        printed.println(report.text());
        printed.flush();
        noPicture.ifPresent(reason -> progress.say("no picture: " + reason));
        progress.say("the report is " + folder.resolve("micro.md"));
        return 0;
    }

    private List<String> names() {
        try {
            Pattern pattern = Pattern.compile(only);
            List<String> names = new ArrayList<>();
            BenchmarkList.defaultList()
                    .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                    .forEach(entry -> {
                        if (pattern.matcher(entry.getUsername()).find()) {
                            names.add(entry.getUsername());
                        }
                    });
            if (names.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--only '" + only + "' is in no benchmark's name; see --list");
            }
            return names.stream().sorted().toList();
        } catch (PatternSyntaxException e) {
            throw new ParameterException(
                    spec.commandLine(), "--only '" + only + "' is no regular expression: " + e.getMessage(), e);
        }
    }

    private org.openjdk.jmh.runner.options.Options options(Iterations iterations) {
        return new OptionsBuilder()
                .include(only)
                .forks(iterations.forks())
                .warmupIterations(iterations.warmUps())
                .warmupTime(TimeValue.milliseconds(iterations.millis()))
                .measurementIterations(iterations.measured())
                .measurementTime(TimeValue.milliseconds(iterations.millis()))
                .jvmArgsAppend(HEAP, "-Dstead.log.level=warn")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(inProcess ? VerboseMode.SILENT : VerboseMode.NORMAL)
                .build();
    }

    private Map<String, String> facts(Iterations iterations) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("JMH", Version.getPlainVersion());
        facts.put("forks", Integer.toString(iterations.forks()));
        facts.put("iterations to warm up", iterations.warmUps() + " of " + iterations.millis() + " ms");
        facts.put("iterations measured", iterations.measured() + " of " + iterations.millis() + " ms");
        facts.put("threads", "1");
        facts.put("a fork's options", HEAP);
        facts.put(
                "durability", "every acknowledged operation of a cluster, and commitFileDurably, is on stable storage");
        facts.put(
                "command",
                "bin/stead bench micro "
                        + String.join(" ", spec.commandLine().getParseResult().originalArgs()));
        return facts;
    }
}
