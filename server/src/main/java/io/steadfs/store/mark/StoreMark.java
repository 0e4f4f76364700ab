package io.steadfs.store.mark;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A row of a store's table of facts that is written regularly, each time with a higher number. A store that has a
 * certain mark also has everything that was committed before this mark. The newest mark is also kept outside the store
 * ({@link MarkPlace}). If a store lacks the newest mark, it is an older state of itself.
 *
 * <pre>
 *  key      value
 *  "mark"   incarnation 8, number 8, wall clock millis 8
 * </pre>
 *
 * @param incarnation rises when an operator accepts an older state of the store. In the new incarnation, the lost state
 *     counts as older than the accepted state
 * @param number rises with each mark; 0 = the store never had a mark
 * @param atMillis the time when the mark was written, in milliseconds since 1970; only for people
 */
public record StoreMark(long incarnation, long number, long atMillis) implements Comparable<StoreMark> {
    /**
     * The highest incarnation. Each incarnation has its own range of numbers to give out. Above the highest incarnation
     * these ranges of numbers would overlap.
     */
    public static final long MOST_INCARNATION = (1L << 20) - 1;

    /** Stands for the mark of a store that never had a mark. */
    public static final StoreMark NONE = new StoreMark(0, 0, 0);

    private static final byte[] KEY = "mark".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES = 3 * Long.BYTES;

    /** @throws IllegalArgumentException naming a value that no mark can have */
    public StoreMark {
        if (incarnation < 0 || incarnation > MOST_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is not in 0.." + MOST_INCARNATION);
        }
        if (number < 0) {
            throw new IllegalArgumentException("number " + number + " of a mark is below 0");
        }
    }

    /** Bytes that are in the log of a store behind each of its marks: a key with its length, as RocksDB writes it. */
    public static byte[] inLog() {
        return ByteBuffer.allocate(1 + KEY.length)
                .put((byte) KEY.length)
                .put(KEY)
                .array();
    }

    /** The mark in the store. A store without a mark gives {@link #NONE}. */
    public static StoreMark of(ReadView view, Table facts) {
        return view.get(facts, KEY).map(StoreMark::decode).orElse(NONE);
    }

    public void put(WriteView view, Table facts) {
        view.put(
                facts,
                KEY,
                ByteBuffer.allocate(BYTES)
                        .putLong(incarnation)
                        .putLong(number)
                        .putLong(atMillis)
                        .array());
    }

    /** Removes the mark from a salvaged store. The salvage itself reports what the store lost. */
    public static void remove(WriteView view, Table facts) {
        view.delete(facts, KEY);
    }

    private static StoreMark decode(byte[] value) {
        if (value.length != BYTES) {
            throw new IllegalStateException("the row of the store's mark has " + value.length + " bytes, not " + BYTES);
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        return new StoreMark(in.getLong(), in.getLong(), in.getLong());
    }

    boolean isNone() {
        return number == 0;
    }

    /** The next mark of the same incarnation. */
    public StoreMark next(long nowMillis) {
        return new StoreMark(incarnation, number + 1, nowMillis);
    }

    @Override
    public int compareTo(StoreMark other) {
        int first = Long.compare(incarnation, other.incarnation);
        return first != 0 ? first : Long.compare(number, other.number);
    }

    /** The time when the mark was written, as a text for people. */
    public String time() {
        return isNone() ? "its beginning" : Instant.ofEpochMilli(atMillis).toString();
    }
}
