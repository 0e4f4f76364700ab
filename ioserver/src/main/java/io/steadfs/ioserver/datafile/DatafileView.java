package io.steadfs.ioserver.datafile;

import io.steadfs.checksum.Chunks;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * A datafile as readers see it at one moment: length and checksums agree with each other, and with the bytes below that
 * length, because bytes below a length never change while it only grows. Immutable; the arrays are shared with the
 * writer, who only adds beyond what this view counts.
 *
 * <p>Only a truncate breaks that: a read that runs beside one may see the bytes of a later append under the checksums
 * from before, and its client repeats it.
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

    /** What the store holds. */
    static DatafileView stored(Handle handle, DatafileRow row, ReadView view) throws UnreadableDatafileException {
        return stored(
                handle, row, row.inFile() ? Optional.empty() : Optional.of(DatafileRows.small(view, handle, row)));
    }

    /** What the store holds, without bytes. */
    static DatafileView facts(Handle handle, DatafileRow row) {
        return stored(handle, row, Optional.empty());
    }

    /** A handle that is leased and has no bytes; nothing is read, since its first write may come at any time. */
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

    /** The durable facts. Whether the bytes are in a file is for {@link #small} to say. */
    public DatafileRow row() {
        return row;
    }

    /** Bytes that may be read, on stable storage or not. */
    public long length() {
        return length;
    }

    /** Whether a reader sees the same through both; what one cannot do, the other cannot either. */
    public boolean isLike(DatafileView other) {
        return length == other.length
                && lastChecksum == other.lastChecksum
                && small.isPresent() == other.small.isPresent();
    }

    /** The bytes, at least up to the length, if they are not in a file. */
    public Optional<byte[]> small() {
        return small;
    }

    /**
     * Checksums of chunks as they stand at this length.
     *
     * @param committed the store, for chunks settled in it
     * @throws UnreadableDatafileException if the store misses one
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
