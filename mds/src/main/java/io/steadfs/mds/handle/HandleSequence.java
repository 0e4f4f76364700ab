package io.steadfs.mds.handle;

import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The sequence number that the next new object of this shard gets. Each incarnation has its own counter. A counter
 * starts at 1.
 */
public final class HandleSequence {
    private static final byte[] PREFIX = "sequence ".getBytes(StandardCharsets.US_ASCII);

    private HandleSequence() {}

    /** The first number that has not yet been given out under the incarnation. */
    public static long next(ReadView view, int incarnation) {
        return view.get(ShardTables.META, key(incarnation))
                .map(value -> Keys.longAt(value, 0))
                .orElse(1L);
    }

    /** The key: the text "sequence ", then the incarnation in 1 byte. */
    static byte[] key(int incarnation) {
        byte[] key = Arrays.copyOf(PREFIX, PREFIX.length + 1);
        key[PREFIX.length] = (byte) incarnation;
        return key;
    }
}
