package io.steadfs.it.bad;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Inputs and their answers, as they were met: printed, and kept as {@code target/bad-input/NAME.md}. */
final class AnswerTable {
    private final String name;
    private final String title;
    private final Set<String> rows = new LinkedHashSet<>();

    AnswerTable(String name, String title) {
        this.name = name;
        this.title = title;
    }

    /** The same answer to the same input, at several servers, is one row. */
    void add(String input, String answer) {
        rows.add("| " + cell(input) + " | " + cell(answer) + " |");
    }

    private static String cell(String text) {
        // What has no UTF-8 form becomes a question mark.
        String readable = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String line = readable.replace("|", "\\|").replace("\n", " ").replace("\0", "\u2400");
        return line.length() <= 300 ? line : line.substring(0, 300) + " ...";
    }

    void write() throws IOException {
        StringBuilder page = new StringBuilder("## " + title + "\n\n| input | answer |\n|---|---|\n");
        rows.forEach(row -> page.append(row).append('\n'));
        Path file = Path.of("target", "bad-input", name + ".md");
        Files.createDirectories(file.getParent());
        Files.writeString(file, page);
        System.out.println(page);
    }
}
