package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a file, visible at once and empty, and makes the asker's session its writer. One decision makes metafile,
 * dirent and missing parents; with overwrite it takes the old file away, also one that somebody writes.
 */
public final class CreateFile extends NamespaceOperation<CreateRequest> {
    private static final long FIRST_GENERATION = 1;

    private final Placement placement;

    /** @param spreadDepth new parents at this depth or less are dealt out over the shards */
    public CreateFile(int spreadDepth) {
        super(Kind.CREATE);
        this.placement = new Placement(spreadDepth);
    }

    @Override
    Decision<Reply> change(CreateRequest request, Context context) throws Refused {
        int mode = Permissions.checkMode(request.getMode());
        int parentMode = Permissions.checkMode(request.getParentMode());
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        List<LogRecord> records = new ArrayList<>();
        if (walk.isFound()) {
            replace(walk, request.getOverwrite(), context, records);
        } else if (!walk.isParentFound() && !request.getCreateParents()) {
            throw walk.notFound();
        } else {
            Permissions.require(context.asker(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        }
        records.add(EntryCount.changed(
                context, walk.parent(), walk.parentRow(), walk.key().hash(), walk.isFound() ? 0 : 1));

        NewHandles handles = new NewHandles(context);
        NewDirectories directories = new NewDirectories(context, placement, walk, handles, records);
        Handle parent = directories.makeParents(parentMode);
        DirentKey key = directories.keyAt(parent, walk.names().size() - 1);
        FileNode file = newFile(request, mode, handles.take(), walk.parentRow().getGroup(), context);
        records.add(new MetafileSet(file.handle(), file.row()));
        records.add(DirentSet.file(key, file.handle()));
        records.add(handles.raised());
        records.add(new FileOpened(context.asker().session(), file.handle()));
        return done(
                CreateReply.newBuilder().setAttributes(file.attributes(true)).build(), records);
    }

    private static void replace(PathWalk walk, boolean overwrite, Context context, List<LogRecord> records)
            throws Refused {
        if (walk.isDirectory()) {
            throw new Refused(FsError.IS_A_DIRECTORY, walk.text() + " is a directory");
        }
        if (!overwrite) {
            throw new Refused(FsError.ALREADY_EXISTS, walk.text() + " exists");
        }
        Permissions.require(context.asker(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        FileNode old = walk.fileNode();
        Permissions.require(context.asker(), old, Permissions.WRITE, walk.text());
        Removal.file(old, context.view(), records);
    }

    private static FileNode newFile(CreateRequest request, int mode, Handle handle, String group, Context context)
            throws Refused {
        long blockSize = request.getBlockSize() != 0
                ? request.getBlockSize()
                : context.inputs().cluster().getBlockSize();
        if (blockSize < 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "block size " + Long.toUnsignedString(blockSize) + " is above 2^63");
        }
        return new FileNode(
                handle,
                MetafileRow.newBuilder()
                        .setMode(mode)
                        .setOwner(context.asker().user())
                        .setGroup(group)
                        .setModificationTime(context.now())
                        .setAccessTime(context.now())
                        .setBlockSize(blockSize)
                        .setVersion(1)
                        .setLayout(LayoutChoice.choose(request, context.inputs().cluster(), handle.sequence()))
                        .setWriterSession(context.asker().session())
                        .setWriteGeneration(FIRST_GENERATION)
                        .build());
    }
}
