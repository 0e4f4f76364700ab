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
 * How many bytes all datafiles have, by their rows. Each lane keeps a sum of what its batches added and took, in a row
 * that is committed with the batch: so the sum of these rows is exact after any crash, and a start reads a few rows.
 *
 * <pre>
 * table  key                  value
 * -----  -------------------  ----------------------------------------------------------------
 * meta   "stored.counted"     nothing; there is a row while the sums are right
 * meta   "stored.NNN"         big-endian sum of lane NNN (8), of this start or an earlier one;
 *                             may be negative, since a datafile's lane is another one where the
 *                             number of lanes changed
 * </pre>
 *
 * Without the row {@code stored.counted}, as in a store of an older release, the start counts all rows of datafiles and
 * writes the sums. The row goes when a datafile is removed whose row cannot be read: the next start counts anew.
 */
public final class StoredBytes {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBytes.class);
    private static final byte[] COUNTED = "stored.counted".getBytes(StandardCharsets.US_ASCII);
    /** Most lanes that a server may have. */
    private static final int SUMS = 64;

    private final AtomicLongArray sums = new AtomicLongArray(SUMS);

    private Optional<String> problem = Optional.empty();

    private StoredBytes() {}

    /**
     * Reads the sums, or counts what the rows say. What cannot be read is not counted.
     *
     * @param anew whether rows may have been lost behind the sums' back, as by a salvage, so that they are counted
     */
    public static StoredBytes open(Store store, boolean anew) throws IOException {
        StoredBytes stored = new StoredBytes();
        if (anew || !stored.read(store.committed())) {
            stored.count(store);
        }
        return stored;
    }

    /** Why the total may be too small, if so. */
    public Optional<String> problem() {
        return problem;
    }

    /** @return false if the sums are not there or not right */
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
            // The next start counts again.
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

    /** The sum that a batch of the lane leaves, into the batch. {@link #changed} follows when it is committed. */
    public void put(WriteView out, int lane, Change change) {
        if (change.bytes != 0) {
            put(out, lane, sums.get(lane) + change.bytes);
        }
        if (change.unknown) {
            out.delete(DatafileTables.META, COUNTED);
        }
    }

    /** The batch is committed. */
    public void changed(int lane, Change change) {
        sums.addAndGet(lane, change.bytes);
    }

    /** Bytes of all datafiles, as of the last commits. */
    public long total() {
        long total = 0;
        for (int lane = 0; lane < SUMS; lane++) {
            total += sums.get(lane);
        }
        return Math.max(0, total);
    }

    /** What one batch adds and takes. Used by one thread. */
    public static final class Change {
        private long bytes;
        private boolean unknown;

        /** The datafile's row says so many bytes more, or fewer. */
        public void add(long more) {
            bytes += more;
        }

        /** A row that cannot be read goes: how many bytes it spoke of is unknown. */
        public void addUnknown() {
            unknown = true;
        }
    }
}
