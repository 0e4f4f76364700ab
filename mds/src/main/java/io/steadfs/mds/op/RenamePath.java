package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves a file or directory to another name, in one decision and whatever the size of a tree: only dirents change, and
 * a moved directory's note of its parent. What the target replaces goes away in the same decision.
 */
public final class RenamePath extends NamespaceOperation<RenameRequest> {
    public RenamePath() {
        super(Kind.RENAME);
    }

    @Override
    Decision<Reply> change(RenameRequest request, Context context) throws Refused {
        if (request.getMode() == RenameRequest.Mode.UNRECOGNIZED) {
            throw new Refused(FsError.INVALID_ARGUMENT, "rename mode " + request.getModeValue());
        }
        PathWalk source = walk(request.getSource(), context);
        if (source.isStart()) {
            throw new Refused(FsError.INVALID_RENAME, source.text() + " cannot be renamed");
        }
        source.requireFound();
        PathWalk walk = walk(request.getTarget(), context);
        if (walk.isFound() && walk.object().equals(source.object())) {
            return moved(false, List.of());
        }
        Target target = target(source, walk, request.getMode(), context);
        if (target.key.equals(source.key())) {
            return moved(false, List.of());
        }
        boolean directory = source.isDirectory();
        if (directory && isInside(source.object(), target, walk, context)) {
            throw new Refused(
                    FsError.INVALID_RENAME, source.text() + " cannot be moved below itself, to " + target.text);
        }
        if (!walk.isParentFound()) {
            throw walk.notFound();
        }
        checkSource(source, context);
        Permissions.require(context.asker(), target.parentRow, Permissions.WRITE, target.parentText);

        List<LogRecord> records = new ArrayList<>();
        if (target.existing.isPresent()) {
            replace(directory, target, request.getMode(), context, records);
        }
        records.add(new DirentGone(source.key()));
        records.add(new DirentSet(target.key, source.dirent().orElseThrow()));
        if (directory && !source.parent().equals(target.parent)) {
            DirectoryNode node = source.directoryNode();
            records.add(new DirectorySet(
                    node.handle(),
                    node.row().toBuilder().setParent(target.parent.value()).build()));
        }
        count(source, target, context, records);
        return moved(true, records);
    }

    /** Where the source is to go: a name in a directory, and what has that name now. */
    private record Target(
            Handle parent,
            DirectoryRow parentRow,
            DirentKey key,
            Optional<DirentRow> existing,
            String text,
            String parentText) {}

    private static PathWalk walk(Location location, Context context) throws Refused {
        try {
            return PathWalk.to(location, context);
        } catch (Refused refused) {
            if (refused.error() == FsError.CONTINUE || refused.error() == FsError.WRONG_PARTITION) {
                throw new Refused(FsError.NOT_SUPPORTED, "rename over several shards: " + refused.getMessage());
            }
            throw refused;
        }
    }

