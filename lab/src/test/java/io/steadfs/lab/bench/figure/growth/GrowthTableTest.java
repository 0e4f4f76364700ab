package io.steadfs.lab.bench.figure.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.lab.bench.figure.ground.Chart;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written of known turns. */
class GrowthTableTest {
    private final GrowthTable table = new GrowthTable(List.of(
            growth(GrowthSeries.SPLITTING, 1, 100, 1),
            growth(GrowthSeries.SEPARATE, 1, 100, 1),
            new Growth(
                    GrowthSeries.SPLITTING,
                    4,
                    List.of(new Turn(List.of(90L, 280L, 300L), 4, 0.5), new Turn(List.of(110L, 120L, 340L), 8, 1.5))),
            growth(GrowthSeries.SEPARATE, 4, 400, 4)));

    private static Growth growth(GrowthSeries series, int shards, long rate, int partitions) {
        return new Growth(series, shards, List.of(new Turn(Collections.nCopies(3, rate), partitions, 2)));
    }

    @Test
    void ratesAreThereForEachSecond() {
        assertThat(table.csvFiles().getOrDefault("", "").lines())
                .startsWith("series,shards,x_seconds,mean_creates_per_second,stddev_creates_per_second,samples")
                .hasSize(1 + 4 * 3)
                .contains(
                        "no hint,1,1,100.000,0.000,1",
                        "no hint,4,1,100.000,14.142,2",
                        "no hint,4,3,320.000,28.284,2",
                        "separate directories,4,3,400.000,0.000,1");
    }

    @Test
    void steadyRatesAreComparedWithOneShardAndWithSeparateDirectories() {
        assertThat(table.csvFiles().getOrDefault("-steady", "").lines())
                .containsExactly(
                        "series,x_shards,mean_creates_per_second,stddev_creates_per_second,samples,"
                                + "mean_seconds_to_90_percent,stddev_seconds_to_90_percent,of_linear,"
                                + "of_separate_directories,partitions,mean_processors_used",
                        "no hint,1,100.000,0.000,1,0.000,0.000,1.000,1.000,1,2.000",
                        "separate directories,1,100.000,0.000,1,0.000,0.000,1.000,1.000,1,2.000",
                        "no hint,4,320.000,28.284,2,1.500,0.707,0.800,0.800,8,1.000",
                        "separate directories,4,400.000,0.000,1,0.000,0.000,1.000,1.000,4,2.000");
        assertThat(table.text()).contains("creates/second over time", "no hint, 4", "0 to 1", "2 to 3", "1.50", "0.80");
    }

    @Test
    void withoutOneShardNothingIsComparedWithIt() {
        GrowthTable alone = new GrowthTable(List.of(growth(GrowthSeries.SEPARATE, 4, 400, 4)));

        assertThat(alone.csvFiles().getOrDefault("-steady", "")).endsWith("0.000,0.000,,1.000,4,2.000\n");
        assertThat(alone.text()).containsPattern("separate directories +4 +400 +0 +0.00 +- +1.00 +4 +2.00");
    }

    @Test
    void withoutSeparateDirectoriesNothingIsComparedWithThem() {
        GrowthTable alone = new GrowthTable(List.of(growth(GrowthSeries.PRESPLIT, 1, 100, 1)));

        assertThat(alone.csvFiles().getOrDefault("-steady", "")).endsWith("0.000,0.000,1.000,,1,2.000\n");
        assertThat(alone.text()).containsPattern("presplit +1 +100 +0 +0.00 +1.00 +- +1 +2.00");
    }

    @Test
    void manySecondsAreFewLines() {
        GrowthTable longer = new GrowthTable(List.of(
                new Growth(GrowthSeries.SEPARATE, 1, List.of(new Turn(Collections.nCopies(50, 7L), 1, 2)))));

        assertThat(longer.text()).contains("0 to 3", "48 to 50").doesNotContain("0 to 1");
    }

    @Test
    void aPictureHasALineForEach() {
        assertThat(table.chart().lines())
                .extracting(Chart.Line::name)
                .containsExactly("no hint, 1", "separate directories, 1", "no hint, 4", "separate directories, 4");
        assertThat(table.chart().lines().get(2).spots())
                .extracting(Chart.Spot::y)
                .containsExactly(100.0, 200.0, 320.0);
    }
}
