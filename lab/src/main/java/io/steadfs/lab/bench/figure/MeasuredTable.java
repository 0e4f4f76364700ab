package io.steadfs.lab.bench.figure;

import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.figure.ground.Chart;
import io.steadfs.lab.bench.figure.ground.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** All measured points of a figure at one place. Writes the points as text. */
record MeasuredTable(Figure figure, List<Measured> points) implements Outcome {
    MeasuredTable {
        points = List.copyOf(points);
    }

    /** The rates for each server, each as a part of that of its series at the first point. */
    MeasuredTable forEachServer() {
        List<Measured> parts = new ArrayList<>();
        for (Measured point : points) {
            Measured first = of(point.series()).get(0);
            parts.add(point.times(first.x() / (first.mean() * point.x())));
        }
        return new MeasuredTable(figure, parts);
    }

    List<String> series() {
        return points.stream().map(Measured::series).distinct().toList();
    }

    /** The points of a series from left to right. */
    List<Measured> of(String series) {
        return points.stream().filter(point -> point.series().equals(series)).toList();
    }

    @Override
    public Map<String, String> csvFiles() {
        return Map.of("", csv());
    }

    @Override
    public Chart chart() {
        return new Chart(
                figure.title,
                figure.x,
                figure.unit,
                false,
                series().stream()
                        .map(name -> new Chart.Line(
                                name,
                                of(name).stream()
                                        .map(point -> new Chart.Spot(point.x(), point.mean(), point.deviation()))
                                        .toList()))
                        .toList());
    }

    private String csv() {
        String unit = Figure.asColumn(figure.unit);
        StringBuilder out = new StringBuilder();
        out.append("series,x_")
                .append(Figure.asColumn(figure.x))
                .append(",mean_")
                .append(unit)
                .append(",stddev_")
                .append(unit)
                .append(",samples,messages_by_server\n");
        for (Measured point : points) {
            out.append(String.format(
                    Locale.ROOT,
                    "%s,%d,%.3f,%.3f,%d,%s%n",
                    point.series(),
                    point.x(),
                    point.mean(),
                    point.deviation(),
                    point.samples(),
                    point.arrived().stream().map(String::valueOf).collect(Collectors.joining(";"))));
        }
        return out.toString();
    }

    /**
     * A table with a line for each series. A line has the mean at each point, and the ratio of the last mean to the
     * first mean.
     */
    @Override
    public String text() {
        List<Integer> xs = points.stream().map(Measured::x).distinct().sorted().toList();
        String[] titles = new String[xs.size() + 2];
        titles[0] = figure.unit + ", mean; " + figure.x + ":";
        for (int i = 0; i < xs.size(); i++) {
            titles[i + 1] = Integer.toString(xs.get(i));
        }
        titles[xs.size() + 1] = "at " + xs.get(xs.size() - 1) + " / at " + xs.get(0);
        TextTable table = new TextTable(1, titles);
        for (String name : series()) {
            List<Measured> line = of(name);
            Object[] cells = new Object[titles.length];
            cells[0] = name;
            for (int i = 0; i < line.size(); i++) {
                double mean = line.get(i).mean();
                cells[i + 1] = figure == Figure.FOR_EACH_SERVER ? (Object) mean : (Object) Math.round(mean);
            }
            cells[titles.length - 1] =
                    line.get(line.size() - 1).mean() / line.get(0).mean();
            table.row(cells);
        }
        return table.toString();
    }
}
