package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.lab.bench.BenchCommand;
import io.steadfs.lab.demo.DemoCommand;
import io.steadfs.lab.demo.SparkClassPath;
import io.steadfs.lab.demo.SparkProcess;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Spark 4.2.0 as users run it: its own jars, the one client jar, no setting. */
@TestInstance(Lifecycle.PER_CLASS)
class SparkJobTest {
    private static final long SPARK_SECONDS = 300;
    /** Of each input file of a stream. */
    private static final int LINES = 200;

    private final Cluster cluster;
    private final URI uri;

    SparkJobTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 4, Cluster.SPLITTING);
        uri = cluster.local().uri();
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    @Test
    void classPathIsSparkTheClientJarAndTheJob() throws IOException {
        assertThat(classPath().toString().split(":"))
                .satisfiesExactly(
                        job -> assertThat(job).matches(".*/steadfs-demo-job-[^/]*\\.jar"),
                        client -> assertThat(client).matches(".*/steadfs-hadoop-[0-9][^/]*\\.jar"),
                        spark -> assertThat(spark).endsWith("/lab/spark/target/jars/*"));
    }

    @Test
    void wordCountAgreesWithThePlainCount() {
        StringWriter out = new StringWriter();

        int exitCode = new CommandLine(new DemoCommand())
                .setOut(new PrintWriter(out))
                .execute("--json", "--uri", uri.toString());

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains("\"agrees\":true", "\"differences\":[]", "words/letter=t/part-", "\"name\":\"Spark\"");
    }

    @Test
    void everyWayToWriteReadsBackTheSame(@TempDir Path scratch) throws IOException, InterruptedException {
        try (SparkProcess spark = SparkProcess.start(
                classPath(), scratch, "io.steadfs.demo.SparkWritesCheck", List.of(uri + "/writes"), step -> {})) {
            assertThat(spark.await(SPARK_SECONDS)).last().isEqualTo("passed 18 checks with Spark 4.2.0");
        }
    }

    /**
     * A stream is stopped, goes on from its checkpoint, is killed while a task reads, and goes on again: every line is
     * in the output once. Files overlap, so that what was seen, which is in the checkpoint, too, decides.
     *
     * <p>A batch has one file. But Spark first notes the file in the log of the source, and then the batch in the log of
     * offsets. If a stream ends between these two, its next batch has this file and one more. The stream ends twice.
     */
    @Test
    void aStreamGoesOnFromItsCheckpoint(@TempDir Path scratch) throws Exception {
        int files = 10;
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int file = 0; file < files; file++) {
                writeLines(fs, file);
            }
        }
        try (SparkProcess stopped = stream(scratch, List.of("stop", "3"), step -> {})) {
            stopped.await(SPARK_SECONDS);
        }
        CountDownLatch read = new CountDownLatch(3);
        SparkProcess spark = stream(scratch, List.of("never"), step -> {
            if (step.equals("reading")) {
                read.countDown();
            }
        });
        try {
            assertThat(read.await(SPARK_SECONDS, TimeUnit.SECONDS))
                    .as("batches were read before the kill")
                    .isTrue();
        } finally {
            spark.kill();
        }
        Map<String, String> result;
        try (SparkProcess last = stream(scratch, List.of("all"), step -> {})) {
            result = values(last.await(SPARK_SECONDS));
        }

        long ids = (files + 1L) * (LINES / 2);
        CRC32 crc = new CRC32();
        long fingerprint = 0;
        for (long id = 0; id < ids; id++) {
            crc.reset();
            crc.update(text(id).getBytes(StandardCharsets.UTF_8));
            fingerprint += crc.getValue();
        }
        assertThat(result)
                .containsEntry("rows", String.valueOf(ids))
                .containsEntry("ids", String.valueOf(ids))
                .containsEntry("sum", String.valueOf(ids * (ids - 1) / 2))
                .containsEntry("fingerprint", String.valueOf(fingerprint))
                .containsEntry("manager", "FileContextBasedCheckpointFileManager");
        assertThat(Integer.parseInt(result.get("batches"))).isBetween(files - 2, files);
    }

    /** Half of the lines of a file are in the next one, too. */
    private static void writeLines(SteadFs fs, int file) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (long id = (long) file * LINES / 2; id < (long) file * LINES / 2 + LINES; id++) {
            lines.append(id).append(',').append(text(id)).append('\n');
        }
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        try (FileWriter writer = fs.create(FsPath.parse("/stream/in/" + file + ".csv"), CreateOptions.DEFAULT)) {
            writer.write(bytes, 0, bytes.length);
        }
    }

    private static String text(long id) {
        return "line " + Long.toHexString(id * 7919);
    }

    private SparkProcess stream(Path scratch, List<String> end, Consumer<String> progress) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(uri + "/stream"));
        arguments.addAll(end);
        return SparkProcess.start(classPath(), scratch, "io.steadfs.demo.StreamingJob", arguments, progress);
    }

    @Test
    void tablesAndTheEventLogReadBack(@TempDir Path scratch) throws Exception {
        Map<String, String> result;
        try (SparkProcess spark = SparkProcess.start(
                classPath(), scratch, "io.steadfs.demo.TablesAndEventsJob", List.of(uri + "/tables"), step -> {})) {
            result = values(spark.await(SPARK_SECONDS));
        }
        assertThat(result)
                .containsEntry("plain", "5000")
                .containsEntry("parted", "5000")
                .containsEntry("event start of tables", "1")
                .containsEntry("event end", "1")
                .containsKey("event tasks Success")
                .as("the history server while the application runs")
                .containsEntry("running completed", "false");
        assertThat(Integer.parseInt(result.get("running jobs"))).isPositive();
        assertThat(result.get("event JobSucceeded"))
                .as("%s", result)
                .isEqualTo(result.get("event jobs started"))
                .isEqualTo(result.get("history jobs"));
    }

    /**
     * Delta Lake relies on renames that replace nothing: of two processes that write the same version of the log, one
     * must be told that the name is taken.
     */
    @Test
    @DisabledIfSystemProperty(
            named = "stead.spark.jars",
            matches = "given",
            disabledReason = "only by profile \"spark\"")
    void aDeltaTableIsChangedByTwoProcesses(@TempDir Path scratch) throws Exception {
        int appends = 6;
        Map<String, String> result;
        try (SparkProcess spark = delta(scratch, "all")) {
            result = values(spark.await(SPARK_SECONDS));
        }
        assertThat(result).containsEntry("rows", "1005");
        assertThat(Integer.parseInt(result.get("checkpoints"))).isPositive();

        List<Map<String, String>> results;
        try (SparkProcess first = delta(scratch, "append", String.valueOf(appends), "10000", "2");
                SparkProcess second = delta(scratch, "append", String.valueOf(appends), "20000", "2")) {
            results = List.of(values(first.await(SPARK_SECONDS)), values(second.await(SPARK_SECONDS)));
        }
        assertThat(results).extracting(each -> each.get("appended")).containsOnly(String.valueOf(appends));
        assertThat(results)
                .as("whoever ends last counts the rows of both")
                .extracting(each -> each.get("count"))
                .contains(String.valueOf(1005 + 2 * appends));
        assertThat(results)
                .as("each append is one version")
                .extracting(each -> each.get("versions"))
                .contains(String.valueOf(Integer.parseInt(result.get("versions")) + 2 * appends));
    }

    private SparkProcess delta(Path scratch, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(uri + "/delta"));
        all.addAll(List.of(arguments));
        return SparkProcess.start(
                classPath(),
                Files.createTempDirectory(scratch, "spark"),
                "io.steadfs.demo.DeltaTableJob",
                all,
                step -> {});
    }

    @Test
    void whatIsHierarchicalInAJobIsCounted(@TempDir Path out) throws IOException {
        StringWriter printed = new StringWriter();
        int exitCode = new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(printed))
                .execute("jobs", "--jobs", "batch", "--shards", "2", "--out", out.toString());
        assertThat(exitCode).isZero();
        assertThat(printed.toString()).contains("| batch | ");
        // The committer removes the directory of the job's attempt, at least.
        assertThat(Files.readAllLines(out.resolve("jobs.csv")))
                .anyMatch(line -> line.matches("batch,message CREATE,[1-9][0-9]*"))
                .anyMatch(line -> line.matches("batch,directory names changed,[1-9][0-9]*"));
    }

    private static Map<String, String> values(List<String> printed) {
        Map<String, String> values = new TreeMap<>();
        for (String line : printed) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        System.out.println(values);
        return values;
    }

    private static SparkClassPath classPath() throws IOException {
        return SparkClassPath.under(Path.of(System.getProperty("stead.home", "")));
    }
}
