package io.steadfs.lab.bench.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.counting.Counters;
import io.steadfs.lab.bench.BenchCommand;
import io.steadfs.wire.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class JobsCommandTest {
    private static JobCount count(Map<String, Long> ofFirst, Map<String, Long> ofSecond) {
        return JobCount.of(
                SparkJob.BATCH,
                new Counters(new TreeMap<>(Map.of("mds-1", new TreeMap<>(ofFirst), "mds-2", new TreeMap<>(ofSecond)))));
    }

    @Test
    void messagesOfClientsAndChangesOfDirectoriesAreSums() {
        JobCount count = count(
                Map.of("messages.in.STAT", 5L, "messages.in.PREPARE", 7L, "copies.changes.names", 2L),
                Map.of("messages.in.STAT", 6L, "messages.in.CREATE_SYMLINK", 1L, "copies.changes.rows", 3L));
        assertThat(count.messages()).isEqualTo(Map.of(Kind.STAT, 11L, Kind.CREATE_SYMLINK, 1L));
        assertThat(count.all()).isEqualTo(12);
        assertThat(count.hierarchical()).isEqualTo(6);
    }

    @Test
    void sharesAreOfAllMessagesOfClients() {
        JobTable table = new JobTable(List.of(count(
                Map.of("messages.in.READ", 150L, "messages.in.RENAME", 49L, "copies.changes.names", 1L),
                Map.of("messages.in.CREATE", 1L))));
        assertThat(table.markdown())
                .endsWith("| batch | 200 | 0.00 | 75.00 | 0.00 | 0.00 | 0.50 | 0.00 | 0.00 | 0.00 | 24.50 | 0.00"
                        + " | 0.50 | 0.00 | 0.00 | 0.50 |\n");
        assertThat(table.csv())
                .startsWith("job,what,count\n")
                .contains("batch,message READ,150\n", "batch,directory names changed,1\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--shards 1      | --shards 1 is not in 2..64",
                "--shards 65     | --shards 65 is not in 2..64",
                "--jobs dream    | dream",
            })
    void wrongUsageIsNamed(String arguments, String message, @TempDir Path out) {
        StringWriter said = new StringWriter();
        int exit = new CommandLine(new BenchCommand())
                .setErr(new PrintWriter(said))
                .execute(("jobs --out " + out + " " + arguments).split(" "));
        assertThat(exit).isEqualTo(2);
        assertThat(said.toString()).contains(message);
    }
}
