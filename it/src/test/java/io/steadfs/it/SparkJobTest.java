package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.OwnCluster;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.demo.DemoCommand;
import io.steadfs.cli.demo.SparkClassPath;
import io.steadfs.cli.demo.SparkProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Spark 4.2.0 as users run it: its own jars, the one client jar, no setting. */
@TestInstance(Lifecycle.PER_CLASS)
class SparkJobTest {
    private static final long SPARK_SECONDS = 300;

    private final Cleanup cleanup = new Cleanup();
    private final SteadUri uri;

    SparkJobTest(@TempDir Path data) throws IOException {
        uri = OwnCluster.start(data, 4, cleanup);
    }

    @AfterAll
    void stop() {
        cleanup.close();
    }

    @Test
    void classPathIsSparkTheClientJarAndTheJob() throws IOException {
        assertThat(classPath().toString().split(":"))
                .satisfiesExactly(
                        job -> assertThat(job).matches(".*/steadfs-demo-job-[^/]*\\.jar"),
                        client -> assertThat(client).matches(".*/steadfs-hadoop-[0-9][^/]*\\.jar"),
                        spark -> assertThat(spark).endsWith("/cli/spark/target/jars/*"));
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

    private static SparkClassPath classPath() throws IOException {
        return SparkClassPath.under(Path.of(System.getProperty("stead.home", "")));
    }
}
