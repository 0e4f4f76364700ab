package io.steadfs.mds.session;

import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many metafiles of this shard a session holds, that is, the number of its rows in {@link OpenFiles} and {@link
 * UnlinkedFiles}. The count is kept so that neither a limit nor a gauge needs a scan of these rows.
 *
 * <pre>
 *  key    0x06, session 8
 *  value  written 8, unnamed 8
 * </pre>
 *
 * If a session has no such row, a scan counts. The row exists from the first change on, or from the next start of the shard.
 * {@link FileCountChange} changes it. {@link FileRecount} corrects it when the shard starts.
 *
 * @param written metafiles that the session writes
 * @param unnamed metafiles that the session made and that have no name, as far as this shard knows
 */
public record FileCount(long written, long unnamed) {
    private static final byte TAG = 0x06;
    private static final int BYTES = 2 * Long.BYTES;

    public FileCount {
        if (written < 0 || unnamed < 0) {
            throw new IllegalStateException(
                    "a session would write " + written + " metafiles and have " + unnamed + " without a name");
        }
    }

    /** The count in the row, or the result of a scan if there is no readable row. */
    public static FileCount of(ReadView view, long session) {
        return row(view, session).flatMap(FileCount::decode).orElseGet(() -> scan(view, session));
    }

    /**
     * The sum of the rows of at most this number of sessions. A row that cannot be read adds nothing. A sum above
     * Long.MAX_VALUE, which true counts never reach, is returned as Long.MAX_VALUE.
     */
    public static FileCount sum(ReadView view, int sessions) {
        long written = 0;
        long unnamed = 0;
        byte[] prefix = Keys.of(TAG);
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, prefix, Keys.endOf(prefix))) {
            for (int met = 0; met < sessions && cursor.next(); met++) {
                Optional<FileCount> count = decode(cursor.value());
                written = sum(written, count.map(FileCount::written).orElse(0L));
                unnamed = sum(unnamed, count.map(FileCount::unnamed).orElse(0L));
            }
        }
        return new FileCount(written, unnamed);
    }

    private static long sum(long some, long more) {
        return some > Long.MAX_VALUE - more ? Long.MAX_VALUE : some + more;
    }

    /** Sessions that have the row. */
    public static List<Long> sessions(ReadView view) {
        List<Long> sessions = new ArrayList<>();
        byte[] prefix = Keys.of(TAG);
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, prefix, Keys.endOf(prefix))) {
            while (cursor.next()) {
                sessions.add(Keys.longAt(cursor.key(), 1));
            }
        }
        return sessions;
    }

    static Optional<byte[]> row(ReadView view, long session) {
        return view.get(ShardTables.SESSION, key(session));
    }

    /** The count of a session, counted one by one. */
    static FileCount scan(ReadView view, long session) {
        return new FileCount(OpenFiles.count(view, session), UnlinkedFiles.count(view, session));
    }

    static byte[] key(long session) {
        return Keys.of(TAG, session);
    }

    byte[] encode() {
        byte[] value = new byte[BYTES];
        Keys.putLong(value, 0, written);
        Keys.putLong(value, Long.BYTES, unnamed);
        return value;
    }

    /** The count; empty if the bytes are not a valid count. */
    static Optional<FileCount> decode(byte[] value) {
        if (value.length != BYTES) {
            return Optional.empty();
        }
        long written = Keys.longAt(value, 0);
        long unnamed = Keys.longAt(value, Long.BYTES);
        return written < 0 || unnamed < 0 ? Optional.empty() : Optional.of(new FileCount(written, unnamed));
    }

    @Override
    public String toString() {
        return written + " written, " + unnamed + " without a name";
    }
}
