package io.steadfs.store.rocks;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.NoSuchElementException;

/** An empty range: the end does not lie after the beginning. */
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
