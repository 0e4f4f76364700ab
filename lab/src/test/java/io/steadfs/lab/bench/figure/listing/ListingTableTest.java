package io.steadfs.lab.bench.figure.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.lab.bench.figure.ground.Chart;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written of known listings. */
class ListingTableTest {
    private final ListingTable table = new ListingTable(List.of(
            new Listing(1, 1_000, 1, List.of(3.0, 1.0, 2.0), List.of(30.0, 10.0, 20.0)),
            new Listing(3, 1_000, 2, List.of(4.0), List.of(8.0)),
            new Listing(3, 20_000, 4, List.of(5.0), List.of(50.0))));

    @Test
    void medianAndSpreadOfEachDirectory() {
        assertThat(table.csvFiles().getOrDefault("", "").lines())
                .containsExactly(
                        "series,shards,x_entries,median_milliseconds,least_milliseconds,greatest_milliseconds,samples,"
                                + "partitions",
                        "first entry,1,1000,2.000,1.000,3.000,3,1",
                        "last entry,1,1000,20.000,10.000,30.000,3,1",
                        "first entry,3,1000,4.000,4.000,4.000,1,2",
                        "last entry,3,1000,8.000,8.000,8.000,1,2",
                        "first entry,3,20000,5.000,5.000,5.000,1,4",
                        "last entry,3,20000,50.000,50.000,50.000,1,4");
        assertThat(table.text())
                .containsPattern("1,000 +1 +1 +2.00 +1.00 to 3.00 +20.00 +10.00 to 30.00 +50,000\n")
                .containsPattern("20,000 +3 +4 +5.00 +5.00 to 5.00 +50.00 +50.00 to 50.00 +400,000\n");
    }

    @Test
    void aPictureHasTwoLinesForEachNumberOfShards() {
        assertThat(table.chart().logarithmic()).isTrue();
        assertThat(table.chart().lines())
                .extracting(Chart.Line::name)
                .containsExactly("first entry, 1", "last entry, 1", "first entry, 3", "last entry, 3");
        assertThat(table.chart().lines().get(3).spots())
                .containsExactly(new Chart.Spot(1_000, 8, 0), new Chart.Spot(20_000, 50, 0));
    }
}
