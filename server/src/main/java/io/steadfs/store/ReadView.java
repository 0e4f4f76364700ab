package io.steadfs.store;

import java.util.Optional;

/** Reads the rows of a state. Returned arrays belong to the caller. */
public interface ReadView {
    Optional<byte[]> get(Table table, byte[] key);

    /**
     * Reads the rows of a range in key order. The caller closes the cursor. If a row changes while the cursor is open,
     * the cursor may or may not show the change.
     *
     * @param from the first key of the range, inclusive
     * @param to the end of the range, exclusive
     */
    Cursor scan(Table table, byte[] from, byte[] to);

    /**
     * A view of the newest committed state, for the views of a {@link VolatileTables}. Other views return themselves.
     */
    default ReadView newest() {
        return this;
    }

    /**
     * Returns a result that a reader kept by {@link #keep}, if the result is valid for this state.
     *
     * @param question identifies the result. Two questions are equal exactly if they ask for the same result
     */
    default Optional<Derived> kept(Object question) {
        return Optional.empty();
    }

    /**
     * Offers a result that was derived from this state. The view may keep the result for other readers while the result
     * is valid.
     *
     * @param sources all rows whose change could change the result
     */
    default void keep(Object question, Derived derived, Sources sources) {}

    /**
     * Whether this view may keep results. If a view keeps no results, callers need not ask for results or record
     * sources.
     */
    default boolean keepsDerived() {
        return false;
    }

    /**
     * A store whose committed state now has the same rows of the table as this view; empty if none is known. So a view
     * that keeps no results can use those of the store.
     */
    default Optional<Store> sameIn(Table table) {
        return Optional.empty();
    }

    /** Reads rows one by one. Call {@link #next} before the first row. */
    interface Cursor extends AutoCloseable {
        boolean next();

        byte[] key();

        byte[] value();

        @Override
        void close();
    }
}
