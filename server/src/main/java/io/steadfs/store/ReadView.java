package io.steadfs.store;

import java.util.Optional;

/** A state to read from. Returned arrays belong to the caller. */
public interface ReadView {
    Optional<byte[]> get(Table table, byte[] key);

    /**
     * Rows in key order, {@code from} included, {@code to} excluded. Close it. Rows changed while it is open may or may
     * not be seen.
     */
    Cursor scan(Table table, byte[] from, byte[] to);

    /** Rows met in order: call {@link #next} before the first. */
    interface Cursor extends AutoCloseable {
        boolean next();

        byte[] key();

        byte[] value();

        @Override
        void close();
    }
}
