package io.steadfs.lab.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.lab.bench.BenchCommand;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Small runs of each figure: the form of what they leave, not the numbers. */
class FiguresCommandTest {
    private final Path out;
    private final Path work;
    private final StringWriter printed = new StringWriter();
    private final StringWriter said = new StringWriter();

    FiguresCommandTest(@TempDir Path folder) throws IOException {
        this.out = folder.resolve("out/deeper");
        this.work = Files.createDirectory(folder.resolve("work"));
    }

    private int run(String arguments) {
        return new CommandLine(new BenchCommand())
                .setOut(new PrintWriter(printed))
                .setErr(new PrintWriter(said))
                .execute(("figures --out " + out + " " + arguments).split(" "));
    }

    @Test
    void figure6() throws IOException {
        assertThat(run("--figure 6 --points 2,1 --creates 3 --warm-up 1 --rehearsal 2 --protocols compound,eager"
                        + " --memory " + work + " --disk " + work))
                .as("%s", said)
                .isZero();

        for (String place : List.of("memory", "disk")) {
            assertThat(rows(
                            "figure-6-" + place,
                            "series,x_io_servers,mean_microseconds,stddev_microseconds,samples,messages_by_server"))
                    .containsExactly(
                            "compound,1,3",
                            "eager,1,3",
                            "eager L=20,1,3",
                            "compound,2,3",
                            "eager,2,3",
                            "eager L=20,2,3");
        }
        assertThat(printed.toString()).contains("Figure 6, memory", "Figure 6, disk", "at 2 / at 1");
        pictures("figure-6-memory", "figure-6-disk");
    }

    @Test
    void figure7() throws IOException {
        assertThat(run("--figure 7 --points 1,3 --files 4 --rounds 2 --rehearsal 0 --warm-up 1"
                        + " --protocols basecase,precreated --on disk --disk " + work))
                .as("%s", said)
                .isZero();

        assertThat(
                        rows(
                                "figure-7-disk",
                                "series,x_clients,mean_creates_per_second,stddev_creates_per_second,samples,messages_by_server"))
                .containsExactly(
                        "basecase,1,2",
                        "precreated,1,2",
                        "precreated L=20,1,2",
                        "basecase,3,2",
                        "precreated,3,2",
                        "precreated L=20,3,2");
        pictures("figure-7-disk");
    }

