package io.steadfs.lab.bench.compare;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * Draws the ratios of a comparison as a bar chart. Each work has a group of bars, with one bar for each number of
 * threads.
 */
final class RatioPicture {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 640;

    private RatioPicture() {}

    /**
     * Draws the report's ratios into a PNG file. Drawing needs fonts, but no screen.
     *
     * @throws IOException if the file cannot be written or this machine has no fonts
     */
    static void draw(CompareReport report, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("How many times as fast " + report.first().title() + " is as "
                        + report.second().title())
                .xAxisTitle("work")
                .yAxisTitle("ratio")
                .build();
        chart.getStyler().setXAxisLabelRotation(30);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        List<String> works = report.cells().stream()
                .map(cell -> cell.kind().toString())
                .distinct()
                .toList();
        report.cells().stream()
                .map(Cell::threads)
                .distinct()
                .sorted()
                .forEach(threads -> chart.addSeries(
                        threads == 1 ? "1 thread" : threads + " threads", works, ratios(report, works, threads)));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
        } catch (InternalError | LinkageError e) {
            // If Java finds no font, drawing throws one of these errors. The first call may throw another error than
            // later calls.
            Files.deleteIfExists(file);
            throw new IOException("Java finds no fonts; install fontconfig and a font such as DejaVu: " + e, e);
        }
    }

    /**
     * The ratio of each work with this number of threads. If a work was not measured with this number of threads, the
     * ratio is 0, which draws no bar.
     */
    private static List<Double> ratios(CompareReport report, List<String> works, int threads) {
        List<Double> ratios = new ArrayList<>();
        for (String work : works) {
            Optional<Cell> cell = report.cells().stream()
                    .filter(each -> each.kind().toString().equals(work) && each.threads() == threads)
                    .findFirst();
            ratios.add(cell.map(each -> each.ratio().middle()).orElse(0.0));
        }
        return ratios;
    }
}
