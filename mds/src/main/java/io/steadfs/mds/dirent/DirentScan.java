package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.store.ReadView;

/** Entries met in hash order: call {@link #next} before the first. */
public final class DirentScan implements AutoCloseable {
    private final ReadView.Cursor cursor;
    private byte[] key = new byte[0];

    DirentScan(ReadView.Cursor cursor) {
        this.cursor = cursor;
    }

    public boolean next() {
        if (!cursor.next()) {
            return false;
        }
        key = cursor.key();
        return true;
    }

    public Handle directory() {
        return new Handle(Keys.longAt(key, 0));
    }

    public String name() {
        return DirentKey.nameIn(key);
    }

    /** The place right behind this entry. */
    public DirentPosition position() {
        return DirentPosition.ofKey(key);
    }

    public DirentRow row() {
        return Dirents.decode(key, cursor.value());
    }

    @Override
    public void close() {
        cursor.close();
    }
}