    private static Target target(PathWalk source, PathWalk walk, RenameRequest.Mode mode, Context context)
            throws Refused {
        if (mode == RenameRequest.Mode.INTO_DIRECTORY && walk.isFound() && walk.isDirectory()) {
            DirectoryNode into = walk.directoryNode();
            Permissions.require(context.asker(), into, Permissions.EXECUTE, walk.text());
            DirentKey key = source.key().in(into.handle());
            if (!DirectoryNode.hasOnePartition(into.row())) {
                throw new Refused(FsError.NOT_SUPPORTED, "rename into " + walk.text() + ", made over several shards");
            }
            return new Target(
                    into.handle(),
                    into.row(),
                    key,
                    Dirents.find(context.view(), key),
                    walk.text() + "/" + key.name(),
                    walk.text());
        }
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_RENAME, source.text() + " cannot take the place of " + walk.text());
        }
        return new Target(
                walk.parent(), walk.parentRow(), walk.key(), walk.dirent(), walk.text(), walk.textTo(walk.reached()));
    }

    /** Whether the target's directory is the moved one or below it. */
    private static boolean isInside(Handle moved, Target target, PathWalk walk, Context context) {
        if (target.parent.equals(moved) || walk.chain().contains(moved)) {
            return true;
        }
        Handle above = walk.chain().get(0);
        while (!above.equals(Handle.ROOT)) {
            Optional<DirectoryRow> row = Directories.find(context.view(), above);
            if (row.isEmpty()) {
                return false; // the target is in a tree that was deleted
            }
            above = new Handle(row.get().getParent());
            if (above.equals(moved)) {
                return true;
            }
        }
        return false;
    }

    private static void checkSource(PathWalk source, Context context) throws Refused {
        Permissions.require(context.asker(), source.parentRow(), Permissions.WRITE, source.textTo(source.reached()));
        if (Permissions.stickyMatters(context.asker(), source.parentRow())
                && !context.asker().user().equals(source.node().owner())) {
            throw Permissions.stickyDenied(context.asker(), source.text());
        }
    }

    private static void replace(
            boolean directory, Target target, RenameRequest.Mode mode, Context context, List<LogRecord> records)
            throws Refused {
        if (mode != RenameRequest.Mode.OVERWRITE) {
            throw new Refused(FsError.ALREADY_EXISTS, target.text + " exists");
        }
        DirentRow dirent = target.existing.orElseThrow();
        Handle handle = new Handle(dirent.getHandle());
        boolean existingDirectory = dirent.getType() == EntryType.ENTRY_DIRECTORY;
        if (existingDirectory && !directory) {
            throw new Refused(FsError.IS_A_DIRECTORY, target.text + " is a directory, the source a file");
        }
        if (!existingDirectory && directory) {
            throw new Refused(FsError.NOT_A_DIRECTORY, target.text + " is a file, the source a directory");
        }
        if (existingDirectory) {
            DirectoryNode old = new DirectoryNode(
                    handle, Directories.find(context.view(), handle).orElseThrow(() -> dangling(target, handle)));
            checkReplaced(old, target, context);
            long entries = DirectoryNode.entries(context.view(), handle, old.row());
            if (entries > 0) {
                throw new Refused(FsError.NOT_EMPTY, target.text + " has " + entries + " entries");
            }
            Removal.emptyDirectory(old, context.view(), records);
        } else {
            FileNode old = new FileNode(
                    handle, Metafiles.find(context.view(), handle).orElseThrow(() -> dangling(target, handle)));
            checkReplaced(old, target, context);
            Removal.file(old, context.view(), records);
        }
    }

    private static void checkReplaced(Node old, Target target, Context context) throws Refused {
        if (Permissions.stickyMatters(context.asker(), target.parentRow)
                && !context.asker().user().equals(old.owner())) {
            throw Permissions.stickyDenied(context.asker(), target.text);
        }
    }

    private static DanglingDirent dangling(Target target, Handle handle) {
        return new DanglingDirent("dirent " + target.text + " points to missing object " + handle);
    }

    private static void count(PathWalk source, Target target, Context context, List<LogRecord> records) {
        int more = target.existing.isPresent() ? 0 : 1;
        long sourceHash = source.key().hash();
        long targetHash = target.key.hash();
        boolean samePartition = source.parent().equals(target.parent)
                && DirectoryNode.partitionOf(context.view(), source.parent(), source.parentRow(), sourceHash)
                        == DirectoryNode.partitionOf(context.view(), target.parent, target.parentRow, targetHash);
        if (samePartition) {
            records.add(EntryCount.changed(context, source.parent(), source.parentRow(), sourceHash, more - 1));
        } else {
            records.add(EntryCount.changed(context, source.parent(), source.parentRow(), sourceHash, -1));
            records.add(EntryCount.changed(context, target.parent, target.parentRow, targetHash, more));
        }
    }

    private static Decision<Reply> moved(boolean moved, List<LogRecord> records) {
        return done(RenameReply.newBuilder().setMoved(moved).build(), records);
    }
}
