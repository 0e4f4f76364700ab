package io.steadfs.mds.session;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.session.proto.OpenedRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** An index of the metafiles that each session writes. If the index and a metafile disagree, the metafile is right. */
public final class OpenFiles {
    private static final byte TAG = 0x03;

    /** Greatest length of a stored path, in characters. */
    public static final int MOST_PATH_CHARACTERS = 8_000;

    private OpenFiles() {}

    /**
     * A metafile that a session writes.
     *
     * @param path path at the time of opening, as the writer gave it; empty if unknown
     * @param openedMillis milliseconds since 1970; 0 = unknown
     */
    public record Opened(long session, Handle metafile, String path, long openedMillis) {}

    /**
     * A place in the order of the open files: by session, then by metafile.
     *
     * @param session id of the session; the id is secret
     */
    public record Place(long session, Handle metafile) {}

    /**
     * Open files of all sessions, ordered by session and metafile. The scan reads no row before the first returned row.
     *
     * @param after the place behind which the result begins; empty = from the start
     * @param limit the highest number of files to return
     */
    public static List<Opened> after(ReadView view, Optional<Place> after, int limit) {
        byte[] all = Keys.of(TAG);
        byte[] from = after.map(place -> Keys.after(key(place.session(), place.metafile())))
                .orElse(all);
        return after(view, ShardTables.SESSION, from, Keys.endOf(all), limit);
    }

    static List<Opened> after(ReadView view, Table table, byte[] from, byte[] to, int limit) {
        List<Opened> files = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(table, from, to)) {
            while (files.size() < limit && cursor.next()) {
                byte[] key = cursor.key();
                files.add(opened(Keys.longAt(key, 1), new Handle(Keys.longAt(key, 1 + Long.BYTES)), cursor.value()));
            }
        }
        return files;
    }

    static Opened opened(long session, Handle metafile, byte[] value) {
        OpenedRow row = decode(value);
        return new Opened(session, metafile, row.getPath(), row.getOpenedMillis());
    }

    /** Decodes a row. A value that cannot be decoded counts as unknown, because only people use the value. */
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

    /** Metafiles that the session writes, in handle order, but at most {@code limit}. */
    public static List<Handle> of(ReadView view, long session, int limit) {
        return of(view, ShardTables.SESSION, Keys.of(TAG, session), limit);
    }

    static List<Handle> of(ReadView view, Table table, byte[] from, int limit) {
        List<Handle> files = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(table, from, Keys.endOf(from))) {
            while (files.size() < limit && cursor.next()) {
                files.add(new Handle(Keys.longAt(cursor.key(), 1 + Long.BYTES)));
            }
        }
        return files;
    }

    /** Number of metafiles that one session writes, counted by a scan. */
    static long count(ReadView view, long session) {
        return Rows.count(view, ShardTables.SESSION, Keys.of(TAG, session));
    }

    /**
     * Number of metafiles that each session writes, counted by a scan. Sessions that write no metafile are left out.
     */
    static SortedMap<Long, Long> countEach(ReadView view) {
        return Rows.countEach(view, ShardTables.SESSION, TAG);
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(TAG, session, metafile.value());
    }
}
