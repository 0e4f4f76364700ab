package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonMetafileReply;
import io.steadfs.wire.proto.AbandonMetafileRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes a file without a name. The session that made the file sends this request, because the session will not link
 * the file. One decision removes the metafile and all its datafiles, attached or not. A file that has a name stays. IO
 * servers do not remove a datafile that belongs to another file.
 */
public final class AbandonMetafile extends NamespaceOperation<AbandonMetafileRequest> {
    public AbandonMetafile() {
        super(Kind.ABANDON_METAFILE);
    }

    @Override
    public Decision<Reply> change(AbandonMetafileRequest request, Context context) throws Refused {
        Handle file = new Handle(request.getMetafile());
        if (!context.owns(file)) {
            throw new Refused(
                    FsError.NOT_OWNER,
                    "metafile " + file + " is not on shard " + context.inputs().shard());
        }
        MetafileRow row = LinkedFile.here(file, context);
        List<LogRecord> records = new ArrayList<>();
        Removal.file(new FileNode(file, row), context.view(), records);
        List<Handle> unattached = unattached(request.getDatafilesList(), row);
        if (!unattached.isEmpty()) {
            records.add(new DatafilesQueued(file, unattached));
        }
        return done(AbandonMetafileReply.getDefaultInstance(), records);
    }

    private static List<Handle> unattached(List<Long> named, MetafileRow row) throws Refused {
        Set<Handle> unattached = new LinkedHashSet<>();
        for (long value : named) {
            Handle datafile = new Handle(value);
            if (!datafile.isOwnedByIoServer()) {
                throw new Refused(FsError.INVALID_ARGUMENT, "handle " + datafile + " names no datafile");
            }
            if (!row.getLayout().getDatafilesList().contains(value)) {
                unattached.add(datafile);
            }
        }
        if (unattached.size() > Layout.MOST_COLUMNS) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    unattached.size() + " datafiles for one metafile are above " + Layout.MOST_COLUMNS);
        }
        return List.copyOf(unattached);
    }
}
