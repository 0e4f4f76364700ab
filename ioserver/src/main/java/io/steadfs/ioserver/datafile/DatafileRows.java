package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.store.ReadView;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the rows of datafiles in any view. A row that cannot be read affects only its own datafile. */
public final class DatafileRows {
    private static final Logger LOG = LoggerFactory.getLogger(DatafileRows.class);

    private DatafileRows() {}

    public static Optional<DatafileRow> find(ReadView view, Handle datafile) throws UnreadableDatafileException {
        Optional<byte[]> value = get(view, DatafileTables.DATAFILE, DatafileTables.key(datafile), datafile);
        return value.isEmpty() ? Optional.empty() : Optional.of(DatafileRow.decode(datafile, value.get()));
    }

    private static Optional<byte[]> get(ReadView view, Table table, byte[] key, Handle datafile)
            throws UnreadableDatafileException {
        try {
            return view.get(table, key);
        } catch (UncheckedIOException e) {
            throw new UnreadableDatafileException(datafile, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Finds a row as {@link #find} does. In addition, a handle that is leased without a datafile gets the row of a
     * precreated datafile, until the datafile is made or removed.
     *
     * @param view a view in which each read sees the newest committed state
     */
    public static Optional<DatafileRow> findLeased(ReadView view, Handle datafile, HandlesOnly leased)
            throws UnreadableDatafileException {
        Optional<DatafileRow> row = find(view, datafile);
        if (row.isPresent() || isGone(view, datafile)) {
            return row;
        }
        // The row is read again here, because the lease may have ended meanwhile. In that case the store has the row by
        // now, if there is a datafile.
        return leased.holds(datafile) ? Optional.of(DatafileRow.leased()) : find(view, datafile);
    }

    /**
     * A row that a scan met.
     *
     * @param row the decoded row; empty if the bytes are not a valid row
     * @param unreadable why the row cannot be read; empty if the row can be read
     * @param damaged whether the row is unreadable because the store cannot read its own files
     */
    public record Found(Handle datafile, Optional<DatafileRow> row, String unreadable, boolean damaged) {
        public static Found of(Handle datafile, UnreadableDatafileException why) {
            return new Found(datafile, Optional.empty(), String.valueOf(why.getMessage()), why.isDamage());
        }

        public static Found of(Handle datafile, DatafileRow row) {
            return new Found(datafile, Optional.of(row), "", false);
        }
    }

    /**
     * A page of rows.
     *
     * @param more whether more rows may follow the page
     * @param gaps ranges of handles where the store cannot be read, so that datafiles may be missing from the page
     */
    public record Page(List<Found> rows, boolean more, List<SurvivingRows.Gap> gaps) {
        public Page {
            rows = List.copyOf(rows);
            gaps = List.copyOf(gaps);
        }
    }

    /**
     * The rows in a range of handles, in handle order, but at most {@code limit}. The page leaves out rows that
     * the store cannot read, and goes on after them.
     */
    public static Page page(ReadView view, Handle first, Handle last, int limit) {
        byte[] end = Arrays.copyOf(DatafileTables.key(last), Long.BYTES + 1);
        Taken taken = new Taken(limit);
        SurvivingRows.visit(view, DatafileTables.DATAFILE, DatafileTables.key(first), end, taken);
        return new Page(taken.rows, taken.more, taken.gaps);
    }

    private static final class Taken implements SurvivingRows.Visitor {
        private final int limit;
        private final List<Found> rows = new ArrayList<>();
        private final List<SurvivingRows.Gap> gaps = new ArrayList<>();
        private boolean more;

        Taken(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean row(byte[] key, byte[] value) {
            more = rows.size() == limit;
            if (!more && key.length == Long.BYTES) {
                rows.add(found(new Handle(ByteBuffer.wrap(key).getLong()), value));
            }
            return !more;
        }

        private static Found found(Handle datafile, byte[] value) {
            try {
                return Found.of(datafile, DatafileRow.decode(datafile, value));
            } catch (UnreadableDatafileException e) {
                return Found.of(datafile, e);
            }
        }

        @Override
        public boolean gap(SurvivingRows.Gap gap) {
            gaps.add(gap);
            return true;
        }
    }

    private static boolean isGone(ReadView view, Handle datafile) throws UnreadableDatafileException {
        return get(view, DatafileTables.GONE, DatafileTables.key(datafile), datafile)
                .isPresent();
    }

    /** Records that the handle's datafile was removed, so that no datafile is made under the handle again. */
    public static void putGone(WriteView out, Handle datafile) {
        out.put(DatafileTables.GONE, DatafileTables.key(datafile), new byte[0]);
    }

    /** The handles of a range whose removal is recorded. */
    public static List<Handle> gone(ReadView view, HandleRange range) {
        return gone(
                view,
                DatafileTables.key(range.first()),
                DatafileTables.key(new Handle(range.last().value() + 1)));
    }

    /** All handles whose removal is recorded. */
    public static List<Handle> gone(ReadView view) {
        return gone(view, DatafileTables.key(new Handle(0)), DatafileTables.key(new Handle(-1)));
    }

    /**
     * The handles in a range of keys. If the store cannot read all of the keys, the result is incomplete, and a later
     * start forgets the missing handles.
     */
    private static List<Handle> gone(ReadView view, byte[] from, byte[] end) {
        List<Handle> gone = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(DatafileTables.GONE, from, end)) {
            while (cursor.next()) {
                if (cursor.key().length == Long.BYTES) {
                    gone.add(new Handle(ByteBuffer.wrap(cursor.key()).getLong()));
                }
            }
        } catch (UncheckedIOException e) {
            LOG.warn("removed datafiles cannot all be read: {}", e.getMessage());
        }
        return gone;
    }

    /** Deletes the record of a removal, which is no longer needed after the lease has ended. */
    public static void forgetGone(WriteView out, Handle datafile) {
        out.delete(DatafileTables.GONE, DatafileTables.key(datafile));
    }

    /** The newest datafile that a first write to the column made; empty if there is none. */
    public static Optional<Handle> findColumn(ReadView view, Handle metafile, int index) throws IOException {
        Optional<byte[]> value;
        try {
            value = view.get(DatafileTables.COLUMN, DatafileTables.columnKey(metafile, index));
        } catch (UncheckedIOException e) {
            throw new IOException("column " + index + " of metafile " + metafile + ": " + e.getMessage(), e);
        }
        if (value.isPresent() && value.get().length != Long.BYTES) {
            throw new IOException(
                    "column " + index + " of metafile " + metafile + " has a row of " + value.get().length + " bytes");
        }
        return value.map(bytes -> new Handle(ByteBuffer.wrap(bytes).getLong()));
    }

    /**
     * The handles of a leased range that a metafile is known to have or to have had. A handle is given as its position
     * in the range. If the store cannot read the rows, the result is empty, and the server asks the shards at the end
     * of the lease.
     *
     * @param precreated true if every handle got a datafile with the lease, so that a handle without a row has lost its
     *     datafile
     */
    public static BitSet used(ReadView view, HandleRange range, boolean precreated) {
        BitSet used = new BitSet();
        used.set(0, precreated ? (int) range.count() : 0);
        byte[] end = DatafileTables.key(new Handle(range.last().value() + 1));
        try (ReadView.Cursor cursor = view.scan(DatafileTables.DATAFILE, DatafileTables.key(range.first()), end)) {
            while (cursor.next()) {
                if (cursor.key().length == Long.BYTES) {
                    Handle handle = new Handle(ByteBuffer.wrap(cursor.key()).getLong());
                    look(handle, cursor.value())
                            .ifPresent(unattached -> used.set(position(range, handle), !unattached));
                }
            }
        } catch (UncheckedIOException e) {
            LOG.warn("leased datafiles {} cannot be counted: {}", range, e.getMessage());
            used.clear();
        }
        if (!precreated) {
            gone(view, range).forEach(handle -> used.set(position(range, handle)));
        }
        return used;
    }

    /** Whether the datafile is unattached; empty if the row cannot be decoded. */
    private static Optional<Boolean> look(Handle datafile, byte[] row) {
        try {
            return Optional.of(DatafileRow.decode(datafile, row).isUnattached());
        } catch (UnreadableDatafileException e) {
            LOG.debug("not counted: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static int position(HandleRange range, Handle handle) {
        return (int) (handle.value() - range.first().value());
    }

    /** The bytes of a datafile that is not in a file. */
    static byte[] small(ReadView view, Handle datafile, DatafileRow row) throws UnreadableDatafileException {
        byte[] bytes = get(view, DatafileTables.SMALL, DatafileTables.key(datafile), datafile)
                .orElse(new byte[0]);
        if (bytes.length != row.length()) {
            throw new UnreadableDatafileException(
                    datafile,
                    "its row of small data has " + bytes.length + " bytes, but its length is " + row.length());
        }
        return bytes;
    }

    /** The checksums of one group of chunks. */
    static int[] group(ReadView view, Handle datafile, long group) throws UnreadableDatafileException {
        byte[] value = get(view, DatafileTables.CHUNKS, DatafileTables.groupKey(datafile, group), datafile)
                .orElseThrow(() -> new UnreadableDatafileException(
                        datafile, "the checksums of its chunk group " + group + " are missing"));
        int[] checksums = new int[value.length / Integer.BYTES];
        ByteBuffer.wrap(value).asIntBuffer().get(checksums);
        return checksums;
    }

    static void putGroup(WriteView out, Handle datafile, long group, int[] checksums, int from, int count) {
        ByteBuffer value = ByteBuffer.allocate(count * Integer.BYTES);
        value.asIntBuffer().put(checksums, from, count);
        out.put(DatafileTables.CHUNKS, DatafileTables.groupKey(datafile, group), value.array());
    }

    static void putRow(WriteView out, Handle datafile, DatafileRow row) {
        out.put(DatafileTables.DATAFILE, DatafileTables.key(datafile), row.encode());
    }

    /**
     * Puts the rows of a datafile that a first write made. These are the datafile's own row, the row of its column, and
     * the mark that the datafile is unconfirmed.
     */
    static void putMade(WriteView out, Handle datafile, DatafileRow row, long wallMillis) {
        putRow(out, datafile, row);
        out.put(
                DatafileTables.COLUMN,
                DatafileTables.columnKey(row.metafile(), row.index()),
                ByteBuffer.allocate(Long.BYTES).putLong(datafile.value()).array());
        putUnconfirmed(out, datafile, wallMillis);
    }

    private static void putUnconfirmed(WriteView out, Handle datafile, long wallMillis) {
        out.put(
                DatafileTables.UNCONFIRMED,
                DatafileTables.key(datafile),
                ByteBuffer.allocate(Long.BYTES).putLong(wallMillis).array());
    }

    /** Puts the row of a leased datafile that belongs to no metafile yet. */
    public static void putLeased(WriteView out, Handle datafile) {
        putRow(out, datafile, DatafileRow.leased());
    }

    /**
     * Puts the rows of a leased datafile after a first write has named its metafile. These are the datafile's own row
     * and the mark that the datafile is unconfirmed.
     */
    static void putAttached(WriteView out, Handle datafile, DatafileRow row, long wallMillis) {
        putRow(out, datafile, row);
        putUnconfirmed(out, datafile, wallMillis);
    }

    /** Records that the metafile's shard lists the datafile. */
    public static void confirm(WriteView out, Handle datafile) {
        out.delete(DatafileTables.UNCONFIRMED, DatafileTables.key(datafile));
    }

    public static boolean isUnconfirmed(ReadView view, Handle datafile) throws UnreadableDatafileException {
        return get(view, DatafileTables.UNCONFIRMED, DatafileTables.key(datafile), datafile)
                .isPresent();
    }

    /** Gives the number of bytes in a datafile's file. Called only if the store cannot read the datafile's rows. */
    interface FileBytes {
        long count() throws IOException;
    }

    /**
     * Removes all rows of a datafile. A newer datafile of the same column keeps its rows. If this method throws, it has
     * written nothing.
     */
    static void remove(ReadView view, WriteView out, Handle datafile, DatafileRow row, FileBytes file)
            throws UnreadableDatafileException {
        boolean isNewest = isNewestOfColumn(view, datafile, row);
        List<byte[]> groups = groupsFrom(view, datafile, row.length(), 0, file);
        byte[] key = DatafileTables.key(datafile);
        out.delete(DatafileTables.DATAFILE, key);
        out.delete(DatafileTables.UNCONFIRMED, key);
        out.delete(DatafileTables.SMALL, key);
        groups.forEach(group -> out.delete(DatafileTables.CHUNKS, group));
        if (isNewest) {
            out.delete(DatafileTables.COLUMN, DatafileTables.columnKey(row.metafile(), row.index()));
        }
    }

    private static boolean isNewestOfColumn(ReadView view, Handle datafile, DatafileRow row)
            throws UnreadableDatafileException {
        try {
            return findColumn(view, row.metafile(), row.index()).equals(Optional.of(datafile));
        } catch (IOException e) {
            throw new UnreadableDatafileException(datafile, String.valueOf(e.getMessage()), e);
        }
    }

    private static long bytes(Handle datafile, FileBytes file) throws UnreadableDatafileException {
        try {
            return file.count();
        } catch (IOException e) {
            throw new UnreadableDatafileException(datafile, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Keys of the checksum groups of a datafile, beginning with {@code firstGroup}. The groups are found by a scan, so
     * that a row with a wrong, huge length costs no more than the groups that exist. If the store cannot scan the
     * groups, the keys are computed from the length of the file. The computed keys suffice, because a row can be
     * deleted without being read.
     *
     * @param lengthBytes length in the datafile's row
     */
    static List<byte[]> groupsFrom(ReadView view, Handle datafile, long lengthBytes, long firstGroup, FileBytes file)
            throws UnreadableDatafileException {
        if (DatafileRow.groups(lengthBytes) <= firstGroup) {
            return List.of();
        }
        List<byte[]> keys = new ArrayList<>();
        byte[] from = DatafileTables.groupKey(datafile, firstGroup);
        try (ReadView.Cursor cursor = view.scan(DatafileTables.CHUNKS, from, DatafileTables.groupsEnd(datafile))) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        } catch (UncheckedIOException e) {
            long groups = DatafileRow.groups(Math.min(lengthBytes, bytes(datafile, file)));
            LOG.warn(
                    "datafile {}: its groups of checksums from {} to {} are deleted unread: {}",
                    datafile,
                    firstGroup,
                    groups,
                    e.getMessage());
            return LongStream.range(firstGroup, groups)
                    .mapToObj(group -> DatafileTables.groupKey(datafile, group))
                    .toList();
        }
        return keys;
    }
}
