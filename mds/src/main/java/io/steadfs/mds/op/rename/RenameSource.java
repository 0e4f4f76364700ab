package io.steadfs.mds.op.rename;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.Guarded;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.RemoteObject;
import io.steadfs.mds.op.ground.SymlinkNode;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.path.FsPath;
import io.steadfs.path.LinkTarget;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.RenameRequest;
import java.util.List;
import java.util.Optional;

/**
 * The object that a rename moves, and its old name. No other operation can remove the old name before the rename is
 * decided. If the old name is on another shard, that shard holds the name and removes it after the rename is committed.
 *
 * @param directory the directory of the old name
 * @param guard the permissions of the directory
 * @param isHere whether the directory is on this shard
 */
record RenameSource(
        Handle directory, Guarded guard, String directoryText, DirentKey key, NamedObject object, boolean isHere) {
    static RenameSource of(RenamePaths paths, Context context) throws Refused {
        return paths.source().isPresent() ? here(paths.source().get()) : elsewhere(paths.from(), context);
    }

    private static RenameSource here(PathWalk walk) {
        return new RenameSource(
                walk.parent(),
                new DirectoryNode(walk.parent(), walk.parentRow()),
                walk.textTo(walk.reached()),
                walk.key(),
                walk.named(),
                true);
    }

    /**
     * The source on another shard, which holds the old name.
     *
     * @throws Refused with the error of the other shard, such as NOT_FOUND
     */
    static RenameSource elsewhere(Location from, Context context) throws Refused {
        Handle directory = PathWalk.start(from);
        String text = directory + "/" + from.getPath();
        Reply reply = context.find(Prepared.source(directory, from.getPath()));
        if (!reply.isOk()) {
            throw new Refused(reply.error(), reply.header().getMessage());
        }
        PrepareReply held = Refused.unlessOk(reply, PrepareReply.class);
        Handle whole = new Handle(held.getAttributes().getHandle());
        return new RenameSource(
                whole,
                held.getOfPartition()
                        ? new DirectoryNode(whole, WholeDirectory.permissions(whole, context))
                        : new RemoteObject(held.getAttributes()),
                directory.toString(),
                DirentKey.of(directory, from.getPath()),
                new NamedObject(
                        new Handle(held.getObject()),
                        held.getObjectType() == FileType.DIRECTORY,
                        held.hasLink() ? Optional.of(SymlinkNode.of(held.getLink())) : Optional.empty(),
                        text),
                false);
    }

    /** Refuses if the caller may not remove the old name. */
    void requireMovable(Context context) throws Refused {
        // If the name is on this shard, the walk has already checked execute permission.
        int wanted = isHere ? Permissions.WRITE : Permissions.WRITE | Permissions.EXECUTE;
        Permissions.require(context.principal(), guard, wanted, directoryText);
        if (Permissions.stickyMatters(context.principal(), guard)
                && !context.principal().user().equals(object.guard(context).owner())) {
            throw Permissions.stickyDenied(context.principal(), object.text());
        }
    }

    /**
     * Refuses if a source on another shard and the target are the same object. An object has only one name at a time,
     * so the two paths were resolved at different times.
     */
    void requireNot(Handle target) throws Refused {
        if (!isHere && object.handle().equals(target)) {
            throw new Refused(
                    FsError.STALE_START, object.text() + " and the target changed while the rename was resolved");
        }
    }

    /**
     * Refuses to give a symbolic link a name to which it leads now, or would lead then. It would lead to itself, and
     * what had the name would be gone.
     *
     * @param isInto whether the link moves into the directory at the target path
     */
    void requireNotOwnTarget(RenameRequest request, boolean isInto) throws Refused {
        if (object.symlink().isEmpty()
                || request.getSourcePath().isEmpty()
                || request.getTargetPath().isEmpty()) {
            return;
        }
        String target = object.symlink().get().row().getTarget();
        FsPath now = PathWalk.parse(request.getSourcePath());
        FsPath asked = PathWalk.parse(request.getTargetPath());
        FsPath then = isInto ? asked.child(key.name()) : asked;
        if (LinkTarget.isPath(target)
                && (then.equals(LinkTarget.from(now, target)) || then.equals(LinkTarget.from(then, target)))) {
            throw new Refused(
                    FsError.ALREADY_EXISTS,
                    now + " is a symbolic link to " + target + " and cannot take the name " + then);
        }
    }

    /** The row of the directory of the old name. The directory must be on this shard. */
    DirectoryRow directoryRow() {
        if (isHere && guard instanceof DirectoryNode here) {
            return here.row();
        }
        throw new IllegalStateException(directory + " is on another shard");
    }

    void takeAway(List<LogRecord> records) {
        if (isHere) {
            records.add(new DirentGone(key));
        }
    }
}
