package io.steadfs.lab.bench.figure.ground;

import java.util.List;

/**
 * What a picture shows.
 *
 * @param x title of the axis to the right
 * @param y title of the axis upwards
 * @param logarithmic whether both axes are; then all numbers are above 0
 */
public record Chart(String title, String x, String y, boolean logarithmic, List<Line> lines) {
    public Chart {
        lines = List.copyOf(lines);
    }

    /** A series, from left to right. */
    public record Line(String name, List<Spot> spots) {
        public Line {
            spots = List.copyOf(spots);
        }
    }

    /** @param deviation length of the bar to either side of the point */
    public record Spot(double x, double y, double deviation) {}
}
