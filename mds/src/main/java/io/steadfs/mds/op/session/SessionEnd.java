package io.steadfs.mds.op.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.write.TakenFile;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.KeptRepliesDropped;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.RepliesPruned;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One limited step of ending a session that was closed or has expired. The first step marks the session as ended, so
 * that nothing more is done in its name. Each step handles some of the files that the session writes. Each step also
 * removes some of the replies that are kept for the session. A file that the session writes gets a higher write
 * generation, which shuts out late writes, and awaits recovery.
 *
 * @param records the records of the step
 * @param more whether another step is needed
 */
record SessionEnd(List<LogRecord> records, boolean more) {
    static final int FILES = 128;
    static final int REPLIES = 1024;

    static SessionEnd step(ReadView view, Session session) {
        List<LogRecord> records = new ArrayList<>();
        if (!session.ended()) {
            records.add(new SessionPut(session.withEnd()));
        }
        List<Handle> files = OpenFiles.of(view, session.id(), FILES);
        for (Handle file : files) {
            Optional<MetafileRow> row =
                    Metafiles.find(view, file).filter(found -> found.getWriterSession() == session.id());
            if (row.isPresent()) {
                records.addAll(TakenFile.from(file, row.get(), view));
            } else {
                records.add(new FileReleased(session.id(), file));
            }
        }
        List<Handle> claims = Claims.of(view, session.id(), FILES);
        for (Handle file : claims) {
            records.add(new ClaimEnded(session.id(), file));
        }
        // Request ids are positive, so the range from 0 to Long.MAX_VALUE has all of them.
        List<Leg> replies = RecordedReplies.legs(view, session.id(), 0, Long.MAX_VALUE, REPLIES);
        if (!replies.isEmpty()) {
            records.add(new RepliesPruned(session.id(), replies));
        }
        List<Leg> kept = RecordedReplies.volatileLegs(view, session.id(), 0, Long.MAX_VALUE, REPLIES);
        if (!kept.isEmpty()) {
            records.add(new KeptRepliesDropped(session.id(), kept));
        }
        return new SessionEnd(
                records,
                files.size() == FILES || claims.size() == FILES || replies.size() == REPLIES || kept.size() == REPLIES);
    }
}
