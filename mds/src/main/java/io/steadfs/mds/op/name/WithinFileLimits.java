package io.steadfs.mds.op.name;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.ClaimCount;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.ClaimsCounted;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.FileCountChange;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.Session;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Wraps an operation that gives the caller's session one more file. The wrapper refuses the operation if the session
 * would have too many files. For too many open files, the error is TOO_LARGE, because the client can close files. For
 * too many files without a name, the error is BUSY, because some of them may soon be known to have a name.
 *
 * <p>The limits apply to the result of the decision. So an operation that makes no file on this shard is not refused.
 * The wrapper adds the new counts to the decision, so that the writer does not count again.
 */
public final class WithinFileLimits<Q extends MessageLite> implements Operation<Q> {
    private final Kind kind;
    private final FileLimits most;
    private final Operation<Q> operation;

    public WithinFileLimits(Kind kind, FileLimits most, Operation<Q> operation) {
        this.kind = kind;
        this.most = most;
        this.operation = operation;
    }

    @Override
    public Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs) {
        Decision<Reply> decision = operation.decide(request, principal, view, inputs);
        List<FileCountChange> changes = FileCountChange.of(decision.records(), view);
        List<ClaimsCounted> claims = ClaimCount.of(decision.records(), view);
        if (changes.isEmpty() && claims.isEmpty()) {
            return decision;
        }
        Optional<Reply> refusal = refusal(changes, claims, principal.session(), view, inputs.shard());
        if (refusal.isPresent()) {
            return Decision.of(refusal.get());
        }
        List<LogRecord> records = new ArrayList<>(decision.records().size() + changes.size() + claims.size());
        records.addAll(decision.records());
        changes.forEach(change -> records.add(change.row()));
        records.addAll(claims);
        return new Decision<>(records, decision.answer());
    }

    /**
     * The refusal if a count of the session rises above its limit; otherwise empty. A count that does not rise may stay
     * above its limit, for example after the limit was lowered.
     */
    private Optional<Reply> refusal(
            List<FileCountChange> changes, List<ClaimsCounted> claims, long session, ReadView view, int shard) {
        Optional<FileCountChange> change =
                changes.stream().filter(each -> each.session() == session).findFirst();
        Optional<ClaimsCounted> claim =
                claims.stream().filter(each -> each.session() == session).findFirst();
        if (change.isEmpty() && claim.isEmpty()) {
            return Optional.empty();
        }
        FileCount before = change.map(FileCountChange::before).orElseGet(() -> FileCount.known(view, session));
        FileCount after = change.map(FileCountChange::after).orElse(before);
        long claimed = Claims.count(view, session);
        long openBefore = before.written() + claimed;
        long openAfter = after.written() + claim.map(ClaimsCounted::count).orElse(claimed);
        if (openAfter > most.written() && openAfter > openBefore) {
            return Optional.of(Reply.refused(
                    kind,
                    FsError.TOO_LARGE,
                    "session " + Session.name(session) + " has " + openBefore + " files of shard " + shard
                            + " open, at most " + most.written() + " are allowed (" + FileLimits.WRITTEN.name()
                            + "): close some first"));
        }
        if (after.unnamed() > most.unnamed() && after.unnamed() > before.unnamed()) {
            return Optional.of(Reply.refused(
                    kind,
                    FsError.BUSY,
                    "session " + Session.name(session) + " made " + before.unnamed() + " files of shard " + shard
                            + " that have no name yet, at most " + most.unnamed() + " are allowed ("
                            + FileLimits.UNNAMED.name() + ")"));
        }
        return Optional.empty();
    }
}
