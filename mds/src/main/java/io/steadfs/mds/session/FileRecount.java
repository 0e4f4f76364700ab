package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Compares the file counts of all sessions with the rows that they count. In a salvaged store a count may be too low,
 * too high or missing. A count may also belong to a session that no longer exists.
 */
public final class FileRecount {
    private FileRecount() {}

    /** Returns records that correct all wrong counts; empty if all counts are right. Scans every counted row once. */
    public static List<LogRecord> of(ReadView view) {
        Map<Long, Long> written = OpenFiles.countEach(view);
        Map<Long, Long> unnamed = UnlinkedFiles.countEach(view);
        SortedSet<Long> sessions = new TreeSet<>(FileCount.sessions(view));
        sessions.addAll(written.keySet());
        sessions.addAll(unnamed.keySet());
        List<LogRecord> records = new ArrayList<>();
        for (long session : sessions) {
            FileCount count = new FileCount(written.getOrDefault(session, 0L), unnamed.getOrDefault(session, 0L));
            Optional<byte[]> row = FileCount.row(view, session);
            if (view.get(ShardTables.SESSION, Sessions.key(session)).isEmpty()) {
                row.ifPresent(unused -> records.add(new SessionRemoved(session)));
            } else if (row.isEmpty() || !Arrays.equals(row.get(), count.encode())) {
                records.add(new FilesCounted(session, count, row.map(value -> wrong(session, value, count))));
            }
        }
        return records;
    }

    private static String wrong(long session, byte[] row, FileCount count) {
        String said = FileCount.decode(row)
                .map(before -> "says " + before)
                .orElseGet(() -> "is " + FileCountChange.text(row));
        return "the count of files of session " + Session.name(session) + " " + said
                + " when the shard starts; counted one by one it is " + count;
    }
}
