package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.PartitionHolds;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes a file, directory or symbolic link from the namespace. The same decision adds a removed file's datafiles to
 * the deletion queue. If a directory with entries is removed, the decision adds the directory's tree to the deletion
 * queue, whatever the size of the tree. Beside the writer, {@link TreePermission} has checked before whether the caller
 * may delete every directory of the tree.
 *
 * <p>If the object is on another shard, a notice in the outbox tells that shard to remove the file or clear the tree.
 * If the directory must be empty, the directory's shard holds the directory empty until the name is gone.
 */
public final class DeletePath extends NamespaceOperation<DeleteRequest> {
    private final Optional<Handle> checkedTree;

    /** Makes an operation that may delete any tree, for callers who need no {@link TreePermission}. */
    public DeletePath() {
        this(Optional.empty());
    }

    /**
     * Makes an operation that may delete only the checked tree. If the path now leads to another tree, the operation is
     * refused with BUSY, because the other tree must be checked first.
     */
    DeletePath(Handle checkedTree) {
        this(Optional.of(checkedTree));
    }

    private DeletePath(Optional<Handle> checkedTree) {
        super(Kind.DELETE);
        this.checkedTree = checkedTree;
    }

    @Override
    public Decision<Reply> change(DeleteRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.toChange(request.getLocation(), context);
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_ARGUMENT, walk.text() + " cannot be deleted");
        }
        walk.requireFound();
        NamedObject object = walk.named();
        Permissions.require(context.principal(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        if (Permissions.stickyMatters(context.principal(), walk.parentRow())
                && !context.principal().user().equals(object.guard(context).owner())) {
            throw Permissions.stickyDenied(context.principal(), walk.text());
        }

        List<LogRecord> records = new ArrayList<>();
        records.add(new DirentGone(walk.key()));
        if (!object.directory()) {
            Removal.unlinked(object, context, records);
        } else if (object.isHere(context)) {
            removeDirectory(object, request.getRecursive(), context, records);
        } else if (request.getRecursive()) {
            removeTree(object, context, records);
        } else {
            removeFrozen(object, context, records);
        }
        records.add(EntryCount.changed(context, walk.key(), walk.parentRow(), -1));
        return done(DeleteReply.newBuilder().setType(object.type()).build(), records);
    }

    private void removeDirectory(NamedObject object, boolean recursive, Context context, List<LogRecord> records)
            throws Refused {
        DirectoryNode directory = object.directoryNode(context);
        long entries = DirectoryNode.entries(context.view(), directory.handle());
        boolean isEmpty = entries == 0 && DirectoryNode.hasOnePartition(directory.row());
        if (recursive && !isEmpty) {
            removeTree(object, context, records);
            return;
        }
        PartitionHolds.require(directory, object.text(), context);
        Removal.emptyDirectory(directory, context, records);
    }

    private void removeTree(NamedObject top, Context context, List<LogRecord> records) throws Refused {
        if (checkedTree.isPresent() && !checkedTree.get().equals(top.handle())) {
            throw new Refused(
                    FsError.BUSY,
                    top.text() + " became directory " + top.handle()
                            + " while permission to delete it was looked at; try again");
        }
        Removal.cutOff(top.handle(), context, records);
    }

    /**
     * Requires that the directory's shard holds the directory empty, and that all partitions are empty. The directory's
     * shard removes the directory after this decision is committed, and so do the shards of partitions.
     */
    public static void removeFrozen(NamedObject directory, Context context, List<LogRecord> records) throws Refused {
        Reply held = context.find(Prepared.removal(directory.handle()));
        if (!held.isOk()) {
            throw new Refused(
                    held.error(), directory.text() + ": " + held.header().getMessage());
        }
        List<Handle> partitions = Refused.unlessOk(held, PrepareReply.class).getPartitionsList().stream()
                .map(Handle::new)
                .toList();
        PartitionHolds.require(partitions, directory.text(), context);
        PartitionHolds.remove(partitions, context, records);
    }
}
