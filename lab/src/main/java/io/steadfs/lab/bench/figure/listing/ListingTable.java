package io.steadfs.lab.bench.figure.listing;

import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.compare.Spread;
import io.steadfs.lab.bench.figure.ground.Chart;
import io.steadfs.lab.bench.figure.ground.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** All measured directories at one place. */
record ListingTable(List<Listing> all) implements Outcome {
    private static final double MILLIS = 1_000;

    ListingTable {
        all = List.copyOf(all);
    }

    /** A table with a line for each directory: medians, and the least and greatest time. */
    @Override
    public String text() {
        TextTable table = new TextTable(
                0,
                "entries",
                "shards",
                "partitions",
                "ms to the first",
                "least to greatest",
                "ms to the last",
                "least to greatest",
                "entries/second");
        for (Listing listing : all) {
            Spread first = listing.first();
            Spread last = listing.last();
            table.row(
                    listing.entries(),
                    listing.shards(),
                    listing.partitions(),
                    first.middle(),
                    range(first),
                    last.middle(),
                    range(last),
                    Math.round(listing.entries() * MILLIS / last.middle()));
        }
        return table.toString();
    }

    private static String range(Spread spread) {
        return String.format(Locale.ROOT, "%,.2f to %,.2f", spread.least(), spread.greatest());
    }

    @Override
    public Map<String, String> csvFiles() {
        StringBuilder out = new StringBuilder("series,shards,x_entries,median_milliseconds,least_milliseconds,"
                + "greatest_milliseconds,samples,partitions\n");
        for (Listing listing : all) {
            out.append(line("first entry", listing, listing.first()));
            out.append(line("last entry", listing, listing.last()));
        }
        return Map.of("", out.toString());
    }

    private static String line(String series, Listing listing, Spread millis) {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.3f,%.3f,%.3f,%d,%d%n",
                series,
                listing.shards(),
                listing.entries(),
                millis.middle(),
                millis.least(),
                millis.greatest(),
                listing.lastMillis().size(),
                listing.partitions());
    }

    @Override
    public Chart chart() {
        List<Chart.Line> lines = all.stream()
                .map(Listing::shards)
                .distinct()
                .flatMap(shards -> Stream.of(
                        line("first entry", shards, Listing::first), line("last entry", shards, Listing::last)))
                .toList();
        return new Chart("Time to list one directory, by number of shards", "entries", "milliseconds", true, lines);
    }

    private Chart.Line line(String series, int shards, Function<Listing, Spread> millis) {
        return new Chart.Line(
                series + ", " + shards,
                all.stream()
                        .filter(listing -> listing.shards() == shards)
                        .map(listing -> new Chart.Spot(
                                listing.entries(), millis.apply(listing).middle(), 0))
                        .toList());
    }
}
