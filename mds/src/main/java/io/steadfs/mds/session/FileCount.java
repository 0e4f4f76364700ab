package io.steadfs.mds.session;

import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts the metafiles of this shard that a session holds. The counted rows are the session's rows in {@link OpenFiles}
 * and {@link UnlinkedFiles}. The shard keeps the counts so that a limit or a gauge needs no scan of the counted rows.
 *
 * <pre>
 *  key    0x06, session 8
 *  value  written 8, unnamed 8
 * </pre>
 *
 * If a session has no count row, a scan counts its files. The count row exists from the first change on, or from the
 * next start of the shard. {@link FileCountChange} changes the count row. {@link FileRecount} corrects the count row
 * when the shard starts.
 *
 * @param written number of metafiles that the session writes
 * @param unnamed number of metafiles that the session made and that, as far as this shard knows, have no name
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

    /**
     * The session's count. The count is read from the count row, or counted by a scan if the count row is missing or
     * unreadable.
     */
    public static FileCount of(ReadView view, long session) {
        return row(view, session).flatMap(FileCount::decode).orElseGet(() -> scan(view, session));
    }

    /**
     * The session's count without a scan. The start of the shard makes every count row that is missing. So a session
     * without a count row has no files.
     */
    public static FileCount known(ReadView view, long session) {
        return row(view, session)
                .map(value -> decode(value).orElseGet(() -> scan(view, session)))
                .orElse(new FileCount(0, 0));
    }

    /**
     * The sum of the count rows of at most the given number of sessions. A count row that cannot be read adds nothing.
     * If the sum is above Long.MAX_VALUE, the result is Long.MAX_VALUE; true counts never get so high.
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

    /** Sessions that have a count row. */
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

    /** Counts the files of a session by a scan. */
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

    /** Decodes a count row; empty if the bytes are not a valid count. */
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
