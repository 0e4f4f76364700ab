package io.steadfs.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Records the rows from which a result was derived: single rows and groups of rows. A derived result may also depend on
 * rows that do not exist. A group is all rows of a table whose keys begin with the same eight bytes. So a new row in a
 * group is a change of the group.
 */
public final class Sources {
    private final List<Group> groups = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /**
     * A group of rows in a table.
     *
     * @param prefix the first eight bytes of the keys of the group, as a big-endian number
     */
    public record Group(Table table, long prefix) {}

    /** A single row. */
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

        /** The row's key. Callers must not change the array. */
        public byte[] key() {
            return key;
        }
    }

    /** Adds the group of all rows of the table whose keys begin with this number, in big-endian bytes. */
    public void add(Table table, long prefix) {
        groups.add(new Group(table, prefix));
    }

    /** Adds one row. The caller must not change the key afterwards. */
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
