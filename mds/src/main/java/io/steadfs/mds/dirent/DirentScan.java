package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.store.ReadView;

/** Entries of a directory in hash order. Call {@link #next} before reading the first entry. */
public final class DirentScan implements AutoCloseable {
    private final ReadView.Cursor cursor;
    private byte[] key = new byte[0];
    private byte[] before = key;

    DirentScan(ReadView.Cursor cursor) {
        this.cursor = cursor;
    }

    public boolean next() {
        if (!cursor.next()) {
            return false;
        }
        before = key;
        key = cursor.key();
        return true;
    }

    public Handle directory() {
        return new Handle(Keys.longAt(key, 0));
    }

    public String name() {
        return DirentKey.nameIn(key);
    }

    public DirentKey dirent() {
        return DirentKey.ofRow(key);
    }

    /**
     * The place directly behind the entry that was current before the last call of {@link #next}. This method must not
     * be called at the first entry.
     */
    public DirentPosition positionBefore() {
        return DirentPosition.ofKey(before);
    }

    public DirentRow row() {
        return Dirents.decode(key, cursor.value());
    }

    @Override
    public void close() {
        cursor.close();
    }
}
