package io.steadfs.mds.state;

import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.nio.charset.StandardCharsets;

/** How often an older state was accepted as the shard's store: row "incarnation", number 8. Without the row this never happened. */
public final class LossIncarnation {
    private static final int GENERATION_BITS = 32;
    private static final byte[] KEY = "incarnation".getBytes(StandardCharsets.US_ASCII);

    private LossIncarnation() {}

    public static void put(WriteView view, long incarnation) {
        view.put(ShardTables.META, KEY, Keys.of(incarnation));
    }

    /**
     * The write generation that follows one in the store. It is above every generation that a lost state may have given out
     * for the same file.
     */
    public static long generationAfter(ReadView view, long generation) {
        long incarnation = view.get(ShardTables.META, KEY)
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
        return Math.max(generation + 1, incarnation << GENERATION_BITS);
    }
}
