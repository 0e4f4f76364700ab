package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many metafiles of this shard a session holds: what {@link OpenFiles} and {@link UnlinkedFiles} have of it, kept so
 * that a limit costs no scan.
 *
 * <pre>
 *  key    0x06, session 8
 *  value  written 8, unnamed 8
 * </pre>
 *
 * A session without the row has what a scan counts; the row is there from the first change on.
 *
 * @param written metafiles that it writes
 * @param unnamed metafiles that it made and that have no name, as far as this shard knows
 */
public record FileCount(long written, long unnamed) {
    private static final byte TAG = 0x06;

    public FileCount {
        if (written < 0 || unnamed < 0) {
            throw new IllegalStateException(
                    "a session would write " + written + " metafiles and have " + unnamed + " without a name");
        }
    }

    public static FileCount of(ReadView view, long session) {
        return view.get(ShardTables.SESSION, key(session))
                .map(value -> decode(session, value))
                .orElseGet(() -> new FileCount(OpenFiles.countOf(view, session), UnlinkedFiles.countOf(view, session)));
    }

    /** Of each session whose count these records change, what it is after them. */
    public static Map<Long, FileCount> after(List<LogRecord> records, ReadView before) {
        Map<Row, Boolean> rows = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof FileOpened opened) {
                rows.put(new Row(opened.session(), opened.metafile(), false), true);
            } else if (each instanceof FileReleased released) {
                rows.put(new Row(released.session(), released.metafile(), false), false);
            } else if (each instanceof FileUnlinked unlinked) {
                rows.put(new Row(unlinked.session(), unlinked.metafile(), true), true);
            } else if (each instanceof FileLinked linked) {
                rows.put(new Row(linked.session(), linked.metafile(), true), false);
            }
        }
        Map<Long, FileCount> counts = new LinkedHashMap<>();
        rows.forEach((row, isThere) -> {
            if (isThere != before.get(ShardTables.SESSION, row.key()).isPresent()) {
                FileCount count =
                        Optional.ofNullable(counts.get(row.session())).orElseGet(() -> of(before, row.session()));
                counts.put(row.session(), count.changed(row.isUnnamed(), isThere ? 1 : -1));
            }
        });
        return counts;
    }

    /** Records of the counts that change with these; for the writer. A session that goes takes its count along. */
    public static List<LogRecord> changes(List<LogRecord> records, ReadView before) {
        Map<Long, FileCount> counts = after(records, before);
        for (LogRecord each : records) {
            if (each instanceof SessionRemoved removed) {
                counts.remove(removed.session());
            }
        }
        List<LogRecord> changes = new ArrayList<>(counts.size());
        counts.forEach((session, count) -> changes.add(new FilesCounted(session, count)));
        return changes;
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

    private FileCount changed(boolean ofUnnamed, int more) {
        return ofUnnamed ? new FileCount(written, unnamed + more) : new FileCount(written + more, unnamed);
    }

    static byte[] key(long session) {
        return Keys.of(TAG, session);
    }

    byte[] encode() {
        byte[] value = new byte[2 * Long.BYTES];
        Keys.putLong(value, 0, written);
        Keys.putLong(value, Long.BYTES, unnamed);
        return value;
    }

    private static FileCount decode(long session, byte[] value) {
        if (value.length != 2 * Long.BYTES) {
            throw new IllegalStateException("the count of files of session " + Session.name(session) + " has "
                    + value.length + " bytes, not " + 2 * Long.BYTES);
        }
        return new FileCount(Keys.longAt(value, 0), Keys.longAt(value, Long.BYTES));
    }

    /** One counted row. */
    private record Row(long session, Handle metafile, boolean isUnnamed) {
        byte[] key() {
            return isUnnamed ? UnlinkedFiles.key(session, metafile) : OpenFiles.key(session, metafile);
        }
    }
}
