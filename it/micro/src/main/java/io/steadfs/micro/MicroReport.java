package io.steadfs.micro;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.machine.Machine;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** All that was measured: {@code micro.json} for programs, {@code micro.md} with {@code micro.png} for people. */
record MicroReport(Machine machine, List<Scored> scores) {
    private static final String NAME = "micro";
    private static final String DRAWN = "us/op";

    MicroReport {
        scores = List.copyOf(scores);
    }

    /** Writes the files into the folder; says why there is no picture, if so. */
    Optional<String> write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("machine", machine.facts());
        fields.put("benchmarks", scores.stream().map(Scored::fields).toList());
        Files.writeString(
                folder.resolve(NAME + ".json"),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(fields) + "\n");
        List<Scored> drawn =
                scores.stream().filter(each -> each.unit().equals(DRAWN)).toList();
        Optional<String> noPicture = Optional.empty();
        if (!drawn.isEmpty()) {
            noPicture = picture(drawn, folder.resolve(NAME + ".png"));
        }
        Files.writeString(folder.resolve(NAME + ".md"), markdown(!drawn.isEmpty() && noPicture.isEmpty()));
        return noPicture;
    }

    String text() {
        TextTable table = new TextTable(2, "benchmark", "parameters", "score", "error", "unit", "bytes/op");
        for (Scored each : scores) {
            table.row(
                    each.benchmark(),
                    each.parameters(),
                    each.score(),
                    each.error().<Object>map(value -> value).orElse(""),
                    each.unit(),
                    each.allocated().<Object>map(Math::round).orElse(""));
        }
        return table.toString();
    }

    private String markdown(boolean withPicture) {
        StringBuilder out = new StringBuilder("# Microbenchmarks\n\n");
        out.append(
                        "Score and error as JMH has them; bytes that all threads of the process allocated for one operation, for")
                .append(" those of a cluster the servers' too.\n\n");
        out.append(machine.markdown());
        if (withPicture) {
            out.append("\n![Operations of a cluster](").append(NAME).append(".png)\n");
        }
        out.append("\n| benchmark | parameters | score | error | unit | bytes for each operation |\n");
        out.append("|---|---|---:|---:|---|---:|\n");
        for (Scored each : scores) {
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %s | %s | %s |%n",
                    each.benchmark(),
                    each.parameters(),
                    each.score(),
                    each.error()
                            .map(value -> String.format(Locale.ROOT, "%.1f", value))
                            .orElse(""),
                    each.unit(),
                    each.allocated()
                            .map(value -> String.format(Locale.ROOT, "%,.0f", value))
                            .orElse("")));
        }
        return out.toString();
    }

    private static Optional<String> picture(List<Scored> drawn, Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        CategoryChart chart = new CategoryChartBuilder()
                .width(1200)
                .height(640)
                .title("Operations of a cluster")
                .xAxisTitle("operation")
                .yAxisTitle(DRAWN)
                .build();
        chart.getStyler().setXAxisLabelRotation(45);
        chart.getStyler().setLegendVisible(false);
        chart.addSeries(
                DRAWN,
                drawn.stream().map(MicroReport::label).toList(),
                drawn.stream().map(Scored::score).toList(),
                drawn.stream().map(each -> each.error().orElse(0.0)).toList());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
            return Optional.empty();
        } catch (InternalError | LinkageError e) {
            // So Java says that it found no font, at first and later.
            Files.deleteIfExists(file);
            return Optional.of("Java finds no fonts; install fontconfig and a font such as DejaVu: " + e);
        }
    }

    private static String label(Scored each) {
        String method = each.benchmark().substring(each.benchmark().indexOf('.') + 1);
        return each.parameters().isEmpty()
                ? method
                : method + " " + each.parameters().replaceAll(".*=", "");
    }
}
