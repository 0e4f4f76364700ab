package io.steadfs.lab.bench.figure.growth;

import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.figure.ground.Chart;
import io.steadfs.lab.bench.figure.ground.Moments;
import io.steadfs.lab.bench.figure.ground.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All measured series with all numbers of shards at one place. */
record GrowthTable(List<Growth> all) implements Outcome {
    /** The most lines of the printed table of rates. */
    private static final int MOST_LINES = 20;

    GrowthTable {
        all = List.copyOf(all);
    }

    /** The steady rate as a part of that of one shard, times the number of shards. Empty if one was not measured. */
    Optional<Double> ofLinear(Growth growth) {
        return of(growth.series(), 1)
                .map(one ->
                        growth.steady().mean() / (growth.shards() * one.steady().mean()));
    }

    /** The steady rate as a part of that of separate directories on as many shards. Empty if that was not measured. */
    Optional<Double> ofSeparate(Growth growth) {
        return of(GrowthSeries.SEPARATE, growth.shards())
                .map(separate -> growth.steady().mean() / separate.steady().mean());
    }

    private Optional<Growth> of(GrowthSeries series, int shards) {
        return all.stream()
                .filter(growth -> growth.series() == series && growth.shards() == shards)
                .findFirst();
    }

    /**
     * A table of rates over time, with a column for each series and number of shards, and a table of steady states.
     * Where there are many seconds, a line has the mean of several.
     */
    @Override
    public String text() {
        return "creates/second over time\n" + rates() + "\n" + steadyStates();
    }

    private TextTable rates() {
        int seconds = all.get(0).seconds();
        int step = (seconds + MOST_LINES - 1) / MOST_LINES;
        TextTable table = new TextTable(
                1,
                Stream.concat(Stream.of("seconds"), all.stream().map(GrowthTable::name))
                        .toArray(String[]::new));
        for (int begin = 0; begin < seconds; begin += step) {
            int from = begin;
            int to = Math.min(begin + step, seconds);
            table.row(Stream.concat(
                            Stream.of(from + " to " + to),
                            all.stream()
                                    .map(growth ->
                                            Math.round(growth.rate(from, to).mean())))
                    .toArray());
        }
        return table;
    }

    private static String name(Growth growth) {
        return growth.series().title + ", " + growth.shards();
    }

    private TextTable steadyStates() {
        TextTable table = new TextTable(
                1,
                "steady state (last third)",
                "shards",
                "creates/second",
                "deviation",
                "at 90 % after s",
                "of shards x one shard",
                "of separate directories",
                "partitions",
                "processors used");
        for (Growth growth : all) {
            Moments steady = growth.steady();
            table.row(
                    growth.series().title,
                    growth.shards(),
                    Math.round(steady.mean()),
                    Math.round(steady.deviation()),
                    growth.secondsUntilSteady().mean(),
                    ofLinear(growth).<Object>map(part -> part).orElse("-"),
                    ofSeparate(growth).<Object>map(part -> part).orElse("-"),
                    growth.partitions(),
                    growth.processors().mean());
        }
        return table;
    }

    @Override
    public Map<String, String> csvFiles() {
        return Map.of("", ratesCsv(), "-steady", steadyCsv());
    }

    /** A line for each second; its number is that of seconds until its end. */
    private String ratesCsv() {
        StringBuilder out = new StringBuilder(
                "series,shards,x_seconds,mean_creates_per_second,stddev_creates_per_second,samples\n");
        for (Growth growth : all) {
            for (int second = 0; second < growth.seconds(); second++) {
                Moments rate = growth.rate(second, second + 1);
                out.append(String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%.3f,%.3f,%d%n",
                        growth.series().title,
                        growth.shards(),
                        second + 1,
                        rate.mean(),
                        rate.deviation(),
                        rate.count()));
            }
        }
        return out.toString();
    }

    private String steadyCsv() {
        StringBuilder out = new StringBuilder(
                "series,x_shards,mean_creates_per_second,stddev_creates_per_second,samples,"
                        + "mean_seconds_to_90_percent,stddev_seconds_to_90_percent,of_linear,of_separate_directories,partitions,mean_processors_used\n");
        for (Growth growth : all) {
            Moments steady = growth.steady();
            Moments until = growth.secondsUntilSteady();
            out.append(String.format(
                    Locale.ROOT,
                    "%s,%d,%.3f,%.3f,%d,%.3f,%.3f,%s,%s,%d,%.3f%n",
                    growth.series().title,
                    growth.shards(),
                    steady.mean(),
                    steady.deviation(),
                    steady.count(),
                    until.mean(),
                    until.deviation(),
                    cell(ofLinear(growth)),
                    cell(ofSeparate(growth)),
                    growth.partitions(),
                    growth.processors().mean()));
        }
        return out.toString();
    }

    private static String cell(Optional<Double> part) {
        return part.map(number -> String.format(Locale.ROOT, "%.3f", number)).orElse("");
    }

    @Override
    public Chart chart() {
        return new Chart(
                "Creates in one directory that grows, by number of shards",
                "seconds since the first create",
                "creates/second",
                false,
                all.stream()
                        .map(growth -> new Chart.Line(
                                name(growth),
                                IntStream.range(0, growth.seconds())
                                        .mapToObj(second -> spot(second, growth.rate(second, second + 1)))
                                        .toList()))
                        .toList());
    }

    private static Chart.Spot spot(int second, Moments rate) {
        return new Chart.Spot(second + 1, rate.mean(), rate.deviation());
    }
}
