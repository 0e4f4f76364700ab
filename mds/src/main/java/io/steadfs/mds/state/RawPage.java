package io.steadfs.mds.state;

import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of a table in key order, just as they are. A check reads them: it must stop neither at a row that cannot be decoded,
 * nor where the store cannot read its own files.
 *
 * @param more whether more rows may follow these
 * @param gaps ranges of keys, between and behind the rows, where it is unknown whether there are rows
 */
public record RawPage(List<Row> rows, boolean more, List<SurvivingRows.Gap> gaps) {
    /** A page ends after this number of gaps. */
    private static final int MOST_GAPS = 64;

    /** Longer than any key of a table, and above all keys. */
    private static final byte[] END = Prefixes.endOfAll();

    /** Its arrays belong to the owner of the page. */
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

    /** The rows behind a key. The empty key starts at the beginning. */
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

    /** Whether a key is the end of all tables, and not a key of a table. */
    public static boolean isEnd(byte[] key) {
        return Arrays.equals(key, END);
    }

    /** Key of the last row; of a page without rows, the key before the page. */
    public byte[] last(byte[] before) {
        return rows.isEmpty() ? before : rows.get(rows.size() - 1).key();
    }
}
