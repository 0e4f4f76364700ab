package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the bytes of all datafiles, as their rows say. Each lane keeps a sum of the bytes that its batches added and
 * removed. The row of the sum is committed with the batch. So the total of the sums is exact after any crash, and a
 * start reads only a few rows.
 *
 * <pre>
 * table  key                  value
 * -----  -------------------  ----------------------------------------------------------------
 * meta   "stored.counted"     nothing; there is a row while the sums are right
 * meta   "stored.NNN"         big-endian sum of lane NNN (8), of this start or an earlier one;
 *                             may be negative, since a datafile gets another lane when the
 *                             number of lanes changes
 * </pre>
 *
 * Without the row {@code stored.counted}, a start counts the bytes in all rows of datafiles and writes the sums. A new
 * store does not have the row {@code stored.counted} yet. A batch that removes a datafile with an unreadable row also
 * removes {@code stored.counted}, so that the next start counts anew.
 */
public final class StoredBytes {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBytes.class);
    private static final byte[] COUNTED = "stored.counted".getBytes(StandardCharsets.US_ASCII);
    /** The highest number of lanes that a server may have. */
    private static final int SUMS = 64;

    private final AtomicLongArray sums = new AtomicLongArray(SUMS);

    private Optional<String> problem = Optional.empty();

    private StoredBytes() {}

    /**
     * Reads the sums, or counts the lengths in all rows. Rows that cannot be read are not counted.
     *
     * @param anew true = counts in any case, because a salvage may have lost rows without changing the sums
     */
    public static StoredBytes open(Store store, boolean anew) throws IOException {
        StoredBytes stored = new StoredBytes();
        if (anew || !stored.read(store.committed())) {
            stored.count(store);
        }
        return stored;
    }

    /** Why the total may be too small; empty if it is exact. */
    public Optional<String> problem() {
        return problem;
    }

    /** @return false if the sums are missing or wrong */
    private boolean read(ReadView view) {
        try {
            return view.get(DatafileTables.META, COUNTED).isPresent() && readSums(view);
        } catch (UncheckedIOException e) {
            LOG.warn("sums of the bytes of datafiles cannot be read: {}", e.getMessage());
            return false;
        }
    }

    private boolean readSums(ReadView view) {
        for (int lane = 0; lane < SUMS; lane++) {
            Optional<byte[]> sum = view.get(DatafileTables.META, key(lane));
            if (sum.isPresent() && sum.get().length != Long.BYTES) {
                return false;
            }
            sums.set(lane, sum.map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L));
        }
        return true;
    }

    private void count(Store store) throws IOException {
        long sum = 0;
        byte[] end = DatafileTables.groupsEnd(new Handle(-1));
        try (ReadView.Cursor cursor = store.committed().scan(DatafileTables.DATAFILE, new byte[0], end)) {
            while (cursor.next()) {
                sum += DatafileRow.lengthOf(cursor.value());
            }
        } catch (UncheckedIOException e) {
            // The next start will count again.
            problem = Optional.of("bytes of datafiles cannot all be counted: " + e.getMessage());
            sums.set(0, sum);
            return;
        }
        try (Overlay overlay = store.overlay()) {
            for (int lane = 0; lane < SUMS; lane++) {
                sums.set(lane, 0);
                overlay.delete(DatafileTables.META, key(lane));
            }
            sums.set(0, sum);
            put(overlay, 0, sum);
            overlay.put(DatafileTables.META, COUNTED, new byte[0]);
            store.commit(overlay, true);
        }
        LOG.info("datafiles have {} bytes, counted by their rows", sum);
    }

    private static byte[] key(int lane) {
        return String.format("stored.%03d", lane).getBytes(StandardCharsets.US_ASCII);
    }

    private static void put(WriteView out, int lane, long sum) {
        out.put(
                DatafileTables.META,
                key(lane),
                ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
    }

    /** Puts the lane's new sum into a batch of the lane. The caller must call {@link #changed} after the commit. */
    public void put(WriteView out, int lane, Change change) {
        if (change.bytes != 0) {
            put(out, lane, sums.get(lane) + change.bytes);
        }
        if (change.unknown) {
            out.delete(DatafileTables.META, COUNTED);
        }
    }

    /** Adds the change to the lane's sum in memory. Must be called after the batch is committed. */
    public void changed(int lane, Change change) {
        sums.addAndGet(lane, change.bytes);
    }

    /** Number of bytes of all datafiles, as of the last commits. */
    public long total() {
        long total = 0;
        for (int lane = 0; lane < SUMS; lane++) {
            total += sums.get(lane);
        }
        return Math.max(0, total);
    }

    /** The bytes that one batch adds and removes. Used by one thread. */
    public static final class Change {
        private long bytes;
        private boolean unknown;

        /**
         * Adds the change of the length in a datafile's row. The change may be negative.
         *
         * @param more change in bytes
         */
        public void add(long more) {
            bytes += more;
        }

        /** Notes that an unreadable row is removed, so that it is unknown how many bytes the row counted. */
        public void addUnknown() {
            unknown = true;
        }
    }
}
