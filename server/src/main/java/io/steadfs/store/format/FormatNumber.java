package io.steadfs.store.format;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads and writes the number of a store's format, in the store's table of facts.
 *
 * <pre>
 *  key             value
 *  "format"        number 8
 *  "format next"   number 8, while a step to that format is unfinished: some rows may have that format
 * </pre>
 *
 * The rows of the format's number are the same in every format.
 */
final class FormatNumber {
    private static final byte[] KEY = "format".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEXT = "format next".getBytes(StandardCharsets.US_ASCII);

    private final Table facts;

    static boolean isKey(byte[] key) {
        return Arrays.equals(key, KEY) || Arrays.equals(key, NEXT);
    }

    FormatNumber(Table facts) {
        this.facts = facts;
    }

    /** The format of all rows that no unfinished step has changed; empty if the store has no number. */
    Optional<Long> of(ReadView view) throws IOException {
        return number(view, KEY);
    }

    /** The format of the rows that an unfinished step has changed; empty if no step is unfinished. */
    Optional<Long> next(ReadView view) throws IOException {
        return number(view, NEXT);
    }

    private Optional<Long> number(ReadView view, byte[] key) throws IOException {
        Optional<byte[]> value = view.get(facts, key);
        if (value.isPresent() && value.get().length != Long.BYTES) {
            throw new IOException("row '" + new String(key, StandardCharsets.US_ASCII) + "' of table " + facts.name()
                    + " has " + value.get().length + " bytes, not " + Long.BYTES);
        }
        return value.map(bytes -> ByteBuffer.wrap(bytes).getLong());
    }

    void put(WriteView view, long number) {
        view.put(facts, KEY, encode(number));
    }

    void begin(WriteView view, long from) {
        view.put(facts, NEXT, encode(from + 1));
    }

    void end(WriteView view, long from) {
        put(view, from + 1);
        view.delete(facts, NEXT);
    }

    private static byte[] encode(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
