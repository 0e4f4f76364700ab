package io.steadfs.ioserver.lease;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The row of a lease that has not ended. A lease is a range of handles that only its holder puts into files. The key of
 * the row is the last handle of the range.
 *
 * <pre>
 *  0         1       2         10        18        26       34
 * +---------+-------+---------+---------+---------+--------+----------------+
 * | version | flags | first   | holder  | granted | expiry | name (UTF-8)   |
 * | 1       | 1     | 8       | 8       | 8       | 8      | 0 to 256       |
 * +---------+-------+---------+---------+---------+--------+----------------+
 *   1         bit 0: revoking; bit 1: handles only
 * </pre>
 *
 * @param holder number of the holder
 * @param name name of the holder, for people
 * @param grantedMillis wall clock time of the grant, in milliseconds since 1970
 * @param expiryMillis wall clock time of the end, in milliseconds since 1970; used only for the first deadline after a
 *     start
 * @param precreated true if each handle had its datafile from the beginning; false if the reservation or the first
 *     write makes the datafile
 * @param revoking whether the lease is being taken back. A first write to a handle of such a lease is refused until the
 *     metafile's shard has said that the metafile lists the handle
 */
public record LeaseRow(
        HandleRange range,
        long holder,
        String name,
        long grantedMillis,
        long expiryMillis,
        boolean precreated,
        boolean revoking) {
    /** The highest number of handles of one lease. */
    public static final int MOST_HANDLES = 1 << 14;

    /** The highest number of bytes of the holder's name. */
    public static final int MOST_NAME_BYTES = 256;

    private static final byte VERSION = 1;
    private static final byte REVOKING = 1;
    private static final byte HANDLES_ONLY = 2;
    private static final int FIXED_BYTES = 34;

    /** The first handle of the lease, which identifies the lease. */
    public Handle first() {
        return range.first();
    }

    public LeaseRow withExpiry(long millis) {
        return new LeaseRow(range, holder, name, grantedMillis, millis, precreated, revoking);
    }

    public LeaseRow revoked() {
        return new LeaseRow(range, holder, name, grantedMillis, expiryMillis, precreated, true);
    }

    byte[] encode() {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + nameBytes.length)
                .put(VERSION)
                .put((byte) ((revoking ? REVOKING : 0) | (precreated ? 0 : HANDLES_ONLY)))
                .putLong(range.first().value())
                .putLong(holder)
                .putLong(grantedMillis)
                .putLong(expiryMillis)
                .put(nameBytes)
                .array();
    }

    /**
     * @throws IOException if the value is not a row of a known version, or if its range does not end with {@code last}
     */
    static LeaseRow decode(Handle last, byte[] value) throws IOException {
        if (value.length < FIXED_BYTES || value.length > FIXED_BYTES + MOST_NAME_BYTES || value[0] != VERSION) {
            throw new IOException("the row of the lease up to " + last + " has " + value.length
                    + " bytes and begins with " + (value.length > 0 ? value[0] : -1) + ": not of version " + VERSION);
        }
        ByteBuffer in = ByteBuffer.wrap(value, 1, value.length - 1);
        byte flags = in.get();
        Handle first = new Handle(in.getLong());
        try {
            HandleRange range = new HandleRange(first, last);
            if (range.count() > MOST_HANDLES) {
                throw new IllegalArgumentException(range + " is of more than " + MOST_HANDLES + " handles");
            }
            return new LeaseRow(
                    range,
                    in.getLong(),
                    new String(value, FIXED_BYTES, value.length - FIXED_BYTES, StandardCharsets.UTF_8),
                    in.getLong(),
                    in.getLong(),
                    (flags & HANDLES_ONLY) == 0,
                    (flags & REVOKING) != 0);
        } catch (IllegalArgumentException e) {
            throw new IOException("the row of the lease up to " + last + ": " + e.getMessage(), e);
        }
    }
}
