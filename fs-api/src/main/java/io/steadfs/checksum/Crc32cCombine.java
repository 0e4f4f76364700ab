package io.steadfs.checksum;

/**
 * Computes the CRC32C of a concatenation from the CRC32Cs of the two parts and the length of the second part. No byte
 * of the parts is read again.
 *
 * <p>A CRC is a polynomial over GF(2): the message times x^32, modulo the generator. Appending n bytes to a message
 * multiplies its polynomial by x^(8n). CRC32C also inverts its bits before and after the computation, but these
 * inversions cancel out. So the following formula holds for two parts A and B.
 *
 * <pre>crc(AB) = crc(A) * x^(8 * |B|) + crc(B)</pre>
 *
 * <p>The static method {@link #combine(int, int, long)} works for parts of any length, and takes a few dozen
 * multiplications. If many second parts have the same length, use an instance made by {@link #forSecond}, which needs
 * only four table look-ups. For each of the four bytes of a CRC32C, the table holds the product of a constant factor
 * with every value of the byte. The four products add up to the product of the whole, because multiplication is linear.
 *
 * <p>In an int the highest bit is the coefficient of x^0, because CRC32C orders its bits in this way.
 */
public final class Crc32cCombine {
    /**
     * The Castagnoli polynomial, which is the generator of CRC32C, without its term x^32. The bits are in CRC order.
     */
    private static final int GENERATOR = 0x82f63b78;

    private static final int ONE = 1 << 31;

    /** The entry k is x^(2^k) modulo the generator. */
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

    /**
     * Makes an instance for second parts of the given length. If the caller uses an instance about twenty times or
     * more, the instance saves time. Immutable.
     */
    public static Crc32cCombine forSecond(long secondBytes) {
        checkLength(secondBytes);
        return new Crc32cCombine(secondBytes);
    }

    /**
     * CRC32C of the first part followed by the second part.
     *
     * @param second CRC32C of a second part with the length of this instance
     */
    public int combine(int first, int second) {
        return table[first & 0xff]
                ^ table[256 + (first >>> 8 & 0xff)]
                ^ table[512 + (first >>> 16 & 0xff)]
                ^ table[768 + (first >>> 24)]
                ^ second;
    }

    /**
     * CRC32C of the first part followed by the second part. The CRC32C of an empty part is 0.
     *
     * @param secondBytes length of the second part, in bytes
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
