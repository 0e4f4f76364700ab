package io.steadfs.lab.bench.compare.work;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * The bytes that streams write: pieces of one MiB with the same random bytes. Only the number at the beginning of each
 * piece differs.
 */
final class StreamBytes {
    static final int PIECE = 1 << 20;

    private StreamBytes() {}

    static byte[] piece() {
        byte[] piece = new byte[PIECE];
        new Random(PIECE).nextBytes(piece);
        return piece;
    }

    static void number(byte[] piece, int number) {
        ByteBuffer.wrap(piece).putInt(0, number);
    }

    /** Checks only the number of the piece, because comparing all bytes would take longer than reading all bytes. */
    static void check(byte[] piece, int number, String file) throws IOException {
        int found = ByteBuffer.wrap(piece).getInt(0);
        if (found != number) {
            throw new IOException(file + " has piece " + found + " where piece " + number + " belongs");
        }
    }
}
