package io.steadfs.store;

import java.util.Optional;

/** A state to read from. Returned arrays belong to the caller. */
public interface ReadView {
    Optional<byte[]> get(Table table, byte[] key);

    /**
     * Rows in key order, {@code from} included, {@code to} excluded. The caller closes the cursor. Rows that are changed while it is open
     * may or may not be seen.
     */
    Cursor scan(Table table, byte[] from, byte[] to);

    /**
     * A result that was derived from rows and {@linkplain #keep kept}, if it is valid for this state.
     *
     * @param question equal for the same result, and for no other
     */
    default Optional<Derived> kept(Object question) {
        return Optional.empty();
    }

    /**
     * Keeps a result that was derived from this state for other readers, as long as it is valid. A view may keep nothing.
     *
     * @param sources every row whose change would change the result
     */
    default void keep(Object question, Derived derived, Sources sources) {}

    /** Whether this view may keep results, so that it is worth asking for them and recording their sources. */
    default boolean keepsDerived() {
        return false;
    }

    /** A cursor over rows in order. Call {@link #next} before the first row. */
    interface Cursor extends AutoCloseable {
        boolean next();

        byte[] key();

        byte[] value();

        @Override
        void close();
    }
}
