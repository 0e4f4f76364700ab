package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

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

    /** Of one session, counted one by one. */
    static long count(ReadView view, long session) {
        return Rows.count(view, ShardTables.SESSION, Keys.of(TAG, session));
    }

    /** Of each session that has any, counted one by one. */
    static SortedMap<Long, Long> countEach(ReadView view) {
        return Rows.countEach(view, ShardTables.SESSION, TAG);
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(TAG, session, metafile.value());
    }
}
