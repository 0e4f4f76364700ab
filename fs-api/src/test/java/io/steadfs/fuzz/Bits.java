package io.steadfs.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Spoils bytes without knowing what they mean: flips, cuts, doubles, splices and overwrites. */
public final class Bits {
    /** Longest that a spoiled input grows by doubling. */
    private static final int MOST_BYTES = 1 << 18;

    private static final long[] EDGES = {
        0,
        1,
        -1,
        2,
        0x7f,
        0x80,
        0xff,
        0x100,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        0x7fffffffL,
        0x80000000L,
        0xffffffffL,
        0x100000000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        1L << 40,
        1L << 48,
        1L << 62
    };

    private Bits() {}

    /** A number at the edge of some range. */
    public static long edge(RandomGenerator random) {
        return EDGES[random.nextInt(EDGES.length)];
    }

    /** Few bytes mostly, now and then some thousand. */
    public static byte[] noise(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(50) == 0 ? 4096 : 64)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** One of the good inputs, spoiled in up to four places; one in sixteen is left as it is. */
    public static byte[] spoiled(RandomGenerator random, List<byte[]> good) {
        byte[] bytes = good.get(random.nextInt(good.size()));
        if (random.nextInt(16) == 0) {
            return bytes.clone();
        }
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            bytes = spoiledOnce(random, bytes, good.get(random.nextInt(good.size())));
        }
        return bytes;
    }

    /** A copy with one thing wrong. */
    public static byte[] spoiledOnce(RandomGenerator random, byte[] bytes, byte[] other) {
        if (bytes.length == 0) {
            return noise(random);
        }
        int from = random.nextInt(bytes.length);
        int to = from + 1 + random.nextInt(Math.min(16, bytes.length - from));
        return switch (random.nextInt(8)) {
            case 0 -> flipped(random, bytes);
            case 1 -> Arrays.copyOf(bytes, from);
            case 2 -> join(Arrays.copyOf(bytes, from), tail(bytes, to));
            case 3 -> join(Arrays.copyOf(bytes, from), noise(random), tail(bytes, to));
            case 4 -> doubled(random, bytes, from, to);
            case 5 -> join(Arrays.copyOf(bytes, from), tail(other, random.nextInt(other.length + 1)));
            case 6 -> overwritten(random, bytes, from);
            default -> {
                byte[] copy = bytes.clone();
                copy[from] = (byte) random.nextInt();
                yield copy;
            }
        };
    }

    private static byte[] flipped(RandomGenerator random, byte[] bytes) {
        byte[] copy = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return copy;
    }

    private static byte[] doubled(RandomGenerator random, byte[] bytes, int from, int to) {
        int most = Math.min(1 << random.nextInt(14), (MOST_BYTES - bytes.length) / (to - from));
        if (most < 1) {
            return bytes.clone();
        }
        byte[] target = new byte[bytes.length + most * (to - from)];
        System.arraycopy(bytes, 0, target, 0, to);
        int at = to;
        for (int i = 0; i < most; i++) {
            System.arraycopy(bytes, from, target, at, to - from);
            at += to - from;
        }
        System.arraycopy(bytes, to, target, at, bytes.length - to);
        return target;
    }

    private static byte[] overwritten(RandomGenerator random, byte[] bytes, int from) {
        byte[] copy = bytes.clone();
        long value = edge(random);
        int width = 1 << random.nextInt(4);
        for (int i = 0; i < width && from + i < copy.length; i++) {
            copy[from + i] = (byte) (value >>> (8 * (width - 1 - i)));
        }
        return copy;
    }

    static byte[] tail(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    /** One after the other. */
    public static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }
}
