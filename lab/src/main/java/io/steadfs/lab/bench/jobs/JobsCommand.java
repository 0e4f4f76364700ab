package io.steadfs.lab.bench.jobs;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.cli.report.Progress;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.lab.bench.pace.Quiet;
import io.steadfs.lab.bench.word.Words;
import io.steadfs.lab.demo.SparkClassPath;
import io.steadfs.lab.demo.SparkProcess;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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

/** Counts the messages of Spark jobs. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        description = {
            "Count what Spark jobs ask servers for, and how much of it is hierarchical: directories that are renamed or"
                    + " removed, directories whose owner, group or mode changes, new symbolic links. As table 1 of the"
                    + " paper that describes h-flat does it for traces.",
            "Jobs: batch, a word count with partitioned Parquet files; writes, all save modes and committers; stream, a"
                    + " structured stream with a checkpoint; tables, a warehouse and the event log; delta, a table of"
                    + " Delta Lake that is changed in each way. They run one after the other on a new cluster in this process, Spark in a process of its own.",
            "Writes jobs.md and jobs.csv, and prints the table: shares of all messages of clients, in percent."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:counted", "1:something failed; the last line says what", "2:wrong usage"})
public final class JobsCommand implements Callable<Integer> {
    private static final int LEAST_SHARDS = 2;
    private static final int MOST_SHARDS = 64;
    private static final int IO_SERVERS = 4;
    private static final int FILES = 10;
    private static final int LINES = 200;
    private static final long SPARK_SECONDS = 600;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go; made if need be")
    private Path out = Path.of("");

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "3",
            description = "number of metadata shards, at least 2: one shard alone does not count what is hierarchical;"
                    + " default: ${DEFAULT-VALUE}")
    private int shards;

    @Option(
            names = "--jobs",
            paramLabel = "J,...",
            split = ",",
            defaultValue = "batch,writes,stream,tables,delta",
            description = "which jobs; default: ${DEFAULT-VALUE}")
    private List<String> words = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (shards < LEAST_SHARDS || shards > MOST_SHARDS) {
            throw new ParameterException(
                    spec.commandLine(), "--shards " + shards + " is not in " + LEAST_SHARDS + ".." + MOST_SHARDS);
        }
        List<SparkJob> jobs;
        try {
            jobs = Words.parseAll(SparkJob.class, "--jobs", words);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Progress progress = new Progress("bench", spec.commandLine().getErr());
        DurableDirectories.make(out);
        List<JobCount> counts = new ArrayList<>();
        try (Cleanup cleanup = new Cleanup()) {
            SparkClassPath classPath = SparkClassPath.under(Path.of(System.getProperty("stead.home", "")));
            LocalCluster cluster = cleanup.add(LocalCluster.in(cleanup.temporaryFolder("stead-jobs-"))
                    .mds(shards)
                    .shards(shards)
                    .ioServers(IO_SERVERS)
                    .start());
            Connections connections = cleanup.add(Connections.ofProcess());
            Connection observer = cleanup.add(connections.open(new SteadUri(cluster.address())));
            for (SparkJob job : jobs) {
                progress.say("job " + job);
                writeTexts(observer.fs(), job);
                new Quiet(observer).await();
                Counters before = observer.counters();
                try (SparkProcess spark = SparkProcess.start(
                        classPath,
                        cleanup.temporaryFolder("stead-spark-"),
                        job.mainClass(),
                        job.arguments(cluster.uri() + "/" + job),
                        step -> {})) {
                    spark.await(SPARK_SECONDS);
                }
                new Quiet(observer).await();
                counts.add(JobCount.of(job, observer.counters().since(before)));
            }
        }
        JobTable table = new JobTable(counts);
        Files.writeString(out.resolve("jobs.csv"), table.csv());
        Files.writeString(out.resolve("jobs.md"), table.markdown());
        PrintWriter printed = spec.commandLine().getOut();
        printed.print(table.markdown());
        printed.flush();
        return 0;
    }

    /** Lines of a number and words, as the jobs that read want them. */
    private static void writeTexts(SteadFs fs, SparkJob job) throws IOException {
        for (int file = 0; file < FILES; file++) {
            StringBuilder lines = new StringBuilder();
            for (int i = file * LINES; i < (file + 1) * LINES; i++) {
                lines.append(i)
                        .append(",all words of line ")
                        .append(Integer.toHexString(i * 7919))
                        .append('\n');
            }
            byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
            FsPath path = FsPath.parse("/" + job + "/in/" + file + ".csv");
            try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT)) {
                writer.write(bytes, 0, bytes.length);
            }
        }
    }
}
