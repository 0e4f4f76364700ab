package io.steadfs.store;

import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The rows of a range that can be read, and the gaps between them where the store cannot read its own files:
 *
 * <pre>
 *  keys      a b c d | x x x x x | k l m n | x x x |
 *                      gap                   gap
 *                      from      to          from  to
 * </pre>
 *
 * <p>A gap begins behind the last row that was read. It ends at a key from which on the store can read again. That key is found by trying:
 * first near, then a quarter farther each time, then by bisection. So if two pieces of damage are close, one gap may span both, with the
 * readable rows between them. No row of a gap is visited.
 */
public final class SurvivingRows {
    /** This many first bytes of keys are varied when trying: an object's handle, a hash, and the beginning of a name. */
    private static final int TRIED_BYTES = 24;

    private final ReadView view;
    private final Table table;
    private final byte[] end;
    private final Visitor visitor;

    /** Gets rows and gaps in key order. Each method returns whether it wants more. */
    public interface Visitor {
        boolean row(byte[] key, byte[] value);

        boolean gap(Gap gap);
    }

    /** A range of keys of which nobody knows whether there are rows. The arrays must not be changed. */
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

        /** The key behind the last one of the gap. */
        public byte[] to() {
            return to;
        }

        /** The reason, as the store gives it. */
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

    /** Visits the rows from one key up to, but not including, another, as long as the visitor wants more. */
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

    /** The least key behind this one from which on rows can be read, or the end, as far as trying finds it. */
    private byte[] readableFrom(byte[] from) {
        BigInteger first = number(from);
        BigInteger bad = first;
        BigInteger last = number(end);
        BigInteger good = bad.add(BigInteger.ONE);
        while (good.compareTo(last) < 0 && !isReadable(good)) {
            bad = good;
            // Go a quarter of the way so far: then readable rows as wide as the damage before them are not stepped
            // over.
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

    /** The shortest key with that number: no key of the table with that number is before it. */
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
