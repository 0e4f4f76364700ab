package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/** Which metafiles a session writes: an index, the metafile itself is the truth. */
public final class OpenFiles {
    private static final byte TAG = 0x03;

    private OpenFiles() {}

    /** Metafiles that the session writes, so many at most. */
    public static List<Handle> of(ReadView view, long session, int limit) {
        List<Handle> files = new ArrayList<>();
        byte[] from = Keys.of(TAG, session);
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, from, Keys.endOf(from))) {
            while (files.size() < limit && cursor.next()) {
                files.add(new Handle(Keys.longAt(cursor.key(), 1 + Long.BYTES)));
            }
        }
        return files;
    }

    /** Of all sessions, counted up to a limit. */
    public static int count(ReadView view, int limit) {
        return count(view, Keys.of(TAG), limit);
    }

    /** Of one session, counted one by one. */
    static int countOf(ReadView view, long session) {
        return count(view, Keys.of(TAG, session), Integer.MAX_VALUE);
    }

    private static int count(ReadView view, byte[] prefix, int limit) {
        int count = 0;
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, prefix, Keys.endOf(prefix))) {
            while (count < limit && cursor.next()) {
                count++;
            }
        }
        return count;
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(TAG, session, metafile.value());
    }
}
