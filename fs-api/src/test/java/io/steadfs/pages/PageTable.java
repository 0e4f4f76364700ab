package io.steadfs.pages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A table of a page.
 *
 * @param where the page, and the part of it
 * @param rows without the heads of columns; each has as many cells as there are columns
 */
public record PageTable(String where, List<String> columns, List<List<String>> rows) {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    public PageTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    static List<PageTable> in(Page page) {
        List<PageTable> tables = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        for (Page.Line line : page.lines()) {
            if (!line.isFenced() && line.text().startsWith("|")) {
                rows.add(cells(line.text()));
            } else {
                end(page, rows, tables);
            }
        }
        end(page, rows, tables);
        return tables;
    }

    /** The second row only says that the first one is of heads. */
    private static void end(Page page, List<List<String>> rows, List<PageTable> tables) {
        if (rows.size() > 1) {
            List<String> heads = rows.get(0);
            List<List<String>> below = List.copyOf(rows.subList(2, rows.size()));
            for (List<String> row : below) {
                if (row.size() != heads.size()) {
                    throw new AssertionError(page.name() + ": " + heads.size() + " columns, but a row has " + row);
                }
            }
            tables.add(new PageTable(page.name(), heads, below));
        }
        rows.clear();
    }

    private static List<String> cells(String row) {
        String inner = row.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "");
        return Arrays.stream(inner.split("(?<!\\\\)\\|", -1))
                .map(cell -> cell.strip().replace("\\|", "|"))
                .toList();
    }

    /** The cells of a column. */
    public List<String> column(String name) {
        int index = columns.indexOf(name);
        if (index < 0) {
            throw new AssertionError(where + " has no column \"" + name + "\", but " + columns);
        }
        return rows.stream().map(row -> row.get(index)).toList();
    }

    /** What stands between backticks in a column. */
    public List<String> codes(String column) {
        return column(column).stream().flatMap(cell -> codesIn(cell).stream()).toList();
    }

    /** What stands between backticks in a text. */
    public static List<String> codesIn(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult code) -> code.group(1))
                .toList();
    }
}
