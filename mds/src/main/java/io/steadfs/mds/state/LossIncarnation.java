package io.steadfs.mds.state;

import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.nio.charset.StandardCharsets;

/**
 * Keeps the incarnation number of a shard's store. The number rises each time an operator accepts an older state as the
 * store. The row "incarnation" holds the number in 8 bytes. Without this row the incarnation number is 0.
 */
public final class LossIncarnation {
    private static final int GENERATION_BITS = 32;
    private static final byte[] KEY = "incarnation".getBytes(StandardCharsets.US_ASCII);

    private LossIncarnation() {}

    public static void put(WriteView view, long incarnation) {
        view.put(ShardTables.META, KEY, Keys.of(incarnation));
    }

    /**
     * Returns the write generation that follows {@code generation}. The result is above every generation that a lost
     * state may have given out for the same file.
     *
     * @param generation the file's write generation in the store
     */
    public static long generationAfter(ReadView view, long generation) {
        long incarnation = view.get(ShardTables.META, KEY)
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
        return Math.max(generation + 1, incarnation << GENERATION_BITS);
    }
}
