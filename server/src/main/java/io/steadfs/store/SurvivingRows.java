package io.steadfs.store;

import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Reads all readable rows of a range of keys, and finds the gaps. In a gap the store cannot read its own files:
 *
 * <pre>
 *  keys      a b c d | x x x x x | k l m n | x x x |
 *                      gap                   gap
 *                      from      to          from  to
 * </pre>
 *
 * <p>A gap begins behind the last row that was read, and ends at a key from which the store can read again. The end of
 * a gap is searched in steps that grow by a quarter each time, and then by bisection. If two damaged places are close
 * to each other, one gap may include both, with readable rows between them. No row in a gap is visited.
 */
public final class SurvivingRows {
    /** The search varies this many first bytes of a key: an object's handle, a hash, and the beginning of a name. */
    private static final int TRIED_BYTES = 24;

    private final ReadView view;
    private final Table table;
    private final byte[] end;
    private final Visitor visitor;

    /** Receives rows and gaps in key order. Each method returns false to end the visit. */
    public interface Visitor {
        boolean row(byte[] key, byte[] value);

        boolean gap(Gap gap);
    }

    /**
     * A range of keys whose rows the store cannot read. Nobody knows whether such a range has rows. Callers must not
     * change the arrays.
     */
    public static final class Gap {
        private final byte[] from;
        private final byte[] to;
        private final String why;

        public Gap(byte[] from, byte[] to, String why) {
            this.from = from;
            this.to = to;
            this.why = why;
        }

        /** The first key of the gap. */
        public byte[] from() {
            return from;
        }

        /** The end of the gap, exclusive. */
        public byte[] to() {
            return to;
        }

        /** The store's message about the damage. */
        public String why() {
            return why;
        }
    }

    private SurvivingRows(ReadView view, Table table, byte[] end, Visitor visitor) {
        this.view = view;
        this.table = table;
        this.end = end;
        this.visitor = visitor;
    }

    /**
     * Visits the rows of a range in key order, until the visitor ends the visit.
     *
     * @param from the first key of the range, inclusive
     * @param to the end of the range, exclusive
     */
    public static void visit(ReadView view, Table table, byte[] from, byte[] to, Visitor visitor) {
        new SurvivingRows(view, table, to.clone(), visitor).visit(from.clone());
    }

    private void visit(byte[] from) {
        byte[] at = from;
        while (Arrays.compareUnsigned(at, end) < 0) {
            String why;
            try (ReadView.Cursor cursor = view.scan(table, at, end)) {
                while (cursor.next()) {
                    byte[] key = cursor.key();
                    byte[] value = cursor.value();
                    at = Arrays.copyOf(key, key.length + 1);
                    if (!visitor.row(key, value)) {
                        return;
                    }
                }
                return;
            } catch (UncheckedIOException e) {
                why = Damage.why(e);
            }
            byte[] next = readableFrom(at);
            if (!visitor.gap(new Gap(at, next, why))) {
                return;
            }
            at = next;
        }
    }

    /**
     * Searches the least key behind the given key from which rows can be read. Returns the end of the range if there is
     * no such key.
     */
    private byte[] readableFrom(byte[] from) {
        BigInteger first = number(from);
        BigInteger bad = first;
        BigInteger last = number(end);
        BigInteger good = bad.add(BigInteger.ONE);
        while (good.compareTo(last) < 0 && !isReadable(good)) {
            bad = good;
            // Each step is a quarter of the distance so far. So no step jumps over readable rows that are as wide as
            // the damage before them.
            good = bad.add(bad.subtract(first).shiftRight(2).max(BigInteger.ONE));
        }
        if (good.compareTo(last) >= 0) {
            if (!isReadable(last.subtract(BigInteger.ONE))) {
                return end;
            }
            good = last.subtract(BigInteger.ONE);
        }
        while (good.subtract(bad).compareTo(BigInteger.ONE) > 0) {
            BigInteger middle = bad.add(good).shiftRight(1);
            if (isReadable(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        byte[] key = key(good);
        return Arrays.compareUnsigned(key, from) <= 0 ? Arrays.copyOf(from, from.length + 1) : key;
    }

    private boolean isReadable(BigInteger number) {
        try (ReadView.Cursor cursor = view.scan(table, key(number), end)) {
            var unused = cursor.next();
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static BigInteger number(byte[] key) {
        return new BigInteger(1, Arrays.copyOf(key, TRIED_BYTES));
    }

    /** The shortest key that has this number. No other key with this number sorts before it. */
    private static byte[] key(BigInteger number) {
        byte[] digits = number.toByteArray();
        byte[] key = new byte[TRIED_BYTES];
        int count = Math.min(digits.length, TRIED_BYTES);
        System.arraycopy(digits, digits.length - count, key, TRIED_BYTES - count, count);
        int length = TRIED_BYTES;
        while (length > 0 && key[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(key, length);
    }
}
