package io.steadfs.it.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.it.LinkedRelease;
import io.steadfs.lab.bench.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two builds of SteadFS in one run, each from a folder with what a release has: the jars of this build. */
class CompareBesideTest {
    private static final String HOME = "stead.home";

    @TempDir
    private Path folder = Path.of("");

    private final List<LinkedRelease> releases = new ArrayList<>();

    @AfterEach
    void removeLinks() throws IOException {
        for (LinkedRelease release : releases) {
            release.close();
        }
    }

    @Test
    void twoBuildsAreMeasuredAndNamed() throws IOException {
        Path first = release("first", "0.1.0 a70b1a31912e78fac49c9266004b31c5a8b0f01f");
        Path second = release("second", "0.2.0 1d535fbc9c43000000000000000000000000000f");
        Path out = folder.resolve("out");
        StringWriter said = new StringWriter();
        String before = System.setProperty(HOME, first.toString());
        int exitCode;
        try {
            exitCode = run(said, second, out);
        } finally {
            System.setProperty(HOME, before);
        }

        assertThat(exitCode).as(said.toString()).isZero();
        JsonNode report =
                new ObjectMapper().readTree(out.resolve("compare.json").toFile());
        assertThat(report.get("first").asText()).isEqualTo("this");
        assertThat(report.get("second").asText()).isEqualTo("beside");
        assertThat(report.get("firstTitle").asText()).isEqualTo("SteadFS (0.1.0, commit a70b1a31912e)");
        assertThat(report.get("secondTitle").asText()).isEqualTo("SteadFS (0.2.0, commit 1d535fbc9c43)");
        assertThat(report.get("machine").get("beside has").asText()).isEqualTo("{stead.mds.rows.bytes=0}");
        List<String> cells = new ArrayList<>();
        report.get("cells").forEach(cell -> {
            cells.add(cell.get("work").asText());
            if (!cell.get("work").asText().equals("spark")) {
                assertThat(cell.get("floor").get("messagesPerOperation"))
                        .as("bare messages as many as the first side counts")
                        .isEqualTo(cell.get("lanes").get(0).get("messagesPerOperation"));
                assertThat(cell.get("floor").get("reached").get("least").asDouble())
                        .isPositive();
            }
            assertThat(cell.get("ratio").get("least").asDouble()).as("%s", cell).isPositive();
            // Two for a create and its close, one for a stat: both sides count what is timed.
            double messages = cell.get("work").asText().equals("create") ? 2 : 1;
            for (int lane = 0; lane < 2; lane++) {
                JsonNode measured = cell.get("lanes").get(lane);
                assertThat(measured.get("lane").asText()).isEqualTo(lane == 0 ? "this" : "beside");
                if (!cell.get("work").asText().equals("spark")) {
                    assertThat(measured.get("messagesPerOperation").asDouble())
                            .as("%s", measured)
                            .isBetween(messages, messages + 0.5);
                }
                assertThat(measured.has("fsyncsPerOperation")).isTrue();
            }
        });
        assertThat(cells).containsExactly("create", "stat", "spark");
        assertThat(report.get("memory")).hasSize(2);
        report.get("memory").forEach(system -> {
            assertThat(system.get("heapAfter")).as("%s", system).hasSize(3);
            assertThat(system.get("cacheAfter")).as("%s", system).hasSize(3);
        });
        assertThat(Files.readString(out.resolve("compare.md")))
                .startsWith("# SteadFS (0.1.0, commit a70b1a31912e) beside SteadFS (0.2.0, commit 1d535fbc9c43)\n")
                .contains("| work | unit | threads | this | beside | ratio |", second.toString());
        assertThat(folder).as("servers' data is removed").isDirectoryNotContaining("glob:**/stead-compare-*");
        assertThat(ProcessHandle.current().descendants())
                .as("servers have ended")
                .noneMatch(process -> process.info().commandLine().orElse("").contains("stead-compare-"));
    }

    private int run(StringWriter said, Path beside, Path out) {
        PrintWriter to = new PrintWriter(said);
        String arguments = "compare --quick --minutes 0 --visits 1 --rounds 2 --uncounted-rounds 0 --round-ms 20"
                + " --rehearsal-ms 0 --works create,stat,spark --threads 1 --io 2 --memory-files 100"
                + " --set-beside stead.mds.rows.bytes=0 --disk " + folder + " --out " + out + " --beside " + beside;
        return new CommandLine(new BenchCommand()).setOut(to).setErr(to).execute(arguments.split(" ", -1));
    }

    private Path release(String name, String version) throws IOException {
        LinkedRelease release = LinkedRelease.in(folder.resolve(name), version);
        releases.add(release);
        return release.home();
    }
}
