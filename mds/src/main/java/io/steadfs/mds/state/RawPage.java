package io.steadfs.mds.state;

import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A page of undecoded rows of a table, in key order. A check reads raw pages, because it must not stop at a row that
 * cannot be decoded. A check must also go on behind parts of files that the store cannot read.
 *
 * @param more whether more rows may follow the page
 * @param gaps ranges of keys where the store cannot be read, so that rows may be missing from the page
 */
public record RawPage(List<Row> rows, boolean more, List<SurvivingRows.Gap> gaps) {
    /** A page ends after this number of gaps. */
    private static final int MOST_GAPS = 64;

    /** A key that is longer than any key of a table and sorts above all of them. */
    private static final byte[] END = Prefixes.endOfAll();

    /** One row of a page. The arrays of a row belong to the owner of the page. */
    public static final class Row {
        private final byte[] key;
        private final byte[] value;

        Row(byte[] key, byte[] value) {
            this.key = key;
            this.value = value;
        }

        public byte[] key() {
            return key;
        }

        public byte[] value() {
            return value;
        }
    }

    /**
     * Returns the rows behind a key.
     *
     * @param key the key behind which the page begins; an empty key = from the start
     */
    public static RawPage behind(ReadView view, Table table, byte[] key, int limit) {
        Taken taken = new Taken(limit);
        SurvivingRows.visit(view, table, key.length == 0 ? key : Keys.after(key), END, taken);
        return new RawPage(taken.rows, taken.more, taken.gaps);
    }

    private static final class Taken implements SurvivingRows.Visitor {
        private final int limit;
        private final List<Row> rows = new ArrayList<>();
        private final List<SurvivingRows.Gap> gaps = new ArrayList<>();
        private boolean more;

        Taken(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean row(byte[] key, byte[] value) {
            more = rows.size() == limit;
            if (!more) {
                rows.add(new Row(key, value));
                // A page ends with a row, because the next page begins behind that row.
                more = gaps.size() >= MOST_GAPS;
            }
            return !more;
        }

        @Override
        public boolean gap(SurvivingRows.Gap gap) {
            gaps.add(gap);
            return true;
        }
    }

    /** Whether the key is the end of all tables, and so not the key of a row. */
    public static boolean isEnd(byte[] key) {
        return Arrays.equals(key, END);
    }

    /**
     * The key of the last row of the page, or {@code before} if the page has no rows.
     *
     * @param before the key behind which the page begins
     */
    public byte[] last(byte[] before) {
        return rows.isEmpty() ? before : rows.get(rows.size() - 1).key();
    }
}
