package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Short runs of {@code stead torture}; the long one is a command of its own, see docs/testing.md. */
@Timeout(600)
class TortureTest {
    @Test
    void nothingAcknowledgedIsLost(@TempDir Path data) throws Exception {
        run(data, 0, "stead.mds.rows.bytes=1m");
    }

    /** All names are in two directories, which split and merge. */
    @Test
    void nothingAcknowledgedIsLostInDirectoriesThatSplit(@TempDir Path data) throws Exception {
        JsonNode result = run(data, 2, "stead.partition.split.entries=4");
        assertThat(result.get("partitions").get("partitions.splits").asLong()).isPositive();
    }

    private static JsonNode run(Path data, int wide, String setting) throws Exception {
        StringWriter out = new StringWriter();

        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "torture",
                        "--json",
                        "--minutes",
                        "0.3",
                        "--seed",
                        Long.toString(Seed.OF_RUN & 0x7fffffff),
                        "--mds",
                        "2",
                        "--shards",
                        "3",
                        "--io",
                        "2",
                        "--clients",
                        "2",
                        "--threads",
                        "2",
                        "--faults-per-minute",
                        "20",
                        "--wide",
                        Integer.toString(wide),
                        "--set",
                        setting,
                        "--set",
                        "stead.partition.merge.quiet=100",
                        "--directory",
                        data.toString());

        assertThat(exitCode).as(out.toString()).isZero();
        JsonNode result = new ObjectMapper().readTree(out.toString());
        assertThat(result.get("verdict").asText()).isEqualTo("well");
        assertThat(result.get("faults").asInt()).as("faults").isGreaterThanOrEqualTo(3);
        assertThat(result.get("acknowledgedOperationsChecked").asLong())
                .as("operations checked")
                .isGreaterThan(50);
        return result;
    }
}
