package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.session.UnlinkedRemoval;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.FenceSessionsReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Removes files that an ended session made without a name and that can never get one. The decision needs an answer of
 * every other shard. Each other shard must have fenced the session, and must say which of the files have a name. A server
 * that has no cluster map yet does not know the other shards. Until the map comes, no file is removed.
 *
 * <p>The shard of a name decides a link and tells the shard of the metafile later. Any shard may be the shard of the
 * name. So a file that looks unlinked here is in one of three states:
 *
 * <ul>
 *   <li>The file has a name, and the notice about the name is on its way.
 *   <li>The file may still get a name from a link that is on its way.
 *   <li>The file will never get a name.
 * </ul>
 *
 * The fence tells these states apart. Each other shard durably ends the session by a command of its writer. The shard
 * answers for which of the files its outbox holds a notice. Let f be a file that a shard does not name in its answer:
 *
 * <ul>
 *   <li>No later decision of that shard links f. The session has ended on that shard, and an ended session is refused
 *       forever.
 *   <li>If an earlier decision of that shard linked f, the same batch put a notice into the outbox. The outbox no
 *       longer holds the notice, so this shard has acknowledged the notice. This shard acknowledged the notice only
 *       after its own row of f said that f is linked.
 * </ul>
 *
 * A shard that was added after the session had ended needs no fence. It does not know the session, so it asks the
 * session's home, and the home says that the session has ended. So "all shards" are those that there were at any moment
 * after the session had ended.
 *
 * <p>So after all shards have answered, <b>f has a name only if a shard named f or this shard's row of f says so</b>. The
 * decision reads this row after the answers, in the batch that removes f. An answer never becomes wrong, so an old
 * answer is as good as a new one.
 */
public final class RemoveUnlinked extends InternalCommand<UnlinkedRemoval> {
    private final long session;
    private final List<Handle> files;
    private final int confirmedShards;

    /**
     * @param files some of the session's files; at most as many as FENCE_SESSIONS takes
     * @param confirmedShards the number of all shards at a moment after the session had ended
     */
    public RemoveUnlinked(long session, List<Handle> files, int confirmedShards) {
        this.session = session;
        this.files = List.copyOf(files);
        this.confirmedShards = confirmedShards;
    }

    @Override
    public Decision<UnlinkedRemoval> decide(ReadView view, Inputs inputs) {
        Optional<Session> found = Sessions.find(view, session);
        if (found.isPresent() && !found.get().ended()) {
            throw new IllegalStateException("session " + Session.name(session) + " has not ended");
        }
        if (inputs.shard() >= confirmedShards) {
            String unknown = confirmedShards + " shards were counted without shard " + inputs.shard()
                    + ", so not all shards are known";
            return Decision.of(new UnlinkedRemoval(0, Optional.of(unknown)));
        }
        int namedHome = found.map(Session::namedHome).orElse(0);
        Set<Handle> linkedElsewhere = new HashSet<>();
        for (Map.Entry<Integer, Reply> each : ofOtherShards(namedHome, inputs).entrySet()) {
            Reply reply = each.getValue();
            if (!(reply.isOk() && reply.body() instanceof FenceSessionsReply fenced)) {
                String refusal = "shard " + each.getKey() + " answered " + reply.error() + ", "
                        + reply.header().getMessage();
                return Decision.of(new UnlinkedRemoval(0, Optional.of(refusal)));
            }
            fenced.getLinkedList().forEach(file -> linkedElsewhere.add(new Handle(file)));
        }
        return remove(linkedElsewhere, found.isEmpty(), view);
    }

    /** The answers of all other shards, by shard number. */
    private Map<Integer, Reply> ofOtherShards(int namedHome, Inputs inputs) {
        Map<Integer, Reply> replies = new TreeMap<>();
        Set<Need> missing = new LinkedHashSet<>();
        for (int shard = 0; shard < confirmedShards; shard++) {
            if (shard != inputs.shard()) {
                Need need = Facts.fence(shard, session, namedHome, files);
                Optional<Reply> reply = inputs.peerAnswers().find(need);
                if (reply.isPresent()) {
                    replies.put(shard, reply.get());
                } else {
                    missing.add(need);
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new Missing(missing);
        }
        return replies;
    }

    private Decision<UnlinkedRemoval> remove(Set<Handle> linkedElsewhere, boolean sessionIsGone, ReadView view) {
        List<LogRecord> records = new ArrayList<>();
        int removed = 0;
        for (Handle file : files) {
            Optional<MetafileRow> row = Metafiles.find(view, file);
            boolean isNameless = row.isPresent() && row.get().getUnlinkedSession() == session;
            if (isNameless && !linkedElsewhere.contains(file)) {
                Removal.file(new FileNode(file, row.get()), view, records);
                removed++;
            } else if (!isNameless && UnlinkedFiles.has(view, session, file)) {
                records.add(new FileLinked(session, file));
            }
        }
        if (sessionIsGone) {
            // Without this record, the removals would leave a count for the session, and nobody would remove the count.
            records.add(new SessionRemoved(session));
        }
        return new Decision<>(records, new UnlinkedRemoval(removed, Optional.empty()));
    }
}
