package io.steadfs.store.mark;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * A row of a store's table of facts that is written again and again, each time with a higher number. A store that has the mark also has
 * everything that was committed before it. The newest mark is also kept outside the store ({@link MarkPlace}), so that a store without it
 * is recognised as an older state.
 *
 * <pre>
 *  key      value
 *  "mark"   incarnation 8, number 8, wall clock millis 8
 * </pre>
 *
 * @param incarnation of the store's history; it rises when an operator accepts an older state, so that the lost state counts as older from
 *     then on
 * @param number rises with each mark; 0 = a store that never had one
 * @param atMillis when it was written, milliseconds since 1970; for people
 */
public record StoreMark(long incarnation, long number, long atMillis) implements Comparable<StoreMark> {
    /** The highest incarnation. Above it, ranges of numbers that are given out by incarnation would overlap. */
    public static final long MOST_INCARNATION = (1L << 20) - 1;

    /** The mark of a store that has none. */
    public static final StoreMark NONE = new StoreMark(0, 0, 0);

    private static final byte[] KEY = "mark".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES = 3 * Long.BYTES;

    /** @throws IllegalArgumentException naming the value that no mark can have */
    public StoreMark {
        if (incarnation < 0 || incarnation > MOST_INCARNATION) {
            throw new IllegalArgumentException("incarnation " + incarnation + " is not in 0.." + MOST_INCARNATION);
        }
        if (number < 0) {
            throw new IllegalArgumentException("number " + number + " of a mark is below 0");
        }
    }

    /** The store's mark; {@link #NONE} if there is none. */
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

    /** Removes the mark, for a salvage, which reports by itself what is lost. */
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

    /** The mark after this one. */
    public StoreMark next(long nowMillis) {
        return new StoreMark(incarnation, number + 1, nowMillis);
    }

    @Override
    public int compareTo(StoreMark other) {
        int first = Long.compare(incarnation, other.incarnation);
        return first != 0 ? first : Long.compare(number, other.number);
    }

    /** The time when it was written, in a form for people. */
    public String time() {
        return isNone() ? "its beginning" : Instant.ofEpochMilli(atMillis).toString();
    }
}
