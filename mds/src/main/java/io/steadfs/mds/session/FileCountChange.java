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
 * How a decision changes the {@link FileCount} of one session. It is computed once for each decision. An operation with a
 * limit computes it and adds the record to its own. Otherwise the writer does it in {@link #rows}.
 *
 * <p>The change follows from the records and from one count row for each session. The counted rows are not read: each
 * FileOpened and FileUnlinked adds a row that did not exist, and each FileReleased and FileLinked removes one that existed.
 * There is one exception. If the count row cannot be read or would fall below zero, as a salvage may leave it, the
 * counted rows are read.
 *
 * @param wrong what was wrong with the count row, for people, if all rows had to be counted one by one
 */
public record FileCountChange(long session, FileCount before, FileCount after, Optional<String> wrong) {
    private static final int MOST_BYTES_TOLD = 32;

    /** The changes for sessions whose count changes and is not among the records yet. */
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

    /** The records of these changes. Used by the writer. */
    public static List<LogRecord> rows(List<LogRecord> records, ReadView before) {
        List<FileCountChange> changes = of(records, before);
        List<LogRecord> rows = new ArrayList<>(changes.size());
        changes.forEach(change -> rows.add(change.row()));
        return rows;
    }

    public FilesCounted row() {
        return new FilesCounted(session, after, wrong);
    }

    /** The changes by session. If a session is removed, its count is removed with it. */
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

    /** Computes the change from the counted rows alone. */
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

    /** The session's rows that the records change, and whether each row exists after them. */
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

    /** Describes a row that is not a valid count, for people. */
    static String text(byte[] value) {
        return value.length > MOST_BYTES_TOLD
                ? value.length + " bytes long"
                : "0x" + HexFormat.of().formatHex(value);
    }

    /** By how much a count changes. */
    private static final class Delta {
        private long written;
        private long unnamed;
    }

    /** One counted row. */
    private record Row(Handle metafile, boolean isUnnamed) {
        byte[] key(long session) {
            return isUnnamed ? UnlinkedFiles.key(session, metafile) : OpenFiles.key(session, metafile);
        }
    }
}
