package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.Table;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * All tables of an IO server's store, and their keys. Numbers are big-endian. So the rows of one datafile are one
 * range, and so are the datafiles of one incarnation.
 *
 * <pre>
 * table        key                          value                                  there is a row
 * -----------  ---------------------------  -------------------------------------  -------------------------------------
 * datafile     handle(8)                    {@link DatafileRow}                          for each datafile
 * column       metafile(8) index(4)         handle(8)                              for each (metafile, index) whose first
 *                                                                                  write was here: the newest datafile
 * unconfirmed  handle(8)                    wall clock millis of the first         until the metafile's shard said that
 *                                           write (8)                              it lists the datafile
 * lease        last handle(8)               see LeaseRow                           for each lease that has not ended
 * gone         handle(8)                    nothing                                for each removed datafile of a lease of
 *                                                                                  handles only, until the lease ends
 * small        handle(8)                    the datafile's bytes                   while they are not in a file, and any
 * chunks       handle(8) group(4)           crc32c(4) of up to 64 chunks           for each begun group of settled chunks
 * meta         text                         see the class that owns the row        for facts about the server
 * </pre>
 *
 * A chunk is settled after another chunk follows it. The datafile's row has the checksum of the last chunk, full or
 * partial. The checksums of the settled chunks are in groups of {@value #GROUP_CHUNKS} (4 MiB of data). So an append
 * within the last chunk changes one row, and a small datafile has no groups. A key is never used again for another
 * datafile.
 */
public final class DatafileTables {
    public static final Table DATAFILE = new Table("datafile");
    public static final Table COLUMN = new Table("column");
    public static final Table UNCONFIRMED = new Table("unconfirmed");
    public static final Table LEASE = new Table("lease");
    public static final Table GONE = new Table("gone");
    public static final Table SMALL = new Table("small");
    public static final Table CHUNKS = new Table("chunks");
    public static final Table META = new Table("meta");

    public static final List<Table> ALL = List.of(DATAFILE, COLUMN, UNCONFIRMED, LEASE, GONE, SMALL, CHUNKS, META);

    static final int GROUP_CHUNKS = 64;

    private DatafileTables() {}

    /** The key of a datafile in {@link #DATAFILE}, {@link #SMALL}, {@link #GONE} and {@link #UNCONFIRMED}. */
    public static byte[] key(Handle datafile) {
        return ByteBuffer.allocate(Long.BYTES).putLong(datafile.value()).array();
    }

    static byte[] columnKey(Handle metafile, int index) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(metafile.value())
                .putInt(index)
                .array();
    }

    /** The key behind the keys of all groups of a datafile. */
    static byte[] groupsEnd(Handle datafile) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + 1)
                .putLong(datafile.value())
                .putInt(-1)
                .array();
    }

    static byte[] groupKey(Handle datafile, long group) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(datafile.value())
                .putInt((int) group)
                .array();
    }
}
