package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a decision changes the {@link FileCount} of one session. The change is computed once for each decision. An
 * operation with a limit computes the change and adds its record to the records of the decision. For all other
 * operations the writer adds the record with {@link #rows}.
 *
 * <p>The change is computed from the records and from the session's count row. Each FileOpened and each FileUnlinked
 * adds a row that did not exist. Each FileReleased and each FileLinked removes a row that existed. So the counted rows
 * need not be read. The counted rows are read only if a salvage left a count row that is unreadable or would fall below
 * zero.
 *
 * @param wrong describes a wrong count row in a text for people; empty if the count row was right
 */
public record FileCountChange(long session, FileCount before, FileCount after, Optional<String> wrong) {
    private static final int MOST_BYTES_TOLD = 32;

    /**
     * Returns the changes of all sessions whose counts change. Sessions whose new count is already among the records
     * are left out.
     */
    public static List<FileCountChange> of(List<LogRecord> records, ReadView before) {
        Map<Long, Delta> deltas = deltas(records);
        List<FileCountChange> changes = new ArrayList<>(deltas.size());
        deltas.forEach((session, delta) -> {
            if (delta.written != 0 || delta.unnamed != 0) {
                changes.add(of(session, delta, records, before));
            }
        });
        return changes;
    }

    /** Returns the records of the changes, for the writer. */
    public static List<LogRecord> rows(List<LogRecord> records, ReadView before) {
        List<FileCountChange> changes = of(records, before);
        List<LogRecord> rows = new ArrayList<>(changes.size());
        changes.forEach(change -> rows.add(change.row()));
        return rows;
    }

    public FilesCounted row() {
        return new FilesCounted(session, after, wrong);
    }

    /**
     * Returns the changes by session. A session that the records remove is left out, because its count row is removed
     * with it.
     */
    private static Map<Long, Delta> deltas(List<LogRecord> records) {
        Map<Long, Delta> deltas = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof FileOpened opened) {
                delta(deltas, opened.session()).written++;
            } else if (each instanceof FileReleased released) {
                delta(deltas, released.session()).written--;
            } else if (each instanceof FileUnlinked unlinked) {
                delta(deltas, unlinked.session()).unnamed++;
            } else if (each instanceof FileLinked linked) {
                delta(deltas, linked.session()).unnamed--;
            }
        }
        if (!deltas.isEmpty()) {
            for (LogRecord each : records) {
                if (each instanceof SessionRemoved removed) {
                    deltas.remove(removed.session());
                } else if (each instanceof FilesCounted counted) {
                    deltas.remove(counted.session());
                }
            }
        }
        return deltas;
    }

    private static Delta delta(Map<Long, Delta> deltas, long session) {
        return deltas.computeIfAbsent(session, unused -> new Delta());
    }

    private static FileCountChange of(long session, Delta delta, List<LogRecord> records, ReadView view) {
        Optional<byte[]> row = FileCount.row(view, session);
        Optional<FileCount> count = row.flatMap(FileCount::decode);
        if (row.isPresent() && count.isEmpty()) {
            return recounted(session, records, view, "is " + text(row.get()));
        }
        FileCount before = count.orElseGet(() -> FileCount.scan(view, session));
        long written = before.written() + delta.written;
        long unnamed = before.unnamed() + delta.unnamed;
        if (written < 0 || unnamed < 0) {
            return recounted(
                    session,
                    records,
                    view,
                    "says " + before + ", which cannot change by " + delta.written + " and " + delta.unnamed);
        }
        return new FileCountChange(session, before, new FileCount(written, unnamed), Optional.empty());
    }

    /** Computes the change by reading the counted rows. */
    private static FileCountChange recounted(long session, List<LogRecord> records, ReadView view, String why) {
        FileCount before = FileCount.scan(view, session);
        long written = before.written();
        long unnamed = before.unnamed();
        for (Map.Entry<Row, Boolean> each : counted(session, records).entrySet()) {
            Row row = each.getKey();
            boolean isThere = each.getValue();
            if (isThere != view.get(ShardTables.SESSION, row.key(session)).isPresent()) {
                int more = isThere ? 1 : -1;
                written += row.isUnnamed() ? 0 : more;
                unnamed += row.isUnnamed() ? more : 0;
            }
        }
        FileCount after = new FileCount(written, unnamed);
        return new FileCountChange(
                session,
                before,
                after,
                Optional.of("the count of files of session " + Session.name(session) + " " + why
                        + "; counted one by one it was " + before + ", and is now " + after));
    }

    /** The session's rows that the records change. The map's value says whether the row exists after the change. */
    private static Map<Row, Boolean> counted(long session, List<LogRecord> records) {
        Map<Row, Boolean> rows = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof FileOpened opened && opened.session() == session) {
                rows.put(new Row(opened.metafile(), false), true);
            } else if (each instanceof FileReleased released && released.session() == session) {
                rows.put(new Row(released.metafile(), false), false);
            } else if (each instanceof FileUnlinked unlinked && unlinked.session() == session) {
                rows.put(new Row(unlinked.metafile(), true), true);
            } else if (each instanceof FileLinked linked && linked.session() == session) {
                rows.put(new Row(linked.metafile(), true), false);
            }
        }
        return rows;
    }

    /** Describes the bytes of a row that is not a valid count, for people. */
    static String text(byte[] value) {
        return value.length > MOST_BYTES_TOLD
                ? value.length + " bytes long"
                : "0x" + HexFormat.of().formatHex(value);
    }

    /** The difference between a session's new count and its old count. */
    private static final class Delta {
        private long written;
        private long unnamed;
    }

    /** Names one counted row of a session. */
    private record Row(Handle metafile, boolean isUnnamed) {
        byte[] key(long session) {
            return isUnnamed ? UnlinkedFiles.key(session, metafile) : OpenFiles.key(session, metafile);
        }
    }
}
