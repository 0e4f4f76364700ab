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

    /**
     * What was worked out from rows and {@linkplain #keep kept}, if it is true of this state.
     *
     * @param question equal for the same thing, and for nothing else
     */
    default Optional<Derived> kept(Object question) {
        return Optional.empty();
    }

    /**
     * Lets others have what was worked out from this state, as long as it holds. A view may keep nothing.
     *
     * @param sources every row that would make it another if it changed
     */
    default void keep(Object question, Derived derived, Sources sources) {}

    /** Whether it may keep anything, so that it is worth while to ask and to say from what something was worked out. */
    default boolean keepsDerived() {
        return false;
    }

    /** Rows met in order: call {@link #next} before the first. */
    interface Cursor extends AutoCloseable {
        boolean next();

        byte[] key();

        byte[] value();

        @Override
        void close();
    }
}
