package io.steadfs.store;

import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A row that cannot be read. Either the store cannot read its own files at that place, so that nobody knows whether there is a row. Or
 * there is a row, but it cannot be decoded as one of its table.
 */
public final class Damage {
    /** What to do if a store cannot read its own files. */
    public static final String HELP =
            "stop the server and run bin/stead salvage, which makes a store of all that can be read";

    private Damage() {}

    /** Whether the store could not read its own files. */
    public static boolean isOfStore(@Nullable Throwable failure) {
        return failure instanceof UncheckedIOException;
    }

    /** Why a row cannot be read. A store that was closed meanwhile is no damage: that exception is thrown on. */
    public static String why(RuntimeException failure) {
        if (failure instanceof StoreClosedException) {
            throw failure;
        }
        return String.valueOf(failure.getMessage());
    }

    /** Whether RocksDB's message says that one of its files is not as it was written. */
    public static boolean isCorruption(String text) {
        return text.contains("Corruption")
                || text.contains("checksum mismatch")
                || (text.contains("No such file") && text.contains(".sst"));
    }
}
