package io.steadfs.ioserver.datafile;

import io.steadfs.checksum.Chunks;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * A datafile as readers see it at one moment. The length, the checksums and the bytes below the length agree with each
 * other, because bytes never change while the datafile only grows. Immutable. The arrays are shared with the writer.
 * The writer changes only array elements that this view does not use.
 *
 * <p>Only a truncate breaks this agreement: a concurrent read may get bytes of a later append together with the earlier
 * checksums. The client repeats a read whose bytes and checksums do not agree.
 */
public final class DatafileView {
    private final Handle handle;
    private final DatafileRow row;
    private final long length;
    private final int lastChecksum;
    private final long settledBase;
    private final int[] settled;
    private final Optional<byte[]> small;

    DatafileView(
            Handle handle,
            DatafileRow row,
            long length,
            int lastChecksum,
            long settledBase,
            int[] settled,
            Optional<byte[]> small) {
        this.handle = handle;
        this.row = row;
        this.length = length;
        this.lastChecksum = lastChecksum;
        this.settledBase = settledBase;
        this.settled = settled;
        this.small = small;
    }

    /** The view of a datafile in its stored state. */
    static DatafileView stored(Handle handle, DatafileRow row, ReadView view) throws UnreadableDatafileException {
        return stored(
                handle, row, row.inFile() ? Optional.empty() : Optional.of(DatafileRows.small(view, handle, row)));
    }

    /** The view of a datafile in its stored state, without its bytes. */
    static DatafileView facts(Handle handle, DatafileRow row) {
        return stored(handle, row, Optional.empty());
    }

    /**
     * The view of a leased handle that has no datafile yet. This method does not read the store, because the first
     * write may come at any time.
     */
    static DatafileView unmade(Handle handle) {
        return stored(handle, DatafileRow.leased(), Optional.of(new byte[0]));
    }

    private static DatafileView stored(Handle handle, DatafileRow row, Optional<byte[]> small) {
        return new DatafileView(
                handle,
                row,
                row.length(),
                row.lastChecksum(),
                DatafileRow.settledChunks(row.length()),
                new int[0],
                small);
    }

    public Handle handle() {
        return handle;
    }

    /** The durable facts about the datafile. Only {@link #small} tells whether the bytes are in a file at present. */
    public DatafileRow row() {
        return row;
    }

    /** The number of bytes that may be read, including bytes that are not on stable storage yet. */
    public long length() {
        return length;
    }

    /**
     * Whether readers see the same bytes through both views. If one of the views cannot be read, the other cannot be
     * read either.
     */
    public boolean isLike(DatafileView other) {
        return length == other.length
                && lastChecksum == other.lastChecksum
                && small.isPresent() == other.small.isPresent();
    }

    /**
     * The bytes of a datafile that is not in a file; empty if it is in a file. The array may be longer than {@link
     * #length}.
     */
    public Optional<byte[]> small() {
        return small;
    }

    /**
     * The checksums of some chunks of this view.
     *
     * @param committed the rows of the store, which have the checksums of settled chunks
     * @throws UnreadableDatafileException if the store lacks a checksum
     */
    public int[] checksums(long firstChunk, int count, ReadView committed) throws UnreadableDatafileException {
        int[] checksums = new int[count];
        long last = Chunks.chunkOf(Math.max(0, length - 1));
        long group = -1;
        int[] grouped = new int[0];
        for (int i = 0; i < count; i++) {
            long chunk = firstChunk + i;
            if (chunk > last || length == 0) {
                throw new IllegalArgumentException("chunk " + chunk + " of datafile " + handle + " of " + length);
            }
            if (chunk == last) {
                checksums[i] = lastChecksum;
            } else if (chunk >= settledBase) {
                checksums[i] = settled[(int) (chunk - settledBase)];
            } else {
                if (group != chunk / DatafileTables.GROUP_CHUNKS) {
                    group = chunk / DatafileTables.GROUP_CHUNKS;
                    grouped = DatafileRows.group(committed, handle, group);
                }
                int within = (int) (chunk % DatafileTables.GROUP_CHUNKS);
                if (within >= grouped.length) {
                    throw new UnreadableDatafileException(handle, "the checksum of chunk " + chunk + " is missing");
                }
                checksums[i] = grouped[within];
            }
        }
        return checksums;
    }
}
