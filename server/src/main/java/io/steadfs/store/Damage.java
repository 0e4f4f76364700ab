package io.steadfs.store;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies rows that cannot be read. The first kind is a place where the store cannot read its own files. Nobody
 * knows whether there is a row at such a place. The second kind is a row that the store can read but nobody can decode.
 */
public final class Damage {
    /** Tells the operator what to do if a store cannot read its own files. */
    public static final String HELP =
            "stop the server and run bin/stead salvage, which makes a store of all that can be read";

    private Damage() {}

    /** Whether the failure means that the store cannot read its own files. */
    public static boolean isOfStore(@Nullable Throwable failure) {
        return failure instanceof UncheckedIOException;
    }

    /**
     * The reason why a row cannot be read. If the failure is a {@link StoreClosedException}, this method throws it
     * again, because a closed store is no damage.
     */
    public static String why(RuntimeException failure) {
        if (failure instanceof StoreClosedException) {
            throw failure;
        }
        return String.valueOf(failure.getMessage());
    }

    /** Whether RocksDB's message says that a file of the store is damaged or missing. */
    public static boolean isCorruption(String text) {
        return text.contains("Corruption")
                || text.contains("checksum mismatch")
                || (text.contains("No such file") && text.contains(".sst"));
    }
}
