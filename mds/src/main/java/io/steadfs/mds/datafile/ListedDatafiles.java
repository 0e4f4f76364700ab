package io.steadfs.mds.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.SurvivingRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An index of every datafile that a metafile of this shard lists, by the datafile's handle. The batch that lists a
 * datafile also writes the datafile's index row. The batch that removes a metafile also removes the index rows of its
 * datafiles. So the index and the metafiles never differ.
 *
 * <pre>
 * +------------+      +------------+---------+
 * | datafile 8 |  ->  | metafile 8 | index 4 |
 * +------------+      +------------+---------+
 * </pre>
 */
public final class ListedDatafiles {
    private ListedDatafiles() {}

    /** Returns the datafile with its metafile; empty if no metafile of this shard lists the datafile. */
    public static Optional<ListedDatafile> find(ReadView view, Handle datafile) {
        return view.get(ShardTables.DATAFILE, Keys.of(datafile.value())).map(value -> decode(datafile, value));
    }

    /**
     * The listed datafiles whose handles are in a range, in handle order.
     *
     * @param last the last handle of the range
     */
    public static List<ListedDatafile> range(ReadView view, Handle first, Handle last) {
        return range(view, first, last, Integer.MAX_VALUE);
    }

    /** The listed datafiles whose handles are in a range, in handle order, but at most {@code limit}. */
    public static List<ListedDatafile> range(ReadView view, Handle first, Handle last, int limit) {
        List<ListedDatafile> found = new ArrayList<>();
        byte[] end = Keys.after(Keys.of(last.value()));
        try (ReadView.Cursor cursor = view.scan(ShardTables.DATAFILE, Keys.of(first.value()), end)) {
            while (found.size() < limit && cursor.next()) {
                found.add(decode(new Handle(Keys.longAt(cursor.key(), 0)), cursor.value()));
            }
        }
        return found;
    }

    /**
     * A row of this index, readable or not, for a check of the file system.
     *
     * @param listed the decoded row; empty if the bytes are not a valid row
     * @param unreadable why the row cannot be read; empty if the row can be read
     */
    public record Met(Handle datafile, Optional<ListedDatafile> listed, String unreadable) {
        private static Met of(Handle datafile, byte[] value) {
            try {
                return new Met(datafile, Optional.of(decode(datafile, value)), "");
            } catch (IllegalStateException e) {
                return new Met(datafile, Optional.empty(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** Like {@link #find}, but also returns a row that cannot be decoded. */
    public static Optional<Met> met(ReadView view, Handle datafile) {
        return view.get(ShardTables.DATAFILE, Keys.of(datafile.value())).map(value -> Met.of(datafile, value));
    }

    /**
     * A page of rows of this index, for a check of the file system.
     *
     * @param more whether more rows may follow the page
     * @param gaps ranges of handles where the store cannot be read, so that rows may be missing from the page
     */
    public record Page(List<Met> rows, boolean more, List<SurvivingRows.Gap> gaps) {
        public Page {
            rows = List.copyOf(rows);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * The rows in a range of handles, in handle order, but at most {@code limit}. Rows that cannot be decoded are
     * included.
     */
    public static Page page(ReadView view, Handle first, Handle last, int limit) {
        List<Met> met = new ArrayList<>();
        List<SurvivingRows.Gap> gaps = new ArrayList<>();
        boolean[] more = new boolean[1];
        byte[] end = Keys.after(Keys.of(last.value()));
        SurvivingRows.visit(view, ShardTables.DATAFILE, Keys.of(first.value()), end, new SurvivingRows.Visitor() {
            @Override
            public boolean row(byte[] key, byte[] value) {
                more[0] = met.size() == limit;
                if (!more[0] && key.length == Long.BYTES) {
                    met.add(Met.of(new Handle(Keys.longAt(key, 0)), value));
                }
                return !more[0];
            }

            @Override
            public boolean gap(SurvivingRows.Gap gap) {
                gaps.add(gap);
                return true;
            }
        });
        return new Page(met, more[0], gaps);
    }

    static byte[] encode(ListedDatafile listed) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(listed.metafile().value())
                .putInt(listed.index())
                .array();
    }

    private static ListedDatafile decode(Handle datafile, byte[] value) {
        if (value.length != Long.BYTES + Integer.BYTES) {
            throw new IllegalStateException(
                    "row of listed datafile " + datafile + " has " + value.length + " bytes, not 12");
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        return new ListedDatafile(datafile, new Handle(in.getLong()), in.getInt());
    }
}
