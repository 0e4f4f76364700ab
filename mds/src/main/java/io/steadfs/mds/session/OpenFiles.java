package io.steadfs.mds.session;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.session.proto.OpenedRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** An index of the metafiles that each session writes. If the index and the metafile differ, the metafile is right. */
public final class OpenFiles {
    private static final byte TAG = 0x03;

    /** Greatest length of a stored path, in characters. */
    public static final int MOST_PATH_CHARACTERS = 8_000;

    private OpenFiles() {}

    /**
     * A metafile that a session writes.
     *
     * @param path path at the time of opening, as the writer gave it; empty if not known
     * @param openedMillis since 1970; 0 = not known
     */
    public record Opened(long session, Handle metafile, String path, long openedMillis) {}

    /**
     * A place in the order in which the open files are kept.
     *
     * @param session id of the session, which must be told to nobody
     */
    public record Place(long session, Handle metafile) {}

    /**
     * Open files of all sessions, ordered by session and metafile. Rows before the first returned one are not read.
     *
     * @param after the place behind which they begin; empty = from the start
     * @param limit the greatest number of files returned
     */
    public static List<Opened> after(ReadView view, Optional<Place> after, int limit) {
        List<Opened> files = new ArrayList<>();
        byte[] all = Keys.of(TAG);
        byte[] from = after.map(place -> Keys.after(key(place.session(), place.metafile())))
                .orElse(all);
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, from, Keys.endOf(all))) {
            while (files.size() < limit && cursor.next()) {
                OpenedRow row = decode(cursor.value());
                files.add(new Opened(
                        Keys.longAt(cursor.key(), 1),
                        new Handle(Keys.longAt(cursor.key(), 1 + Long.BYTES)),
                        row.getPath(),
                        row.getOpenedMillis()));
            }
        }
        return files;
    }

    /** Only people use this value, so a value that cannot be decoded counts as unknown. */
    private static OpenedRow decode(byte[] value) {
        try {
            return OpenedRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            return OpenedRow.getDefaultInstance();
        }
    }

    static byte[] value(String path, long openedMillis) {
        return OpenedRow.newBuilder()
                .setPath(path.substring(0, Math.min(path.length(), MOST_PATH_CHARACTERS)))
                .setOpenedMillis(openedMillis)
                .build()
                .toByteArray();
    }

    /** Metafiles that the session writes, but not more than the limit. */
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

    /** Number of metafiles that one session writes, counted one by one. */
    static long count(ReadView view, long session) {
        return Rows.count(view, ShardTables.SESSION, Keys.of(TAG, session));
    }

    /** Number of metafiles that each session writes, counted one by one. Sessions without any are left out. */
    static SortedMap<Long, Long> countEach(ReadView view) {
        return Rows.countEach(view, ShardTables.SESSION, TAG);
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(TAG, session, metafile.value());
    }
}
