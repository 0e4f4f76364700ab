package io.steadfs.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A table that is drawn with spaces, in a block of a page or in a comment. A line of dashes says where its columns begin:
 *
 * <pre>
 *  table      key
 *  ---------  -----------
 *  inode      handle 8
 * </pre>
 *
 * @param rows one for each line; a cell that goes on in the next line is two
 */
public record Drawing(String where, List<List<String>> rows) {
    private static final Pattern DASHES = Pattern.compile(" *-{2,}(  +-{2,})+ *");
    private static final Pattern COLUMN = Pattern.compile("-+");
    private static final String COMMENT = " \\*";

    public Drawing {
        rows = List.copyOf(rows);
    }

    public static Drawing of(Page page) {
        return of(page.name(), page.drawing());
    }

    /** The first in the comments of a source. */
    public static Drawing ofComment(Page source) {
        List<String> lines = source.lines().stream()
                .map(line -> line.text().replaceFirst("^" + COMMENT, ""))
                .toList();
        return of(source.name(), lines);
    }

    private static Drawing of(String where, List<String> lines) {
        List<Integer> columns = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (String line : lines) {
            boolean isEnd = line.isBlank() || line.contains("</pre>");
            if (!columns.isEmpty() && isEnd) {
                break;
            }
            if (!columns.isEmpty()) {
                rows.add(cells(line, columns));
            } else if (DASHES.matcher(line).matches()) {
                COLUMN.matcher(line).results().map(MatchResult::start).forEach(columns::add);
            }
        }
        if (rows.isEmpty()) {
            throw new AssertionError(where + " has no table that is drawn");
        }
        return new Drawing(where, rows);
    }

    private static List<String> cells(String line, List<Integer> columns) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int begin = Math.min(columns.get(i), line.length());
            int end = i + 1 < columns.size() ? Math.min(columns.get(i + 1), line.length()) : line.length();
            cells.add(line.substring(begin, end).strip());
        }
        return cells;
    }

    /** The cells of the first column. */
    public List<String> names() {
        return rows.stream()
                .map(row -> row.get(0))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** The cells of the second column, each behind the name in whose rows it is. */
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        String name = "";
        for (List<String> row : rows) {
            name = row.get(0).isEmpty() ? name : row.get(0);
            if (!row.get(1).isEmpty()) {
                keys.add(name + ": " + row.get(1));
            }
        }
        return keys;
    }
}
