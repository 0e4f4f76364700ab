package io.steadfs.mds.op.layout;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ConfirmDatafilesReply;
import io.steadfs.wire.proto.ConfirmDatafilesReply.Verdict;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import java.util.Optional;

/**
 * Tells an IO server what becomes of datafiles that first writes made. A datafile is a column of a file, may become a
 * column, or can never become a column. The verdict NEVER is final for three reasons:
 *
 * <ul>
 *   <li>No two datafiles ever have the same handle.
 *   <li>Only the metafile for which a datafile was made can attach the datafile.
 *   <li>Once the write generation was raised or the file was closed, the shard refuses the attach forever.
 * </ul>
 *
 * An untouched file counts as open here as long as its session is alive, because that session may still attach datafiles.
 * The end of a session is durable. A claim is not, so the verdict does not depend on claims.
 */
public final class ConfirmDatafiles implements Query<ConfirmDatafilesRequest> {
    public static final int MAX_DATAFILES = 10_000;

    @Override
    public Reply answer(ConfirmDatafilesRequest request, Principal principal, ReadView view, Inputs inputs) {
        if (request.getDatafilesCount() > MAX_DATAFILES) {
            return Reply.refused(
                    Kind.CONFIRM_DATAFILES,
                    FsError.TOO_LARGE,
                    request.getDatafilesCount() + " datafiles in one question are above " + MAX_DATAFILES);
        }
        // An unsettled shard may have lost the row of a metafile. Then the verdict NEVER would be wrong.
        boolean isUnsettled = Unsettled.of(view, ShardTables.META).isPresent();
        ConfirmDatafilesReply.Builder reply = ConfirmDatafilesReply.newBuilder();
        for (ConfirmDatafilesRequest.Datafile asked : request.getDatafilesList()) {
            Handle metafile = new Handle(asked.getMetafile());
            if (!metafile.isOwnedByShard() || metafile.shard() != inputs.shard()) {
                return Reply.refused(
                        Kind.CONFIRM_DATAFILES,
                        FsError.NOT_OWNER,
                        "metafile " + metafile + " is not on shard " + inputs.shard());
            }
            Verdict verdict = verdict(asked, Metafiles.find(view, metafile), view);
            reply.addVerdicts(isUnsettled && verdict == Verdict.NEVER ? Verdict.PENDING : verdict);
        }
        return Reply.ok(reply.build());
    }

    private static Verdict verdict(ConfirmDatafilesRequest.Datafile asked, Optional<MetafileRow> found, ReadView view) {
        if (found.isEmpty()) {
            return Verdict.NEVER;
        }
        MetafileRow row = found.get();
        int index = asked.getIndex();
        if (index < 0 || index >= row.getLayout().getDatafilesCount()) {
            return Verdict.NEVER;
        }
        long listed = row.getLayout().getDatafiles(index);
        if (listed == asked.getDatafile()) {
            return Verdict.ATTACHED;
        }
        boolean mayCome = listed == 0
                && (row.getWriterSession() != 0 || isUntouchedByLive(view, row))
                && row.getWriteGeneration() == asked.getWriteGeneration();
        return mayCome ? Verdict.PENDING : Verdict.NEVER;
    }

    private static boolean isUntouchedByLive(ReadView view, MetafileRow row) {
        return row.getUntouchedSession() != 0 && Sessions.isAlive(view, row.getUntouchedSession());
    }
}
