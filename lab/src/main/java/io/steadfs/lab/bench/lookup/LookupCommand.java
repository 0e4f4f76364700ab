package io.steadfs.lab.bench.lookup;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Counts the messages of operations. */
@Command(
        name = "lookup",
        mixinStandardHelpOptions = true,
        description = {
            "Count the messages that operations on paths cost, with stead.lookup=component and direct, for a new client"
                    + " and for one that has met the directory.",
            "Each number of shards has a new cluster in this process, with a metadata server for each shard. Every"
                    + " directory is on a shard of its own by chance. Messages are counted at the servers: those of the"
                    + " client, + those between shards.",
            "Writes lookup.md and lookup.csv, and prints the table."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:counted", "1:something failed; the last line says what", "2:wrong usage"})
public final class LookupCommand implements Callable<Integer> {
    private static final int MOST_SHARDS = 64;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go; made if need be")
    private Path out = Path.of("");

    @Option(
            names = "--shards",
            paramLabel = "N,...",
            split = ",",
            defaultValue = "1,3,12",
            description = "numbers of metadata shards; default: ${DEFAULT-VALUE}")
    private List<Integer> shards = new ArrayList<>();

    @Option(
            names = "--depths",
            paramLabel = "D,...",
            split = ",",
            defaultValue = "1,3,10,30",
            description = "numbers of names in the paths; default: ${DEFAULT-VALUE}")
    private List<Integer> depths = new ArrayList<>();

    @Option(
            names = "--disk",
            paramLabel = "DIR",
            description = "where servers keep their data while it runs; default: Java's folder for temporary files")
    private Path disk = Path.of(System.getProperty("java.io.tmpdir"));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check("--shards", shards, MOST_SHARDS);
        check("--depths", depths, FsPath.MAX_DEPTH - 1);
        if (!Files.isDirectory(disk)) {
            throw new ParameterException(spec.commandLine(), "--disk " + disk + " is no folder");
        }
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        DurableDirectories.make(out);
        List<LookupRow> rows = new ArrayList<>();
        for (int number : shards) {
            progress.say("lookup: " + number + (number == 1 ? " shard" : " shards"));
            try (Cleanup cleanup = new Cleanup()) {
                rows.addAll(new LookupBench(number, disk, cleanup).run(depths));
            }
        }
        LookupTable table = new LookupTable(rows);
        Files.writeString(out.resolve("lookup.csv"), table.csv());
        Files.writeString(out.resolve("lookup.md"), table.markdown());
        PrintWriter printed = spec.commandLine().getOut();
        printed.print(table.markdown());
        printed.flush();
        return 0;
    }

    private void check(String option, List<Integer> values, int most) {
        for (int value : values) {
            if (value < 1 || value > most) {
                throw new ParameterException(spec.commandLine(), option + " " + value + " is not in 1.." + most);
            }
        }
    }
}
