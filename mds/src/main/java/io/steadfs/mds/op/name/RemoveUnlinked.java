package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes files that an ended session made without a name. No other shard can give the files a name any more, as
 * {@link io.steadfs.mds.duty.SessionFence} has made sure. If this shard has learned of a file's name meanwhile, the
 * file stays. Answers how many files were removed.
 */
public final class RemoveUnlinked extends InternalCommand<Integer> {
    private final long session;
    private final List<Handle> files;

    public RemoveUnlinked(long session, List<Handle> files) {
        this.session = session;
        this.files = List.copyOf(files);
    }

    @Override
    public Decision<Integer> decide(ReadView view, Inputs inputs) {
        Optional<Session> found = Sessions.find(view, session);
        if (found.isPresent() && !found.get().ended()) {
            throw new IllegalStateException("session " + Session.name(session) + " was fenced and has not ended");
        }
        List<LogRecord> records = new ArrayList<>();
        int removed = 0;
        for (Handle file : files) {
            Optional<MetafileRow> row = Metafiles.find(view, file);
            if (row.isPresent() && row.get().getUnlinkedSession() == session) {
                Removal.file(new FileNode(file, row.get()), view, records);
                removed++;
            } else if (UnlinkedFiles.has(view, session, file)) {
                records.add(new FileLinked(session, file));
            }
        }
        if (found.isEmpty()) {
            // Without this record, the removals would leave a count for the session, and nobody would remove the count.
            records.add(new SessionRemoved(session));
        }
        return new Decision<>(records, removed);
    }
}
