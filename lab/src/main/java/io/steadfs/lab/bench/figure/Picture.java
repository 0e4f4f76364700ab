package io.steadfs.lab.bench.figure;

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

/** Draws a figure with a line for each series. A bar at each point shows the standard deviation. */
final class Picture {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 640;

    private Picture() {}

    /**
     * Draws the figure into a PNG file. Drawing needs fonts, but no screen.
     *
     * @throws IOException if the file cannot be written or this machine has no fonts
     */
    static void draw(MeasuredTable table, String place, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Figure figure = table.figure();
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(figure.title + ", " + place)
                .xAxisTitle(figure.x)
                .yAxisTitle(figure.unit)
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        for (String series : table.series()) {
            List<Measured> line = table.of(series);
            chart.addSeries(
                    series, values(line, Measured::x), values(line, Measured::mean), values(line, Measured::deviation));
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
        } catch (InternalError | LinkageError e) {
            // If Java finds no font, drawing throws one of these errors. The first call may throw another error than
            // later calls.
            Files.deleteIfExists(file);
            throw new IOException("Java finds no fonts; install fontconfig and a font such as DejaVu: " + e, e);
        }
    }

    private static double[] values(List<Measured> line, ToDoubleFunction<Measured> value) {
        return line.stream().mapToDouble(value).toArray();
    }
}
