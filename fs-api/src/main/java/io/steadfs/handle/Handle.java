package io.steadfs.handle;

/**
 * The 64-bit name of an object. No handle is ever reused.
 *
 * <pre>
 *  63          48 47        40 39                                    0
 * +--------------+------------+---------------------------------------+
 * | owner id     | incarnation| sequence                              |
 * | 16 bits      | 8 bits     | 40 bits, from 1                       |
 * +--------------+------------+---------------------------------------+
 * </pre>
 *
 * Owner ids from {@value #FIRST_SHARD_OWNER} on belong to metadata shards. Lower owner ids belong to IO servers. So the
 * owner of an object follows from the handle alone. If an owner's store has lost handles that the owner gave out, the
 * owner continues with the next incarnation. Handles sort as unsigned numbers: by owner, then by incarnation, then by
 * sequence.
 *
 * @param value all 64 bits; 0 = no object
 */
public record Handle(long value) implements Comparable<Handle> {
    public static final int FIRST_SHARD_OWNER = 0x8000;
    public static final int MAX_OWNER = 0xffff;
    public static final int MAX_INCARNATION = 0xff;
    public static final long MAX_SEQUENCE = (1L << 40) - 1;

    /** Means "no object" on the wire. */
    public static final Handle NONE = new Handle(0);

    /** Handle of the root directory, which is the first handle of shard 0. */
    public static final Handle ROOT = Handle.of(FIRST_SHARD_OWNER, 0, 1);

    /** @throws IllegalArgumentException if owner, incarnation or sequence is out of range */
    public static Handle of(int owner, int incarnation, long sequence) {
        if (owner < 0 || owner > MAX_OWNER) {
            throw new IllegalArgumentException("owner id " + owner + " is not in 0.." + MAX_OWNER);
        }
        if (incarnation < 0 || incarnation > MAX_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is not in 0.." + MAX_INCARNATION);
        }
        if (sequence < 1 || sequence > MAX_SEQUENCE) {
            throw new IllegalArgumentException("sequence " + sequence + " is not in 1.." + MAX_SEQUENCE);
        }
        return new Handle(((long) owner << 48) | ((long) incarnation << 40) | sequence);
    }

    /** Owner id of a metadata shard. */
    public static int shardOwner(int shard) {
        if (shard < 0 || shard > MAX_OWNER - FIRST_SHARD_OWNER) {
            throw new IllegalArgumentException("shard " + shard + " is out of range");
        }
        return FIRST_SHARD_OWNER + shard;
    }

    public int owner() {
        return (int) (value >>> 48);
    }

    public int incarnation() {
        return (int) (value >>> 40) & MAX_INCARNATION;
    }

    public long sequence() {
        return value & MAX_SEQUENCE;
    }

    public boolean isNone() {
        return value == 0;
    }

    /** Whether a metadata shard owns the object. */
    public boolean isOwnedByShard() {
        return owner() >= FIRST_SHARD_OWNER;
    }

    /** Whether an IO server owns the object. No IO server has id 0. */
    public boolean isOwnedByIoServer() {
        return owner() > 0 && !isOwnedByShard();
    }

    /**
     * Number of the shard that owns the object.
     *
     * @throws IllegalStateException if an IO server owns the object
     */
    public int shard() {
        if (!isOwnedByShard()) {
            throw new IllegalStateException("handle " + this + " belongs to IO server " + owner() + ", not to a shard");
        }
        return owner() - FIRST_SHARD_OWNER;
    }

    @Override
    public int compareTo(Handle other) {
        return Long.compareUnsigned(value, other.value);
    }

    /** Owner, incarnation and sequence in hexadecimal, for example {@code 8000_00_000000002a}. */
    @Override
    public String toString() {
        return String.format("%04x_%02x_%010x", owner(), incarnation(), sequence());
    }

    /**
     * Reads a handle from the text that {@link #toString} makes.
     *
     * @throws IllegalArgumentException if the text is no handle
     */
    public static Handle parse(String text) {
        if (!text.matches("[0-9a-f]{4}_[0-9a-f]{2}_[0-9a-f]{10}")) {
            throw new IllegalArgumentException("not a handle: '" + text + "'");
        }
        return new Handle(Long.parseUnsignedLong(text.replace("_", ""), 16));
    }
}