    @Test
    void figure8() throws IOException {
        assertThat(run("--figure 8 --points 1,2 --files 2 --rounds 1 --rehearsal 0 --warm-up 0 --commit-delay-ms 1"
                        + " --protocols unified --works create,stat,move --lookups component,direct --clients 3 --depth 4 --on memory --memory "
                        + work))
                .as("%s", said)
                .isZero();

        assertThat(
                        rows(
                                "figure-8-memory",
                                "series,x_shards,mean_operations_per_second,stddev_operations_per_second,samples,messages_by_server"))
                .containsExactly(
                        "unified component,1,1",
                        "unified,1,1",
                        "stat component,1,1",
                        "stat,1,1",
                        "move component,1,1",
                        "move,1,1",
                        "unified component,2,1",
                        "unified,2,1",
                        "stat component,2,1",
                        "stat,2,1",
                        "move component,2,1",
                        "move,2,1");
        for (String line : Files.readAllLines(out.resolve("figure-8-memory.csv"))) {
            if (line.startsWith("unified,2,") || line.startsWith("stat,2,") || line.startsWith("move,2,")) {
                long messages = Arrays.stream(
                                line.substring(line.lastIndexOf(',') + 1).split(";", -1))
                        .mapToLong(Long::parseLong)
                        .sum();
                assertThat(messages).as(line).isBetween(6L, 12L);
            }
        }
        pictures("figure-8-memory");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lookup | 2 | shards | operations_per_second |"
                        + " unified component, unified, stat component, stat | --clients 12",
                "h5 | 2 | servers_of_each_sort | mib_per_second | write |",
                "h6 | 2 | servers_of_each_sort | files_per_second | small |",
                "h7 | 2 | servers_of_each_sort | creates_per_second | unified |",
                "h8 | 1;2 | servers_of_each_sort | of_one_server |"
                        + " small, create, stat, stat item expiry 1000 ms | --set stead.mds.copies.term=60000",
                "renames | 1;3 | shards | microseconds | task, known |",
            })
    void figuresOfLookups(String figure, String points, String x, String unit, String series, @Nullable String more)
            throws IOException {
        String atPoints = points.replace(';', ',');
        assertThat(run("--figure " + figure + " --points " + atPoints
                        + " --files 2 --rounds 1 --rehearsal 0 --warm-up 0"
                        + (figure.equals("renames") ? "" : " --commit-delay-ms 1") + " --on memory --memory " + work
                        + (more == null ? "" : " " + more)))
                .as("%s", said)
                .isZero();

        // Of a latency each operation is a sample, of a rate each round.
        int samples = figure.equals("renames") ? 2 : 1;
        List<String> names = List.of(series.split(", ", -1));
        String name = "figure-" + figure + "-memory";
        assertThat(rows(name, "series,x_" + x + ",mean_" + unit + ",stddev_" + unit + ",samples,messages_by_server"))
                .containsExactlyElementsOf(Stream.of(atPoints.split(",", -1))
                        .flatMap(point -> names.stream().map(each -> each + "," + point + "," + samples))
                        .toList());
        pictures(name);
    }

    /** The directory splits while it grows. */
    @Test
    void figureOfGrowth() throws IOException {
        assertThat(run("--figure s7 --points 3,1 --seconds 3 --rounds 1 --rehearsal 20 --clients 2 --commit-delay-ms 1"
                        + " --set stead.partition.split.entries=50 --memory " + work))
                .as("%s", said)
                .isZero();

        List<String> series = List.of("no hint", "presplit", "separate directories");
        assertThat(lines("figure-s7-memory", ",[0-9.]+,0.000,1$"))
                .containsExactlyElementsOf(Stream.of(1, 3)
                        .flatMap(shards -> series.stream()
                                .flatMap(each -> IntStream.rangeClosed(1, 3)
                                        .mapToObj(second -> each + "," + shards + "," + second)))
                        .toList());
        // Three shards have 24 partitions at most, and the next power of two. How many it has by itself depends on
        // time.
        assertThat(lines("figure-s7-memory-steady", ",[0-9.]+,0.000,1,[0-9.]+,0.000,[0-9.]+,[0-9.]+(?=,)|,[0-9.]+$"))
                .hasSize(6)
                .contains(
                        "no hint,1,1",
                        "presplit,1,1",
                        "separate directories,1,1",
                        "presplit,3,32",
                        "separate directories,3,3")
                .anySatisfy(line -> {
                    assertThat(line).startsWith("no hint,3,");
                    assertThat(Integer.parseInt(line.substring(line.lastIndexOf(',') + 1)))
                            .isBetween(2, 32);
                });
        assertThat(printed.toString())
                .contains("Figure s7, memory", "0 to 1", "of shards x one shard", "of separate directories");
        pictures("figure-s7-memory");
    }

    @Test
    void figureOfListing() throws IOException {
        assertThat(run("--figure s8 --points 1,3 --entries 300,40 --rounds 2 --rehearsal 1 --clients 3"
                        + " --set stead.partition.split.entries=50 --memory " + work))
                .as("%s", said)
                .isZero();

        assertThat(lines("figure-s8-memory", ",[0-9.]+,[0-9.]+,[0-9.]+(?=,2,)"))
                .containsExactly(
                        "first entry,1,40,2,1",
                        "last entry,1,40,2,1",
                        "first entry,1,300,2,1",
                        "last entry,1,300,2,1",
                        "first entry,3,40,2,1",
                        "last entry,3,40,2,1",
                        "first entry,3,300,2,8",
                        "last entry,3,300,2,8");
        assertThat(printed.toString()).contains("Figure s8, memory", "ms to the first", "least to greatest");
        pictures("figure-s8-memory");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--figure 5                      | --figure 5 is none of 6, 7, 8, lookup, h5, h6, h7, h8, renames, s7, s8",
                "--figure 6 --points 0           | 0 is not in 1..200",
                "--figure 6 --creates 0          | --creates 0 is less than 1",
                "--figure 6 --protocols slow     | unknown create protocol",
                "--figure 6 --lookups sideways   | --lookups 'sideways' is none of component, direct",
                "--figure 8 --works dance        | --works 'dance' is none of create, stat, move, write, small, task, known",
                "--figure lookup --works write   | --works: --figure lookup has only create, stat, move",
                "--figure 8 --works move --files 1 | --files 1: a move needs 2 directories",
                "--figure 8 --depth 1            | --depth 1 is less than 2",
                "--figure 8 --clients 1001       | --clients 1001 is more than 1000",
                "--figure 8 --depth 101          | --depth 101 is more than 100",
                "--figure 8 --commit-delay-ms -1 | --commit-delay-ms -1 is not in 0..1000",
                "--figure h5 --commit-delay-ms 1001 | --commit-delay-ms 1001 is not in 0..1000",
                "--figure h5 --batch-requests 1000001 | --batch-requests 1000001 is more than 1000000",
                "--figure 7 --works stat         | --works changes nothing in --figure 7",
                "--figure h5 --clients 3         | --clients changes nothing in --figure h5",
                "--figure h6 --depth 3           | --depth changes nothing in --figure h6",
                "--figure h6 --protocols eager   | --protocols changes nothing in --figure h6",
                "--figure h8 --lookups direct    | --lookups changes nothing in --figure h8",
                "--figure h5 --lookups direct    | --lookups changes nothing in --figure h5",
                "--figure 8 --works stat --protocols eager | --protocols changes nothing: there is no create among --works",
                "--figure h8 --protocols eager   | --protocols changes nothing in --figure h8",
                "--figure h5 --creates 7         | --creates changes nothing in --figure h5",
                "--figure 6 --rounds 7           | --rounds changes nothing in --figure 6",
                "--figure 7 --batch-requests 7   | --batch-requests changes nothing in --figure 7",
                "--figure 7 --rounds -1          | --rounds -1 is less than 1",
                "--figure h8 --set stead.mds.copies.terms=5 | stead.mds.copies.terms",
                "--figure h8 --set stead.mds.copies.term=soon | stead.mds.copies.term: value 'soon' is not",
                "--figure 6 --on tape            | --on 'tape' is neither memory nor disk",
                "--figure 6 --disk /no/such/dir  | --disk /no/such/dir is no folder",
                "--figure s7 --points 0          | --points: 0 is not in 1..200",
                "--figure s7 --clients 101       | --clients 101 is more than 100",
                "--figure s7 --clients -1        | --clients -1 is less than 1",
                "--figure s7 --seconds 2         | --seconds 2 is less than 3",
                "--figure s7 --seconds 3601      | --seconds 3601 is more than 3600",
                "--figure s7 --rounds -1         | --rounds -1 is less than 1",
                "--figure s7 --rehearsal -1      | --rehearsal -1 is less than 0",
                "--figure s7 --commit-delay-ms -1 | --commit-delay-ms -1 is not in 0..1000",
                "--figure s7 --batch-requests -1 | --batch-requests -1 is less than 0",
                "--figure s7 --set stead.partition.splits=5 | stead.partition.splits",
                "--figure s7 --files 7           | --files changes nothing in --figure s7",
                "--figure s7 --warm-up 7         | --warm-up changes nothing in --figure s7",
                "--figure s7 --protocols eager   | --protocols changes nothing in --figure s7",
                "--figure s7 --lookups direct    | --lookups changes nothing in --figure s7",
                "--figure s7 --works create      | --works changes nothing in --figure s7",
                "--figure s7 --depth 3           | --depth changes nothing in --figure s7",
                "--figure s7 --creates 3         | --creates changes nothing in --figure s7",
                "--figure s7 --entries 7         | --entries changes nothing in --figure s7",
                "--figure s7 --series all        | --series 'all' is none of splitting, presplit, separate",
                "--figure s8 --series presplit   | --series changes nothing in --figure s8",
                "--figure s8 --entries 0         | --entries: 0 is not in 1..50000000",
                "--figure s8 --entries 1,many    | --entries",
                "--figure s8 --clients 1001      | --clients 1001 is more than 1000",
                "--figure s8 --rounds -1         | --rounds -1 is less than 1",
                "--figure s8 --rehearsal -1      | --rehearsal -1 is less than 0",
                "--figure s8 --seconds 5         | --seconds changes nothing in --figure s8",
                "--figure s8 --commit-delay-ms 1 | --commit-delay-ms changes nothing in --figure s8",
                "--figure s8 --batch-requests 1  | --batch-requests changes nothing in --figure s8",
                "--figure 8 --seconds 5          | --seconds changes nothing in --figure 8",
                "--figure 6 --entries 5          | --entries changes nothing in --figure 6",
                "--points 1                      | --figure",
            })
    void wrongUsageIsNamed(String arguments, String message) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(said.toString()).contains(message);
    }

    /** Without the columns of times, which are numbers; what was made to measure is gone. */
    private List<String> rows(String name, String header) throws IOException {
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).isEmpty();
        }
        List<String> lines = Files.readAllLines(out.resolve(name + ".csv"));
        assertThat(lines.get(0)).isEqualTo(header);
        List<String> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            assertThat(cells).hasSize(6);
            assertThat(Double.parseDouble(cells[2])).isPositive();
            assertThat(Double.parseDouble(cells[3])).isNotNegative();
            rows.add(cells[0] + "," + cells[1] + "," + cells[4]);
        }
        return rows;
    }

    /** The lines after the header, without all that the pattern finds in each; what was made to measure is gone. */
    private List<String> lines(String name, String pattern) throws IOException {
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).isEmpty();
        }
        List<String> lines = Files.readAllLines(out.resolve(name + ".csv"));
        return lines.subList(1, lines.size()).stream()
                .map(line -> {
                    assertThat(line).containsPattern(pattern);
                    return line.replaceAll(pattern, "");
                })
                .toList();
    }

    private void pictures(String... names) throws IOException {
        assumeFalse(said.toString().contains("Java finds no fonts"), "a machine without fonts");
        for (String name : names) {
            Optional<BufferedImage> image =
                    Optional.ofNullable(ImageIO.read(out.resolve(name + ".png").toFile()));
            assertThat(image)
                    .hasValueSatisfying(png -> assertThat(png.getWidth()).isEqualTo(1000));
        }
    }
}
