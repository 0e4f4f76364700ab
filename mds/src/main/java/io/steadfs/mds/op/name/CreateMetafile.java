package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.layout.IndexedColumns;
import io.steadfs.mds.op.layout.NewFile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a file without a name. The caller's session becomes the writer of the file. This request is step 1 of the
 * basecase create ("File Creation Strategies in a Distributed Metadata File System", section 3). In the other protocols
 * of the paper, this request names existing datafiles and comes just before the last step.
 *
 * <p>Until the file is linked, its row names the session that made the file. Only the session that made a file can link
 * the file. If that session has ended on all shards and has not linked the file,
 * {@link io.steadfs.mds.duty.SessionFence} removes the file.
 *
 * <p>A file gets the group of its directory. Before the link, the directory is unknown and the group is empty.
 */
public final class CreateMetafile extends NamespaceOperation<CreateMetafileRequest> {
    public CreateMetafile() {
        super(Kind.CREATE_METAFILE);
    }

    @Override
    public Decision<Reply> change(CreateMetafileRequest request, Context context) throws Refused {
        NewFile wanted = NewFile.of(request);
        long session = context.principal().session();
        NewHandles handles = new NewHandles(context);
        Handle handle = handles.take();
        MetafileRow row = wanted.row(handle, "", context).toBuilder()
                .setUntouchedSession(0)
                .setWriterSession(session)
                .setUnlinkedSession(session)
                .build();
        List<LogRecord> records = new ArrayList<>(IndexedColumns.all(context, handle, row.getLayout()));
        records.add(new MetafileSet(handle, row));
        records.add(handles.raised());
        records.add(new FileOpened(
                session, handle, request.getPath(), context.inputs().wallMillis()));
        records.add(new FileUnlinked(session, handle));
        return done(
                CreateMetafileReply.newBuilder()
                        .setAttributes(new FileNode(handle, row).attributes(true))
                        .build(),
                records);
    }
}
