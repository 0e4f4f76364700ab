package io.steadfs.lab.demo;

import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * The result of the demo, as text for people and as JSON for programs.
 *
 * @param folder URI of the folder on SteadFS in which the demo worked
 * @param letter letter with which the words of the filter begin
 * @param made files that the job made in its output folder
 * @param differences differences between Spark's results and the plain count; empty if all results agree
 */
record DemoResult(
        String folder,
        Texts texts,
        JobResult job,
        String letter,
        List<Phase> phases,
        List<MadeFile> made,
        List<String> differences) {

    boolean agrees() {
        return differences.isEmpty();
    }

    private long words() {
        return job.letters().values().stream().mapToLong(LetterSum::words).sum();
    }

    private long distinct() {
        return job.letters().values().stream().mapToLong(LetterSum::distinct).sum();
    }

    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("agrees", agrees());
        fields.put("differences", differences);
        fields.put("folder", folder);
        fields.put("texts", Map.of("files", texts.files().size(), "bytes", texts.bytes()));
        fields.put("spark", job.spark());
        fields.put("words", words());
        fields.put("distinct", distinct());
        fields.put("top", job.top().stream().map(DemoResult::fields).toList());
        fields.put("letter", letter);
        fields.put("filtered", job.filtered().size());
        fields.put(
                "made",
                made.stream()
                        .map(file -> Map.of("path", file.path(), "bytes", file.bytes()))
                        .toList());
        fields.put("phases", phases.stream().map(DemoResult::fields).toList());
        fields.put("sparkMillis", job.millis());
        fields.put("creates", job.creates());
        return Json.line(fields);
    }

    private static Map<String, Object> fields(WordTimes word) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("word", word.word());
        fields.put("count", word.count());
        return fields;
    }

    private static Map<String, Object> fields(Phase phase) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", phase.name());
        fields.put("millis", phase.millis());
        fields.put("messages", phase.messages());
        return fields;
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append(format(
                "%nWords in %,d files (%,d bytes), counted by Spark %s: %,d, different ones %,d%n",
                texts.files().size(), texts.bytes(), job.spark(), words(), distinct()));
        TextTable top = new TextTable(1, "word", "times");
        job.top().forEach(word -> top.row(word.word(), word.count()));
        out.append(top);
        out.append(format(
                "  filter: %,d words begin with '%s' and occur at least twice%n",
                job.filtered().size(), letter));

        out.append(format("%nFiles that Spark made in %s%n", folder));
        TextTable files = new TextTable(1, "file", "bytes");
        made.forEach(file -> files.row(file.path(), file.bytes()));
        out.append(files);

        out.append(format("%nMessages that arrived at the servers%n")).append(messages());

        out.append(format("%nHow Spark's files were made%n"));
        TextTable creates = new TextTable(1, "count", "times");
        job.creates().forEach(creates::row);
        out.append(creates);

        out.append(format("%nTime%n"));
        TextTable times = new TextTable(1, "part", "ms");
        phases.forEach(phase -> times.row(phase.name(), phase.millis()));
        job.millis().forEach((part, millis) -> times.row("  in Spark: " + part, millis));
        out.append(times);

        out.append('\n');
        if (agrees()) {
            out.append(format(
                    "Checked: the sums of all %d letters, the table and the filtered rows agree with a plain count of the"
                            + " original files.%n",
                    job.letters().size()));
        } else {
            out.append(format("DIFFERENT from a plain count of the original files:%n"));
            differences.forEach(
                    difference -> out.append("  ").append(difference).append('\n'));
        }
        return out.toString();
    }

    private TextTable messages() {
        TreeSet<String> kinds = new TreeSet<>();
        phases.forEach(phase -> kinds.addAll(phase.messages().keySet()));
        List<String> titles = new ArrayList<>(List.of("kind"));
        phases.forEach(phase -> titles.add(phase.name()));
        titles.add("together");
        TextTable table = new TextTable(1, titles.toArray(String[]::new));
        for (String kind : kinds) {
            table.row(cells(
                    kind,
                    phases.stream()
                            .map(phase -> phase.messages().getOrDefault(kind, 0L))
                            .toList()));
        }
        return table.row(cells(
                "all kinds",
                phases.stream()
                        .map(phase -> phase.messages().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                        .toList()));
    }

    private static Object[] cells(String title, List<Long> counts) {
        List<Object> cells = new ArrayList<>(List.of(title));
        cells.addAll(counts);
        cells.add(counts.stream().mapToLong(Long::longValue).sum());
        return cells.toArray();
    }

    private static String format(String pattern, Object... arguments) {
        return String.format(Locale.ROOT, pattern, arguments);
    }
}
