package io.steadfs.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The rows from which a result was derived, whether they exist or not: single rows, and groups. A group is all rows of a table whose keys
 * begin with the same eight bytes. So a new row in the group counts as a change, too.
 */
public final class Sources {
    private final List<Group> groups = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** @param prefix the first eight bytes of the keys, as a big-endian number */
    public record Group(Table table, long prefix) {}

    /** One row. */
    public static final class Row {
        private final Table table;
        private final byte[] key;

        Row(Table table, byte[] key) {
            this.table = table;
            this.key = key;
        }

        public Table table() {
            return table;
        }

        /** The key. It must not be changed. */
        public byte[] key() {
            return key;
        }
    }

    /** Adds all rows of the table whose keys begin with the big-endian number. */
    public void add(Table table, long prefix) {
        groups.add(new Group(table, prefix));
    }

    /** Adds one row. The key must not be changed afterwards. */
    public void add(Table table, byte[] key) {
        rows.add(new Row(table, Objects.requireNonNull(key)));
    }

    public List<Group> groups() {
        return groups;
    }

    public List<Row> rows() {
        return rows;
    }
}
