package io.steadfs.checksum;

/**
 * The CRC32C of a concatenation. It is computed from the CRCs of the two parts and the length of the second part; no byte is read again.
 *
 * <p>A CRC is a polynomial over GF(2): the message times x^32 modulo the generator. Appending n bytes multiplies what was there by x^(8n),
 * so that {@code crc(AB) = crc(A) * x^(8 * |B|) + crc(B)}. The conditioning of the CRC with ones before and after cancels out.
 * {@link #combine(int, int, long)} works for any length in a few dozen multiplications. Where many parts have one length, an instance made
 * by {@link #forSecond} for that length needs only four table look-ups: multiplying by a constant is linear, so a 32-bit word is looked up
 * byte by byte.
 *
 * <p>In an int the coefficient of x^0 is the highest bit, because CRC32C orders its bits so.
 */
public final class Crc32cCombine {
    /** The Castagnoli generator without its x^32, bits in CRC order. */
    private static final int GENERATOR = 0x82f63b78;

    private static final int ONE = 1 << 31;

    /** x^(2^k) modulo the generator. */
    private static final int[] SQUARES = squares();

    private final int[] table;

    private Crc32cCombine(long secondBytes) {
        int factor = powerOfBytes(secondBytes);
        table = new int[4 * 256];
        for (int position = 0; position < 4; position++) {
            for (int value = 0; value < 256; value++) {
                table[position * 256 + value] = multiply(factor, value << (8 * position));
            }
        }
    }

    /** An instance for second parts of this one length. It pays off from about twenty uses on. Immutable. */
    public static Crc32cCombine forSecond(long secondBytes) {
        checkLength(secondBytes);
        return new Crc32cCombine(secondBytes);
    }

    /**
     * CRC32C of the first part followed by the second.
     *
     * @param second CRC of a part that is as long as this instance was made for
     */
    public int combine(int first, int second) {
        return table[first & 0xff]
                ^ table[256 + (first >>> 8 & 0xff)]
                ^ table[512 + (first >>> 16 & 0xff)]
                ^ table[768 + (first >>> 24)]
                ^ second;
    }

    /**
     * CRC32C of the first part followed by the second. The CRC of nothing is 0.
     *
     * @param secondBytes length of the second part
     */
    public static int combine(int first, int second, long secondBytes) {
        checkLength(secondBytes);
        return multiply(powerOfBytes(secondBytes), first) ^ second;
    }

    private static void checkLength(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a part of " + bytes + " bytes");
        }
    }

    /** x^(8 * bytes) modulo the generator. */
    private static int powerOfBytes(long bytes) {
        int power = ONE;
        int k = 3;
        for (long left = bytes; left != 0; left >>>= 1, k++) {
            if ((left & 1) != 0) {
                power = multiply(SQUARES[k], power);
            }
        }
        return power;
    }

    private static int[] squares() {
        int[] squares = new int[67];
        squares[0] = ONE >>> 1;
        for (int k = 1; k < squares.length; k++) {
            squares[k] = multiply(squares[k - 1], squares[k - 1]);
        }
        return squares;
    }

    /** Product of two polynomials modulo the generator. */
    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int coefficients = a; coefficients != 0; coefficients <<= 1) {
            if (coefficients < 0) {
                product ^= shifted;
            }
            shifted = (shifted >>> 1) ^ (GENERATOR & -(shifted & 1));
        }
        return product;
    }
}
