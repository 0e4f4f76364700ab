package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads and writes of a datafile's rows, over whatever view. */
public final class DatafileRows {
    private DatafileRows() {}

    public static Optional<DatafileRow> find(ReadView view, Handle datafile) {
        return view.get(DatafileTables.DATAFILE, DatafileTables.key(datafile))
                .map(value -> DatafileRow.decode(datafile, value));
    }

    /** The newest datafile made by a first write into the column. */
    public static Optional<Handle> findColumn(ReadView view, Handle metafile, int index) {
        return view.get(DatafileTables.COLUMN, DatafileTables.columnKey(metafile, index))
                .map(value -> new Handle(ByteBuffer.wrap(value).getLong()));
    }

    /** Bytes of a datafile that has them in no file. */
    static byte[] small(ReadView view, Handle datafile, DatafileRow row) {
        byte[] bytes =
                view.get(DatafileTables.SMALL, DatafileTables.key(datafile)).orElse(new byte[0]);
        if (bytes.length != row.length()) {
            throw new IllegalStateException("datafile " + datafile + " has " + bytes.length
                    + " bytes in its row of small data, but its length is " + row.length());
        }
        return bytes;
    }

    /** Checksums of one group. */
    static int[] group(ReadView view, Handle datafile, long group) {
        byte[] value = view.get(DatafileTables.CHUNKS, DatafileTables.groupKey(datafile, group))
                .orElseThrow(() -> new IllegalStateException(
                        "datafile " + datafile + " misses the checksums of its chunk group " + group));
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

    /** A datafile made by a first write: its row, its place in the column, and that nobody confirmed it yet. */
    static void putMade(WriteView out, Handle datafile, DatafileRow row, long wallMillis) {
        putRow(out, datafile, row);
        out.put(
                DatafileTables.COLUMN,
                DatafileTables.columnKey(row.metafile(), row.index()),
                ByteBuffer.allocate(Long.BYTES).putLong(datafile.value()).array());
        out.put(
                DatafileTables.UNCONFIRMED,
                DatafileTables.key(datafile),
                ByteBuffer.allocate(Long.BYTES).putLong(wallMillis).array());
    }

    /** The metafile's shard lists the datafile. */
    public static void confirm(WriteView out, Handle datafile) {
        out.delete(DatafileTables.UNCONFIRMED, DatafileTables.key(datafile));
    }

    public static boolean isUnconfirmed(ReadView view, Handle datafile) {
        return view.get(DatafileTables.UNCONFIRMED, DatafileTables.key(datafile))
                .isPresent();
    }

    /** Everything that the store knows of a datafile goes, except a column's newer datafile. */
    static void remove(ReadView view, WriteView out, Handle datafile, DatafileRow row) {
        byte[] key = DatafileTables.key(datafile);
        out.delete(DatafileTables.DATAFILE, key);
        out.delete(DatafileTables.UNCONFIRMED, key);
        out.delete(DatafileTables.SMALL, key);
        for (long group = 0; group < DatafileRow.groups(row.length()); group++) {
            out.delete(DatafileTables.CHUNKS, DatafileTables.groupKey(datafile, group));
        }
        if (findColumn(view, row.metafile(), row.index()).equals(Optional.of(datafile))) {
            out.delete(DatafileTables.COLUMN, DatafileTables.columnKey(row.metafile(), row.index()));
        }
    }
}
