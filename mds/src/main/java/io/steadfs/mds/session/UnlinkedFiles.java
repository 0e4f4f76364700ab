package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An index of the metafiles of this shard that were made without a name. A metafile leaves the index after the shard
 * learns that the metafile has a name. The index is ordered by the session that made the metafile. If the index and a
 * metafile disagree, the metafile is right.
 */
public final class UnlinkedFiles {
    private static final byte TAG = 0x05;

    private UnlinkedFiles() {}

    /** Some metafiles without a name that one session made. */
    public record Group(long session, List<Handle> files) {
        public Group {
            files = List.copyOf(files);
        }
    }

    /**
     * The first metafiles without a name of the first session that has any, but at most {@code limit}.
     *
     * @param session lowest session id to look at, as an unsigned number; 0 = from the start
     */
    public static Optional<Group> from(ReadView view, long session, int limit) {
        return first(view, Keys.of(TAG, session), limit);
    }

    /**
     * Metafiles without a name that the session made, in handle order, but at most {@code limit}.
     *
     * @param previous the metafile behind which the result begins
     */
    public static Optional<Group> after(ReadView view, long session, Handle previous, int limit) {
        return first(view, Keys.after(key(session, previous)), limit).filter(group -> group.session() == session);
    }

    /** Whether the session made a metafile that has no name. */
    public static boolean hasAny(ReadView view, long session) {
        return from(view, session, 1)
                .filter(group -> group.session() == session)
                .isPresent();
    }

    /** Whether the session made the metafile and the metafile has no name. */
    public static boolean has(ReadView view, long session, Handle metafile) {
        return view.get(ShardTables.SESSION, key(session, metafile)).isPresent();
    }

    /** Number of metafiles without a name that one session made, counted by a scan. */
    static long count(ReadView view, long session) {
        return Rows.count(view, ShardTables.SESSION, Keys.of(TAG, session));
    }

    /**
     * Number of metafiles without a name that each session made, counted by a scan. Sessions without such metafiles are
     * left out.
     */
    static SortedMap<Long, Long> countEach(ReadView view) {
        return Rows.countEach(view, ShardTables.SESSION, TAG);
    }

    private static Optional<Group> first(ReadView view, byte[] from, int limit) {
        List<Handle> files = new ArrayList<>();
        long session = 0;
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, from, Keys.endOf(Keys.of(TAG)))) {
            while (files.size() < limit && cursor.next()) {
                long owner = Keys.longAt(cursor.key(), 1);
                if (files.isEmpty()) {
                    session = owner;
                } else if (owner != session) {
                    break;
                }
                files.add(new Handle(Keys.longAt(cursor.key(), 1 + Long.BYTES)));
            }
        }
        return files.isEmpty() ? Optional.empty() : Optional.of(new Group(session, files));
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(TAG, session, metafile.value());
    }
}
