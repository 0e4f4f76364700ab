package io.steadfs.lab.bench.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.report.TextTable;
import io.steadfs.lab.bench.compare.work.RoundTrips;
import io.steadfs.lab.bench.machine.Machine;
import io.steadfs.lab.bench.pace.Spent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The whole report of a comparison. {@code compare.json} is for programs; {@code compare.md} and {@code compare.png}
 * are for people.
 */
record CompareReport(
        Side first, Side second, Machine machine, List<Cell> cells, List<ServerMemory> memory, boolean withTargets) {
    private static final String NAME = "compare";

    CompareReport {
        cells = List.copyOf(cells);
        memory = List.copyOf(memory);
    }

    /**
     * Writes the files of the report into the folder, and the picture last. If the picture cannot be drawn, all other
     * files are complete.
     *
     * @return why the picture could not be drawn; empty if the picture was drawn
     */
    Optional<String> write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                folder.resolve(NAME + ".json"),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(fields()) + "\n");
        Files.writeString(folder.resolve(NAME + ".md"), markdown());
        try {
            RatioPicture.draw(this, folder.resolve(NAME + ".png"));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage() + "");
        }
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("first", first.name());
        fields.put("firstTitle", first.title());
        fields.put("second", second.name());
        fields.put("secondTitle", second.title());
        fields.put("machine", machine.facts());
        fields.put("cells", cells.stream().map(Cell::fields).toList());
        fields.put("memory", memory.stream().map(ServerMemory::fields).toList());
        return fields;
    }

    /** The table of ratios, as text for a terminal. */
    String text() {
        TextTable table = new TextTable(
                1,
                "work",
                "threads",
                first.name(),
                second.name(),
                "ratio",
                "error",
                "least",
                "greatest",
                "floor",
                "reached",
                "target");
        for (Cell cell : cells) {
            Spread ratio = cell.ratio();
            table.row(
                    cell.kind().title + ", " + cell.kind().unit,
                    cell.threads(),
                    Math.round(cell.first().rate()),
                    Math.round(cell.second().rate()),
                    ratio.middle(),
                    ratio.errorText(),
                    ratio.least(),
                    ratio.greatest(),
                    cell.floor().map(floor -> "" + Math.round(floor.rate())).orElse(""),
                    cell.floor().map(CompareReport::reached).orElse(""),
                    target(cell));
        }
        return table.toString();
    }

    private String target(Cell cell) {
        return withTargets
                ? Targets.of(cell.kind(), cell.threads())
                        .map(target -> target + (cell.ratio().middle() >= target ? " met" : " missed"))
                        .orElse("")
                : "";
    }

    private static String reached(Floor floor) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * floor.reached().middle());
    }

    String markdown() {
        StringBuilder out = new StringBuilder();
        out.append("# ")
                .append(first.title())
                .append(" beside ")
                .append(second.title())
                .append("\n\n");
        out.append(
                        "Both in one run, round by round in turn, there and back, through Hadoop's FileSystem. A rate is the middle")
                .append(
                        " one of the rounds; a ratio is the middle one of the means of every two rounds' ratios (the estimate of Hodges and")
                .append(" Lehmann), its standard error, and the least and the greatest of the rounds.\n\n");
        out.append(machine.markdown());
        out.append("\n![Ratios](").append(NAME).append(".png)\n\n## Ratios\n\n");
        out.append("| work | unit | threads | ")
                .append(first.name())
                .append(" | ")
                .append(second.name());
        out.append(" | ratio | error | least to greatest | rounds | target |\n");
        out.append("|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n");
        for (Cell cell : cells) {
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %,.0f | %,.0f | %.2f | %s | %.2f to %.2f | %d | %s |%n",
                    cell.kind().title,
                    cell.kind().unit,
                    cell.threads(),
                    cell.first().rate(),
                    cell.second().rate(),
                    cell.ratio().middle(),
                    cell.ratio().errorText(),
                    cell.ratio().least(),
                    cell.ratio().greatest(),
                    cell.first().rates().size(),
                    target(cell)));
        }
        latencies(out);
        floors(out);
        more(out);
        costs(out);
        memory(out);
        return out.toString();
    }

    private void latencies(StringBuilder out) {
        out.append("\n## Latency\n\n");
        out.append("Microseconds from call to return of one operation, in all rounds and threads of one side together.")
                .append(
                        " Each thread calls the next operation when the last one has returned. Of streams, an operation is one")
                .append(" whole file, from open to close. With fewer than 100 operations p99 is the longest one.\n\n");
        out.append("| work | threads | p50: ")
                .append(first.name())
                .append(" | ")
                .append(second.name());
        out.append(" | p99: ").append(first.name()).append(" | ").append(second.name());
        out.append(" | operations: ").append(first.name()).append(" | ").append(second.name());
        out.append(" |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
        for (Cell cell : cells) {
            OperationLatency one = cell.first().latency();
            OperationLatency other = cell.second().latency();
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %,.0f | %,.0f | %,.0f | %,.0f | %,d | %,d |%n",
                    cell.kind().title,
                    cell.threads(),
                    one.p50Micros(),
                    other.p50Micros(),
                    one.p99Micros(),
                    other.p99Micros(),
                    one.operations(),
                    other.operations()));
        }
    }

    private void floors(StringBuilder out) {
        if (cells.stream().allMatch(cell -> cell.floor().isEmpty())) {
            return;
        }
        out.append("\n## ").append(first.title()).append(" beside its bare messages and fsyncs\n\n");
        out.append("With one thread. A bare message is ")
                .append(RoundTrips.BYTES)
                .append(
                        " bytes there and back over a TCP connection of the loopback interface between two threads. A bare")
                .append(
                        " fsync is 4 KiB more of a file on the same disk, and force(false). Both are measured behind each round")
                .append(" of the row. The floor is what as many of them allow as the servers of ")
                .append(first.name())
                .append(" count for an operation, one after the other.\n\n");
        out.append("| work | messages | fsyncs | us of a message | us of an fsync | floor, a second | ")
                .append(first.name())
                .append(" | reached | error | least to greatest |\n");
        out.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for (Cell cell : cells) {
            cell.floor()
                    .ifPresent(floor -> out.append(String.format(
                            Locale.ROOT,
                            "| %s | %.2f | %.2f | %,.0f | %,.0f | %,.0f | %,.0f | %.0f %% | %s | %.0f %% to %.0f %% |%n",
                            cell.kind().title,
                            floor.messages(),
                            floor.fsyncs(),
                            floor.tripMicros(),
                            floor.appendMicros(),
                            floor.rate(),
                            cell.first().rate(),
                            100 * floor.reached().middle(),
                            floor.reached().errorText(),
                            100 * floor.reached().least(),
                            100 * floor.reached().greatest())));
        }
    }

    private void more(StringBuilder out) {
        if (cells.stream().allMatch(cell -> cell.more().isEmpty())) {
            return;
        }
        out.append("\n## ").append(first.title()).append(" beside something else\n\n");
        out.append("| work | unit | threads | ").append(first.name());
        out.append(
                " | beside | its rate | ratio | error | least to greatest |\n|---|---|---:|---:|---|---:|---:|---:|---:|\n");
        for (Cell cell : cells) {
            for (Measured lane : cell.more()) {
                Spread ratio = cell.first().over(lane);
                out.append(String.format(
                        Locale.ROOT,
                        "| %s | %s | %d | %,.0f | %s | %,.0f | %.2f | %s | %.2f to %.2f |%n",
                        cell.kind().title,
                        cell.kind().unit,
                        cell.threads(),
                        cell.first().rate(),
                        lane.name(),
                        lane.rate(),
                        ratio.middle(),
                        ratio.errorText(),
                        ratio.least(),
                        ratio.greatest()));
            }
        }
    }

    private void costs(StringBuilder out) {
        out.append("\n## What an operation takes\n\n");
        out.append(
                        "Processor time in microseconds: of all servers together, and of the clients' process. The system tells it in")
                .append(
                        " steps of 10 ms, so that short lanes are coarse. In brackets how much of it Java's compilers took, which")
                .append(
                        " servers that have run for long do not need. Switches: how often a processor turned to a thread of servers")
                .append(" or clients, compilers left out. Messages and fsyncs as the servers count them.\n\n");
        out.append("| work | threads | servers: ")
                .append(first.name())
                .append(" | ")
                .append(second.name());
        out.append(" | clients: ").append(first.name()).append(" | ").append(second.name());
        out.append(" | switches: ")
                .append(first.name())
                .append(" | ")
                .append(second.name())
                .append(" | messages | fsyncs |\n");
        out.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for (Cell cell : cells) {
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %s | %s | %s | %.1f | %.1f | %s | %s |%n",
                    cell.kind().title,
                    cell.threads(),
                    each(cell.first().byServers(), cell.first()),
                    each(cell.second().byServers(), cell.second()),
                    each(cell.first().byClients(), cell.first()),
                    each(cell.second().byClients(), cell.second()),
                    switches(cell.first()),
                    switches(cell.second()),
                    count(cell, Measured::messages),
                    count(cell, Measured::fsyncs)));
        }
    }

    private static String each(Spent spent, Measured lane) {
        return String.format(
                Locale.ROOT, "%,.0f (%.0f %%)", spent.microsEach(lane.operations()), 100 * spent.compilingPart());
    }

    private static double switches(Measured lane) {
        return lane.byServers().plus(lane.byClients()).switchesEach(lane.operations());
    }

    private static String count(Cell cell, Function<Measured, Optional<Double>> number) {
        return number.apply(cell.first())
                .map(value -> String.format(Locale.ROOT, "%.2f", value))
                .orElse("");
    }

    private void memory(StringBuilder out) {
        if (memory.isEmpty()) {
            return;
        }
        out.append("\n## Memory of servers\n\n");
        out.append(
                "Of all servers together, in MiB, before anything else was measured. Heap: objects in use after a full collection.");
        out.append(" Cache: memory for rows beside the heap, which has a bound and fills with use.\n\n");
        out.append(
                "| system | files made | heap before | heap after | for each million files | cache before | cache after |\n");
        out.append("|---|---:|---:|---:|---:|---:|---:|\n");
        for (ServerMemory each : memory) {
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %,d | %.1f | %.1f | %.1f | %.1f | %.1f |%n",
                    each.name(),
                    each.files(),
                    ServerMemory.mebibytes(each.before().heap()),
                    ServerMemory.mebibytes(each.after().heap()),
                    each.heapMebibytesPerMillion(),
                    ServerMemory.mebibytes(each.before().cache()),
                    ServerMemory.mebibytes(each.after().cache())));
        }
    }
}
