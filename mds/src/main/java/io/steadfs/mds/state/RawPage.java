package io.steadfs.mds.state;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows of a table in key order as they are, whatever they may be: for a check, which must not stop at a row that is none.
 *
 * @param more whether there may be others behind these
 */
public record RawPage(List<Row> rows, boolean more) {
    /** Longer than any key of a table, and above all of them. */
    private static final byte[] END = end();

    private static byte[] end() {
        byte[] end = new byte[1 << 10];
        Arrays.fill(end, (byte) 0xff);
        return end;
    }

    /** Its arrays belong to whoever has the page. */
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

    /** Those behind a key; the empty key begins. */
    public static RawPage behind(ReadView view, Table table, byte[] key, int limit) {
        List<Row> rows = new ArrayList<>();
        byte[] from = key.length == 0 ? key : Keys.after(key);
        try (ReadView.Cursor cursor = view.scan(table, from, END)) {
            while (cursor.next()) {
                if (rows.size() == limit) {
                    return new RawPage(rows, true);
                }
                rows.add(new Row(cursor.key(), cursor.value()));
            }
        }
        return new RawPage(rows, false);
    }

    /** Key of the last row; of none, the one before it. */
    public byte[] last(byte[] before) {
        return rows.isEmpty() ? before : rows.get(rows.size() - 1).key();
    }
}
