package io.steadfs.ioserver.datafile;

import io.steadfs.checksum.Chunks;
import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * A datafile as readers see it at one moment. Length and checksums agree with each other, and with the bytes below that length, because
 * these bytes never change while the datafile only grows. Immutable. The arrays are shared with the writer, which only adds beyond what
 * this view counts.
 *
 * <p>Only a truncate breaks that rule: a concurrent read may get the bytes of a later append under the earlier checksums. Then its client
 * repeats the read.
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

    /** The view of a datafile as stored. */
    static DatafileView stored(Handle handle, DatafileRow row, ReadView view) throws UnreadableDatafileException {
        return stored(
                handle, row, row.inFile() ? Optional.empty() : Optional.of(DatafileRows.small(view, handle, row)));
    }

    /** The view of a datafile as stored, without its bytes. */
    static DatafileView facts(Handle handle, DatafileRow row) {
        return stored(handle, row, Optional.empty());
    }

    /** The view of a leased handle without bytes. The store is not read, because the first write may come at any time. */
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

    /** The durable facts. Only {@link #small} tells whether the bytes are in a file. */
    public DatafileRow row() {
        return row;
    }

    /** The number of bytes that may be read, whether on stable storage or not. */
    public long length() {
        return length;
    }

    /** Whether a reader sees the same through both views. If one cannot be read, neither can the other. */
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
     * Checksums of chunks at the length of this view.
     *
     * @param committed the store, which has the checksums of settled chunks
     * @throws UnreadableDatafileException if the store lacks one
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
