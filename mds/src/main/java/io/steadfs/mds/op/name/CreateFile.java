package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.layout.IndexedColumns;
import io.steadfs.mds.op.layout.NewFile;
import io.steadfs.mds.op.layout.PooledColumns;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileClaimed;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import java.util.List;
import java.util.Optional;

/**
 * Makes an empty file that is visible at once. The caller's session claims the file, or is its durable writer ({@link
 * io.steadfs.mds.op.ground.FileWriter}). One decision of the directory's shard makes the metafile and the dirent. The
 * same decision makes the missing parents that belong on this shard. If the request allows it to overwrite, the decision
 * also removes the old file. Somebody may be writing the old file, and its metafile may be on another shard.
 */
public final class CreateFile extends NamespaceOperation<CreateRequest> {
    private final Placement placement;

    /** @param spreadDepth greatest depth of new parents that are distributed over the shards */
    public CreateFile(int spreadDepth) {
        super(Kind.CREATE);
        this.placement = new Placement(spreadDepth);
    }

    @Override
    public Decision<Reply> change(CreateRequest request, Context context) throws Refused {
        NewFile wanted = NewFile.of(request);
        NewName name = NewName.at(
                new NewName.NameSpec(
                        request.getLocation(),
                        request.getOverwrite(),
                        request.getCreateParents(),
                        request.getParentMode(),
                        request.getParentsAsAbove()),
                context);
        Optional<DirentKey> key = name.take(placement);
        if (key.isEmpty()) {
            return name.goOn(Kind.CREATE);
        }
        Handle handle = name.handles().take();
        PooledColumns pooled = PooledColumns.take(wanted, request.getDelegatedColumns(), context, handle.sequence());
        FileNode file = new FileNode(handle, wanted.with(pooled.columns()).row(handle, name.group(), context));
        List<LogRecord> records = name.records();
        records.addAll(pooled.records());
        records.addAll(
                pooled.columns().isEmpty()
                        ? IndexedColumns.all(context, handle, file.row().getLayout())
                        : IndexedColumns.pooled(handle, pooled.columns()));
        records.add(new MetafileSet(handle, file.row()));
        records.add(DirentSet.file(key.get(), handle));
        records.add(opened(file, request.getPath(), context));
        return done(
                CreateReply.newBuilder()
                        .setAttributes(file.attributes(true).toBuilder().setOpen(true))
                        .setProtocolHint(name.protocolHint())
                        .build(),
                records);
    }

    /** The record that the caller's session has the new file open. */
    private static LogRecord opened(FileNode file, String path, Context context) {
        long session = context.principal().session();
        long now = context.inputs().wallMillis();
        return file.row().getUntouchedSession() != 0
                ? new FileClaimed(session, file.handle(), path, now)
                : new FileOpened(session, file.handle(), path, now);
    }
}
