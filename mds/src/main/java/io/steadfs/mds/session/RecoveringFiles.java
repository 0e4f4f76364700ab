package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * The metafiles that lost their writer and await recovery. A row may outlive its metafile. Recovery removes a row whose
 * metafile no longer exists.
 */
public final class RecoveringFiles {
    private static final byte TAG = 0x04;

    private RecoveringFiles() {}

    /**
     * Metafiles that await recovery, in handle order, but at most {@code limit}.
     *
     * @param previous the metafile behind which the result begins; {@link Handle#NONE} = from the start
     */
    public static List<Handle> after(ReadView view, Handle previous, int limit) {
        List<Handle> files = new ArrayList<>();
        byte[] from = Keys.after(key(previous));
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, from, Keys.endOf(Keys.of(TAG)))) {
            while (files.size() < limit && cursor.next()) {
                files.add(new Handle(Keys.longAt(cursor.key(), 1)));
            }
        }
        return files;
    }

    static byte[] key(Handle metafile) {
        return Keys.of(TAG, metafile.value());
    }
}
