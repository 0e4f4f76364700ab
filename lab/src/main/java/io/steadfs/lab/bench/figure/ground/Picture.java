package io.steadfs.lab.bench.figure.ground;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws a chart with a line for each series. A bar at each point shows the standard deviation. */
public final class Picture {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 640;

    /** A line with more points has neither marks nor bars. */
    private static final int MOST_MARKS = 30;

    private Picture() {}

    /**
     * Draws the chart into a PNG file. Drawing needs fonts, but no screen.
     *
     * @throws IOException if the file cannot be written or this machine has no fonts
     */
    public static void draw(Chart chart, String place, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        XYChart drawn = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(chart.title() + ", " + place)
                .xAxisTitle(chart.x())
                .yAxisTitle(chart.y())
                .build();
        drawn.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        if (chart.logarithmic()) {
            drawn.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        } else {
            drawn.getStyler().setYAxisMin(0.0);
        }
        chart.lines().forEach(line -> add(drawn, line));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ImageIO.write(BitmapEncoder.getBufferedImage(drawn), "png", out);
        } catch (InternalError | LinkageError e) {
            // If Java finds no font, drawing throws one of these errors. The first call may throw another error than
            // later calls.
            Files.deleteIfExists(file);
            throw new IOException("Java finds no fonts; install fontconfig and a font such as DejaVu: " + e, e);
        }
    }

    private static void add(XYChart drawn, Chart.Line line) {
        double[] xs = values(line.spots(), Chart.Spot::x);
        double[] ys = values(line.spots(), Chart.Spot::y);
        if (line.spots().size() > MOST_MARKS) {
            drawn.addSeries(line.name(), xs, ys).setMarker(SeriesMarkers.NONE);
        } else {
            drawn.addSeries(line.name(), xs, ys, values(line.spots(), Chart.Spot::deviation));
        }
    }

    private static double[] values(List<Chart.Spot> spots, ToDoubleFunction<Chart.Spot> value) {
        return spots.stream().mapToDouble(value).toArray();
    }
}
