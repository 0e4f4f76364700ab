package io.steadfs.lab.bench.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.lab.bench.BenchCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Messages of operations in small clusters. They do not depend on chance where they are looked at. */
class LookupCommandTest {
    private final Path out;
    private final StringWriter printed = new StringWriter();
    private final StringWriter said = new StringWriter();

    LookupCommandTest(@TempDir Path folder) {
        this.out = folder.resolve("out/deeper");
    }

    private int run(String arguments) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(printed))
                .setErr(new PrintWriter(said))
                .execute(("lookup --out " + out + " " + arguments).split(" "));
    }

    /** Messages of the client, between shards, and at shard 0, by everything before them. */
    private Map<String, List<Integer>> counts() throws IOException {
        Map<String, List<Integer>> counts = new TreeMap<>();
        List<String> lines = Files.readAllLines(out.resolve("lookup.csv"));
        assertThat(lines.get(0))
                .isEqualTo("shards,depth,operation,lookup,client,from_client,between_shards,at_shard_0");
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            String key = String.join(",", List.of(cells).subList(0, 5));
            counts.put(
                    key,
                    List.of(cells).subList(5, 8).stream().map(Integer::valueOf).toList());
        }
        return counts;
    }

    @Test
    void oneShardTakesOneMessageForEverything() throws IOException {
        assertThat(run("--shards 1 --depths 1,4")).as("%s", said).isZero();
        Map<String, List<Integer>> counts = counts();
        assertThat(counts).hasSize(2 * LookupOperation.values().length * 2 * 2);
        assertThat(counts.values()).containsOnly(List.of(1, 0, 1));
        assertThat(printed.toString())
                .contains("| 1 | 4 | attributes of a file | 1 | 1 | 1 | 1 | 1 |")
                .isEqualTo(Files.readString(out.resolve("lookup.md")));
    }

    @Test
    void severalShardsTakeOneMessageOfAClientThatHasMetTheDirectory() throws IOException {
        assertThat(run("--shards 3 --depths 6")).as("%s", said).isZero();
        Map<String, List<Integer>> counts = counts();
        for (String operation : List.of("attributes of a file", "open a file", "create a file")) {
            String row = "3,6," + operation;
            assertThat(counts.getOrDefault(row + ",direct,warm", List.of(0, 0, 0))
                            .subList(0, 2))
                    .as(row)
                    .isEqualTo(List.of(1, 0));
            assertThat(counts.getOrDefault(row + ",direct,cold", List.of(0)).get(0))
                    .as(row)
                    .isBetween(1, 2);
            assertThat(counts.get(row + ",component,warm")).as(row).isEqualTo(counts.get(row + ",component,cold"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--shards 0, --shards 0 is not in 1..64",
        "--shards 65, --shards 65 is not in 1..64",
        "--depths 0, --depths 0 is not in 1..999",
        "--disk /nowhere, --disk /nowhere is no folder"
    })
    void nonsenseIsRefused(String arguments, String message) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(said.toString()).contains(message);
    }
}
