package io.steadfs.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown page of the repository, or a part of one. Lines between fences, as of code, have no headings and no tables.
 *
 * @param name of the page, and of the part, for the message of a test that fails
 */
public record Page(String name, List<Line> lines) {
    private static final Pattern HEADING = Pattern.compile("(?<marks>#{1,6}) +(?<text>.*?)[ #]*");
    private static final Pattern FENCE = Pattern.compile(" {0,3}(```|~~~).*");

    /**
     * One line of a page.
     *
     * @param number from 1
     * @param isFenced between two fences, or a fence
     */
    public record Line(int number, String text, boolean isFenced) {
        private Optional<Matcher> heading() {
            Matcher matcher = HEADING.matcher(text);
            return !isFenced && matcher.matches() ? Optional.of(matcher) : Optional.empty();
        }
    }

    public Page {
        lines = List.copyOf(lines);
    }

    /** @param file below the repository, such as {@code docs/limits.md} */
    public static Page of(String file) {
        try {
            return parse(file, Files.readString(Repository.home().resolve(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Page parse(String name, String text) {
        List<Line> lines = new ArrayList<>();
        boolean isFenced = false;
        for (String line : text.lines().toList()) {
            boolean isFence = FENCE.matcher(line).matches();
            lines.add(new Line(lines.size() + 1, line, isFenced || isFence));
            isFenced ^= isFence;
        }
        return new Page(name, lines);
    }

    /** What stands below a heading, up to the next heading of its rank or a higher one. */
    public Page part(String heading) {
        List<Line> part = new ArrayList<>();
        int rank = 0;
        for (Line line : lines) {
            Optional<Matcher> found = line.heading();
            if (rank > 0 && found.isPresent() && rankOf(found.get()) <= rank) {
                break;
            }
            if (rank > 0) {
                part.add(line);
            } else if (found.isPresent() && found.get().group("text").equals(heading)) {
                rank = rankOf(found.get());
            }
        }
        if (rank == 0) {
            throw new AssertionError(name + " has no heading \"" + heading + "\"");
        }
        return new Page(name + ", " + heading, part);
    }

    private static int rankOf(Matcher heading) {
        return heading.group("marks").length();
    }

    /** The headings in their order, as they are written. */
    public List<String> headings() {
        return lines.stream()
                .flatMap(line -> line.heading().stream())
                .map(heading -> heading.group("text"))
                .toList();
    }

    /** The first table whose columns have these names; an empty one is a column without a name. */
    public PageTable table(String... columns) {
        return tables().stream()
                .filter(table -> table.columns().equals(List.of(columns)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no table with the columns " + List.of(columns)));
    }

    public List<PageTable> tables() {
        return PageTable.in(this);
    }

    /** The lines of the first block between fences. */
    public List<String> drawing() {
        List<String> drawing = new ArrayList<>();
        boolean isBegun = false;
        for (Line line : lines) {
            boolean isFence = line.isFenced() && FENCE.matcher(line.text()).matches();
            if (isFence && isBegun) {
                return drawing;
            }
            if (isBegun) {
                drawing.add(line.text());
            }
            isBegun |= isFence;
        }
        throw new AssertionError(name + " has no drawing");
    }
}
