package io.steadfs.micro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.protocol.Protocol;
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
import org.openjdk.jmh.annotations.Param;
import picocli.CommandLine;

/** All benchmarks, for an instant each: what they measure is not looked at, but that they work and all of it is reported. */
class MicroTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new Micro())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void everyBenchmarkIsReportedWithItsAllocation(@TempDir Path folder) throws IOException {
        assertThat(run("--list")).as(err.toString()).isZero();
        List<String> listed = out.toString()
                .lines()
                .map(name -> name.replaceAll(".*\\.(\\w+)Benchmark\\.", "$1."))
                .toList();

        assertThat(run("--out", folder.toString(), "--in-process"))
                .as(err.toString())
                .isZero();

        JsonNode report =
                new ObjectMapper().readTree(folder.resolve("micro.json").toFile());
        List<String> measured = new ArrayList<>();
        report.get("benchmarks").forEach(each -> {
            measured.add(each.get("benchmark").asText());
            assertThat(each.get("score").asDouble()).as("%s", each).isPositive();
            assertThat(each.has("allocatedBytesPerOperation")).as("%s", each).isTrue();
        });
        assertThat(measured.stream().distinct()).containsExactlyInAnyOrderElementsOf(listed);
        assertThat(Files.readString(folder.resolve("micro.md")))
                .contains("| JMH | 1.37 |", "ClusterCreate.createAndClose");
    }

    @Test
    void createsAreMeasuredByEachProtocol() throws ReflectiveOperationException {
        String[] measured = ClusterCreateBenchmark.class
                .getField("protocol")
                .getAnnotation(Param.class)
                .value();

        assertThat(measured)
                .containsExactly(
                        Arrays.stream(Protocol.values()).map(Protocol::toString).toArray(String[]::new));
    }

    @Test
    void wrongUsageIsNamed() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--out", "x", "--only", "nothing of that name")).isEqualTo(2);
        assertThat(run("--out", "x", "--only", "(")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "missing --out DIR",
                        "--only 'nothing of that name' is in no benchmark's name",
                        "--only '(' is no regular expression");
    }
}
