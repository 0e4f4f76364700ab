package io.steadfs.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.lab.bench.BenchCommand;
import io.steadfs.lab.bench.compare.work.WorkKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** SteadFS beside a real HDFS: every work checks what it was answered, so a run that ends well did all of it. */
class CompareTest {
    @Test
    void everyWorkIsDoneOnBothAndReported(@TempDir Path folder) throws IOException {
        Path out = folder.resolve("out");
        StringWriter said = new StringWriter();

        int exitCode = new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(
                        "compare",
                        "--out",
                        out.toString(),
                        "--quick",
                        "--minutes",
                        "0",
                        "--threads",
                        "2",
                        "--io",
                        "2",
                        "--rounds",
                        "1",
                        "--uncounted-rounds",
                        "1",
                        "--round-ms",
                        "20",
                        "--rehearsal-ms",
                        "0",
                        "--stream-mib",
                        "8",
                        "--memory-files",
                        "100",
                        "--disk",
                        folder.toString());

        assertThat(exitCode).as(said.toString()).isZero();
        JsonNode report =
                new ObjectMapper().readTree(out.resolve("compare.json").toFile());
        List<String> cells = new ArrayList<>();
        report.get("cells").forEach(cell -> {
            cells.add(cell.get("work").asText() + " " + cell.get("threads").asInt());
            assertThat(cell.get("ratio").get("least").asDouble()).as("%s", cell).isPositive();
            assertThat(cell.get("lanes").get(0).get("rates"))
                    .as("%s in two visits", cell)
                    .hasSize(2);
        });
        assertThat(cells)
                .containsExactlyElementsOf(Arrays.stream(WorkKind.values())
                        .filter(kind -> kind != WorkKind.CREATE_SEPARATE)
                        .flatMap(kind -> kind.isStream()
                                ? List.of(kind + " 1", kind + " 4").stream()
                                : List.of(kind + " 2").stream())
                        .toList());
        // An empty file is made by two messages, and asked for by one: what is counted is what is timed, and a renewal
        // of the
        // client's session now and then.
        assertThat(messages(report, "create")).isBetween(2.0, 2.5);
        assertThat(messages(report, "stat")).isBetween(1.0, 1.5);
        assertThat(report.get("memory")).hasSize(2);
        assertThat(Files.readString(out.resolve("compare.md")))
                .contains("| Java |", "| durability |", "| allocator of native memory |", "rename a file");
        assertThat(folder).as("servers' data is removed").isDirectoryNotContaining("glob:**/stead-compare-*");
    }

    /** Clients do all their operations and check the answers, so a run that ends well did all of it. */
    @Test
    void newClientsAreMeasuredOnBothWithFreshAndWithWarmServers(@TempDir Path folder) throws IOException {
        Path out = folder.resolve("out");
        StringWriter said = new StringWriter();

        int exitCode = new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(said))
                .setErr(new PrintWriter(said))
                .execute(("compare --cold --works rename --threads 2 --rounds 1 --mds 2 --shards 3 --io 1 --disk "
                                + folder + " --out " + out)
                        .split(" ", -1));

        assertThat(exitCode).as(said.toString()).isZero();
        JsonNode report = new ObjectMapper().readTree(out.resolve("cold.json").toFile());
        assertThat(report.get("machine").get("servers of SteadFS").asText())
                .isEqualTo("2 for metadata with 3 shards, 1 for data, one copy");
        assertThat(report.get("machine").get("servers of HDFS").asText())
                .isEqualTo("1 for metadata, 1 for data, one copy");
        List<String> cells = new ArrayList<>();
        report.get("cells").forEach(cell -> {
            cells.add(cell.get("servers").asText() + " " + cell.get("work").asText());
            for (String part : new String[] {"first100", "first1000"}) {
                assertThat(cell.get(part).get("firstRates")).hasSize(1);
                assertThat(cell.get(part).get("ratio").get("least").asDouble())
                        .as("%s", cell)
                        .isPositive();
            }
        });
        assertThat(cells).containsExactly("fresh rename", "warm rename");
        assertThat(report.get("starts").get("firstSeconds").get(0).asDouble()).isPositive();
        assertThat(report.get("starts").get("secondSeconds")).hasSize(1);
        assertThat(folder).as("servers' data is removed").isDirectoryNotContaining("glob:**/stead-compare-*");
    }

    private static double messages(JsonNode report, String work) {
        for (JsonNode cell : report.get("cells")) {
            if (cell.get("work").asText().equals(work)) {
                return cell.get("lanes").get(0).get("messagesPerOperation").asDouble();
            }
        }
        throw new AssertionError("no cell of " + work);
    }
}
