package io.steadfs.mds.fuzz;

import io.steadfs.fuzz.Bits;
import io.steadfs.wire.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A request as it comes out of a frame, and the shard that gets it.
 *
 * <pre>
 *  0       1      2                4
 * +-------+------+----------------+--------+------+
 * | shard | kind | header length  | header | body |
 * +-------+------+----------------+--------+------+
 * </pre>
 *
 * Bytes that are missing are 0.
 */
@SuppressWarnings("ArrayRecordComponent")
record SpoiledRequest(int shard, Kind kind, byte[] header, byte[] body) {
    private static final int FIXED = 4;
    private static final Kind[] KINDS = Kind.values();

    static SpoiledRequest of(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(input, Math.max(FIXED, input.length)));
        int shard = in.get() & 0xff;
        Kind kind = KINDS[(in.get() & 0xff) % KINDS.length];
        byte[] header = new byte[Math.min(in.getShort() & 0xffff, in.remaining())];
        in.get(header);
        byte[] body = new byte[in.remaining()];
        in.get(body);
        return new SpoiledRequest(shard, kind, header, body);
    }

    @SuppressWarnings("EnumOrdinal") // Lives no longer than a run.
    byte[] bytes() {
        byte[] fixed = ByteBuffer.allocate(FIXED)
                .put((byte) shard)
                .put((byte) kind.ordinal())
                .putShort((short) header.length)
                .array();
        return Bits.join(fixed, header, body);
    }
}
