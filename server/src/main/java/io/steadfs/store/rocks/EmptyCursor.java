package io.steadfs.store.rocks;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.NoSuchElementException;

/** A cursor over an empty range. */
record EmptyCursor(Table table) implements ReadView.Cursor {
    @Override
    public boolean next() {
        return false;
    }

    @Override
    public byte[] key() {
        throw new NoSuchElementException("cursor over table " + table.name() + " stands on no row");
    }

    @Override
    public byte[] value() {
        throw new NoSuchElementException("cursor over table " + table.name() + " stands on no row");
    }

    @Override
    public void close() {}
}
