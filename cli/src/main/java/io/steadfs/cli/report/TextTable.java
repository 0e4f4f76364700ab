package io.steadfs.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a table as text. The first columns are aligned left, and the other columns are aligned right. */
public final class TextTable {
    private final int leftColumns;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param leftColumns number of columns, counted from the first column, that are aligned left */
    public TextTable(int leftColumns, String... titles) {
        this.leftColumns = leftColumns;
        rows.add(List.of(titles));
    }

    /**
     * Adds a row. Whole numbers get separators of thousands. Other numbers get two decimals. {@link Printable} makes
     * texts safe to print.
     */
    public TextTable row(Object... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells in a table of " + rows.get(0).size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(text(cell));
        }
        rows.add(row);
        return this;
    }

    private static String text(Object cell) {
        if (cell instanceof Long || cell instanceof Integer) {
            return String.format(Locale.ROOT, "%,d", ((Number) cell).longValue());
        }
        if (cell instanceof Double value) {
            return String.format(Locale.ROOT, "%,.2f", value);
        }
        return Printable.of(cell.toString());
    }

    /** All rows. Each row ends with a line feed. */
    @Override
    public String toString() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "  " : "   ");
                line.append(i < leftColumns ? row.get(i) + padding : padding + row.get(i));
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }
}
