package io.steadfs.partition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Computes the hash by which the names of a directory are ordered. The hash is XXH64 with seed 0 over the name's UTF-8
 * bytes, as the public specification of XXH64 defines it. Hashes are compared as unsigned numbers. The hash function is
 * part of the disk format: the format record names the function.
 *
 * <p>XXH64 reads its input in stripes of 32 bytes. Each of four accumulators takes 8 bytes of a stripe. After the last
 * stripe, the four accumulators are folded into one hash. The rest of the input is added to the hash in steps of 8, 4
 * and 1 bytes. A final mix lets every input bit change every output bit.
 */
public final class NameHash {
    /** Name of this hash function in the format record. */
    public static final String NAME = "xxh64";

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;

    /** Sum of {@link #PRIME_1} and {@link #PRIME_2}, modulo 2^64. */
    private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L;

    private static final int STRIPE_BYTES = 32;

    private NameHash() {}

    public static long of(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return of(utf8, 0, utf8.length);
    }

    public static long of(byte[] bytes, int offset, int length) {
        int at = offset;
        int end = offset + length;
        long hash;
        if (length >= STRIPE_BYTES) {
            long a = PRIME_1_PLUS_2;
            long b = PRIME_2;
            long c = 0;
            long d = -PRIME_1;
            do {
                a = round(a, (long) LONGS.get(bytes, at));
                b = round(b, (long) LONGS.get(bytes, at + 8));
                c = round(c, (long) LONGS.get(bytes, at + 16));
                d = round(d, (long) LONGS.get(bytes, at + 24));
                at += STRIPE_BYTES;
            } while (at <= end - STRIPE_BYTES);
            hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
            hash = fold(fold(fold(fold(hash, a), b), c), d);
        } else {
            hash = PRIME_5;
        }
        return mix(tail(hash + length, bytes, at, end));
    }

    private static long round(long accumulator, long lane) {
        return Long.rotateLeft(accumulator + lane * PRIME_2, 31) * PRIME_1;
    }

    private static long fold(long hash, long accumulator) {
        return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
    }

    private static long tail(long start, byte[] bytes, int from, int end) {
        long hash = start;
        int at = from;
        for (; at <= end - 8; at += 8) {
            hash = Long.rotateLeft(hash ^ round(0, (long) LONGS.get(bytes, at)), 27) * PRIME_1 + PRIME_4;
        }
        if (at <= end - 4) {
            long lane = (int) INTS.get(bytes, at) & 0xffff_ffffL;
            hash = Long.rotateLeft(hash ^ lane * PRIME_1, 23) * PRIME_2 + PRIME_3;
            at += 4;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ (bytes[at] & 0xffL) * PRIME_5, 11) * PRIME_1;
        }
        return hash;
    }

    private static long mix(long hash) {
        long mixed = (hash ^ hash >>> 33) * PRIME_2;
        mixed = (mixed ^ mixed >>> 29) * PRIME_3;
        return mixed ^ mixed >>> 32;
    }
}
