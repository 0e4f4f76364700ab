package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.FileType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a file or directory out of the namespace. What takes room elsewhere goes to the deletion queue in the same
 * decision: a file's datafiles, or, whatever its size, the tree of a directory that is not empty. Whether the asker may
 * delete every directory of such a tree is looked at before, beside the writer: {@link TreePermission}.
 */
public final class DeletePath extends NamespaceOperation<DeleteRequest> {
    private final Optional<Handle> checkedTree;

    /** Of any tree: for whoever needs no {@link TreePermission}. */
    public DeletePath() {
        this(Optional.empty());
    }

    /** Of this tree only; where the path has come to lead to another one, that must be checked first: BUSY. */
    DeletePath(Handle checkedTree) {
        this(Optional.of(checkedTree));
    }

    private DeletePath(Optional<Handle> checkedTree) {
        super(Kind.DELETE);
        this.checkedTree = checkedTree;
    }

    @Override
    Decision<Reply> change(DeleteRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_ARGUMENT, walk.text() + " cannot be deleted");
        }
        walk.requireFound();
        Node node = walk.node();
        Permissions.require(context.asker(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));
        if (Permissions.stickyMatters(context.asker(), walk.parentRow())
                && !context.asker().user().equals(node.owner())) {
            throw Permissions.stickyDenied(context.asker(), walk.text());
        }

        List<LogRecord> records = new ArrayList<>();
        records.add(new DirentGone(walk.key()));
        if (node instanceof FileNode file) {
            Removal.file(file, context.view(), records);
        } else if (node instanceof DirectoryNode directory) {
            removeDirectory(directory, request.getRecursive(), walk, context, records);
        }
        records.add(EntryCount.changed(
                context, walk.parent(), walk.parentRow(), walk.key().hash(), -1));
        return done(
                DeleteReply.newBuilder()
                        .setType(node instanceof FileNode ? FileType.FILE : FileType.DIRECTORY)
                        .build(),
                records);
    }

    private void removeDirectory(
            DirectoryNode directory, boolean recursive, PathWalk walk, Context context, List<LogRecord> records)
            throws Refused {
        long entries = DirectoryNode.entries(context.view(), directory.handle(), directory.row());
        if (entries == 0) {
            Removal.emptyDirectory(directory, context.view(), records);
        } else if (recursive) {
            if (checkedTree.isPresent() && !checkedTree.get().equals(directory.handle())) {
                throw new Refused(
                        FsError.BUSY,
                        walk.text() + " became directory " + directory.handle()
                                + " while permission to delete it was looked at; try again");
            }
            records.add(new TreeQueued(directory.handle()));
        } else {
            throw new Refused(FsError.NOT_EMPTY, walk.text() + " has " + entries + " entries");
        }
    }
}
