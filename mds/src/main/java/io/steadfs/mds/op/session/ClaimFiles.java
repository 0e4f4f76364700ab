package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileClaimed;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClaimFilesReply;
import io.steadfs.wire.proto.ClaimFilesRequest;
import io.steadfs.wire.proto.ClaimedFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Claims untouched files again after a restart of the shard, which forgets claims ({@link FileWriter}). The caller's
 * session must have made the files and must not have closed them. A file that the session cannot claim is passed over.
 * Repeating the request does no harm.
 */
public final class ClaimFiles implements Operation<ClaimFilesRequest> {
    public static final int MOST = 1_000;

    @Override
    public Decision<Reply> decide(ClaimFilesRequest request, Principal principal, ReadView view, Inputs inputs) {
        if (request.getFilesCount() > MOST) {
            return refuse(
                    FsError.TOO_LARGE, request.getFilesCount() + " files to claim in one message are above " + MOST);
        }
        long id = principal.session();
        Optional<Session> session = Sessions.find(view, id);
        if (session.isEmpty() || session.get().ended()) {
            return refuse(
                    FsError.SESSION_EXPIRED,
                    "session " + Session.name(id) + " is unknown to shard " + inputs.shard() + " or has ended");
        }
        Optional<String> foreign = session.get().refusalTo(principal.user());
        if (foreign.isPresent()) {
            return refuse(FsError.PERMISSION_DENIED, foreign.get());
        }
        List<LogRecord> records = new ArrayList<>();
        long count = Claims.count(view, id);
        Set<Handle> claimed = new HashSet<>();
        for (ClaimedFile file : request.getFilesList()) {
            Handle metafile = new Handle(file.getMetafile());
            boolean mayBe = Metafiles.find(view, metafile)
                    .filter(row -> row.getUntouchedSession() == id
                            && row.getWriteGeneration() == file.getWriteGeneration()
                            && FileWriter.mayWrite(view, id, metafile, row))
                    .isPresent();
            boolean isClaimed = Claims.has(view, id, metafile);
            boolean mayBegin = !Claims.isGraceOver(view) && count < Claims.MOST_WITH_OLDER;
            if (mayBe && (isClaimed || mayBegin) && claimed.add(metafile) && !isClaimed) {
                records.add(new FileClaimed(id, metafile, file.getPath(), inputs.wallMillis()));
                count++;
            }
        }
        return new Decision<>(
                records,
                Reply.ok(ClaimFilesReply.newBuilder().setClaimed(claimed.size()).build()));
    }

    private static Decision<Reply> refuse(FsError error, String message) {
        return Decision.of(Reply.refused(Kind.CLAIM_FILES, error, message));
    }
}
