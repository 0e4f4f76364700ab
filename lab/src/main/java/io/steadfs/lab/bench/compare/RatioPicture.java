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

/** Draws the ratios of a comparison: a group of bars for each work, a bar for each number of threads. */
final class RatioPicture {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 640;

    private RatioPicture() {}

    /**
     * Writes it as PNG. Needs no screen, but fonts.
     *
     * @throws IOException if it cannot be written, or this machine has no fonts
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
            // So Java says that it found no font, at first and later.
            Files.deleteIfExists(file);
            throw new IOException("Java finds no fonts; install fontconfig and a font such as DejaVu: " + e, e);
        }
    }

    /** 0, which is no bar, where a work was not measured with so many threads. */
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
