package io.steadfs.mds.state;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts rows one by one. */
public final class Rows {
    private Rows() {}

    /** Number of rows of the table whose keys begin with the prefix. */
    public static long count(ReadView view, Table table, byte[] prefix) {
        long count = 0;
        try (ReadView.Cursor cursor = view.scan(table, prefix, Keys.endOf(prefix))) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    /**
     * Counts the rows of each number, in signed order of the numbers. The number of a row is in the 8 bytes behind the
     * tag in its key.
     */
    public static SortedMap<Long, Long> countEach(ReadView view, Table table, byte tag) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        byte[] prefix = Keys.of(tag);
        try (ReadView.Cursor cursor = view.scan(table, prefix, Keys.endOf(prefix))) {
            boolean more = cursor.next();
            while (more) {
                long number = Keys.longAt(cursor.key(), 1);
                long count = 0;
                do {
                    count++;
                    more = cursor.next();
                } while (more && Keys.longAt(cursor.key(), 1) == number);
                counts.put(number, count);
            }
        }
        return counts;
    }
}
