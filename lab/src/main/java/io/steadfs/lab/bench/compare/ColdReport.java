package io.steadfs.lab.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.machine.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report of a comparison with new clients: {@code cold.json} for programs, {@code cold.md} for people. */
record ColdReport(Side first, Side second, Machine machine, ColdResults results) {
    private static final String NAME = "cold";

    /** Writes the files of the report into the folder, which must exist. */
    void write(Path folder) throws IOException {
        Files.writeString(
                folder.resolve(NAME + ".json"),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(fields()) + "\n");
        Files.writeString(folder.resolve(NAME + ".md"), markdown());
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("first", first.name());
        fields.put("firstTitle", first.title());
        fields.put("second", second.name());
        fields.put("secondTitle", second.title());
        fields.put("machine", machine.facts());
        fields.put("cells", results.cells().stream().map(ColdCell::fields).toList());
        Map<String, Object> starts = new LinkedHashMap<>();
        starts.put("ratio", starts().fields());
        starts.put("firstSeconds", ColdCell.rounded(results.firstStarts()));
        starts.put("secondSeconds", ColdCell.rounded(results.secondStarts()));
        fields.put("starts", starts);
        return fields;
    }

    private Spread starts() {
        return Spread.ofRatios(results.firstStarts(), results.secondStarts());
    }

    /** The table of ratios, as text for a terminal. */
    String text() {
        TextTable table = new TextTable(
                2, "servers", "work", "threads", "operations", first.name(), second.name(), "ratio", "error");
        for (ColdCell cell : results.cells()) {
            for (ColdCell.Part part : ColdCell.Part.values()) {
                table.row(
                        cell.servers(),
                        cell.work().title,
                        cell.threads(),
                        part.title,
                        Math.round(middle(part.rates(cell.first()))),
                        Math.round(middle(part.rates(cell.second()))),
                        cell.ratio(part).middle(),
                        cell.ratio(part).errorText());
            }
        }
        return table.toString();
    }

    private static double middle(List<Double> values) {
        return Spread.of(values).middle();
    }

    String markdown() {
        StringBuilder out = new StringBuilder();
        out.append("# First operations of new clients: ")
                .append(first.title())
                .append(" beside ")
                .append(second.title())
                .append("\n\n");
        out.append(
                        "Each round has a new client process of each system, in turn, there and back. A client opens Hadoop's")
                .append(
                        " FileSystem, and does 1,000 operations of one work. A rate is of all threads together, from the start")
                .append(
                        " of the first operation. Fresh: servers have just started, and serve no other client. Warm: servers have")
                .append(" served 9,000 operations of another client, and the clients of the rounds before.\n\n");
        out.append(machine.markdown());
        rates(out);
        opens(out);
        starts(out);
        return out.toString();
    }

    private void rates(StringBuilder out) {
        out.append("\n## Operations a second\n\n| servers | work | threads | operations | ")
                .append(first.name())
                .append(" | ")
                .append(second.name())
                .append(" | ratio | error | least to greatest | rounds |\n");
        out.append("|---|---|---:|---|---:|---:|---:|---:|---:|---:|\n");
        for (ColdCell cell : results.cells()) {
            for (ColdCell.Part part : ColdCell.Part.values()) {
                Spread ratio = cell.ratio(part);
                out.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %s | %,.0f | %,.0f | %.2f | %s | %.2f to %.2f | %d |%n",
                        cell.servers(),
                        cell.work().title,
                        cell.threads(),
                        part.title,
                        middle(part.rates(cell.first())),
                        middle(part.rates(cell.second())),
                        ratio.middle(),
                        ratio.errorText(),
                        ratio.least(),
                        ratio.greatest(),
                        cell.first().size()));
            }
        }
    }

    private void opens(StringBuilder out) {
        out.append("\n## Seconds until a client has a FileSystem\n\n");
        out.append("Not part of the rates. A client that connects to servers in this time has no such wait later.\n\n");
        out.append("| servers | ").append(first.name()).append(" | ").append(second.name());
        out.append(" |\n|---|---:|---:|\n");
        for (boolean warm : new boolean[] {false, true}) {
            List<ColdCell> cells =
                    results.cells().stream().filter(cell -> cell.warm() == warm).toList();
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %.2f | %.2f |%n",
                    cells.get(0).servers(),
                    middle(cells.stream()
                            .flatMap(cell -> ColdCell.openSeconds(cell.first()).stream())
                            .toList()),
                    middle(cells.stream()
                            .flatMap(cell -> ColdCell.openSeconds(cell.second()).stream())
                            .toList())));
        }
    }

    private void starts(StringBuilder out) {
        out.append("\n## Seconds from the start of the servers' processes until they are ready\n\n");
        out.append(
                        "Of a file system that is there, with the files of the rounds. All servers serve, and a client of this")
                .append(
                        " process is open.\n\n| system | middle | least to greatest | starts |\n|---|---:|---:|---:|\n");
        start(out, first, results.firstStarts());
        start(out, second, results.secondStarts());
        Spread ratio = starts();
        out.append(String.format(
                Locale.ROOT,
                "%nRatio of the seconds %.2f, error %s, %.2f to %.2f. Below 1 the first one is ready sooner.%n",
                ratio.middle(),
                ratio.errorText(),
                ratio.least(),
                ratio.greatest()));
    }

    private static void start(StringBuilder out, Side side, List<Double> seconds) {
        Spread spread = Spread.of(seconds);
        out.append(String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f to %.2f | %d |%n",
                side.name(),
                spread.middle(),
                spread.least(),
                spread.greatest(),
                seconds.size()));
    }
}
