package io.steadfs.mds.op.rename;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.PartitionHolds;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.op.name.DeletePath;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.RenameRequest;
import java.util.List;
import java.util.Optional;

/**
 * The new name of a rename, in a directory or partition of this shard.
 *
 * @param existing the object that has the new name now; the rename replaces this object
 * @param isInto whether the source keeps its name in the directory at the target
 */
record RenameTarget(
        Handle parent,
        DirectoryRow parentRow,
        DirentKey key,
        Optional<NamedObject> existing,
        String text,
        String parentText,
        boolean isInto) {
    static RenameTarget of(RenamePaths paths, RenameSource source) throws Refused {
        PathWalk walk = paths.place();
        if (walk.isStart()) {
            throw new Refused(
                    FsError.INVALID_RENAME, source.object().text() + " cannot take the place of " + walk.text());
        }
        return new RenameTarget(
                walk.parent(),
                walk.parentRow(),
                walk.key(),
                walk.dirent().map(row -> NamedObject.of(row, walk.text())),
                walk.text(),
                walk.textTo(walk.reached()),
                walk != paths.target());
    }

    /**
     * Refuses if the source may not replace the existing object. A replaced directory on another shard is checked
     * later, when that shard holds it.
     */
    void requireReplaceable(RenameSource source, RenameRequest.Mode mode, Context context) throws Refused {
        if (existing.isEmpty()) {
            return;
        }
        if (mode != RenameRequest.Mode.OVERWRITE) {
            throw new Refused(FsError.ALREADY_EXISTS, text + " exists");
        }
        NamedObject old = existing.get();
        boolean directory = source.object().directory();
        if (old.directory() && !directory) {
            throw new Refused(FsError.IS_A_DIRECTORY, text + " is a directory, the source a file");
        }
        if (!old.directory() && directory) {
            throw new Refused(FsError.NOT_A_DIRECTORY, text + " is a file, the source a directory");
        }
        if (Permissions.stickyMatters(context.principal(), parentRow)
                && !context.principal().user().equals(old.guard(context).owner())) {
            throw Permissions.stickyDenied(context.principal(), text);
        }
        if (old.directory() && old.isHere(context)) {
            PartitionHolds.require(old.directoryNode(context), text, context);
        }
    }

    /**
     * The action by which another shard keeps a replaced directory empty; none if no directory of another shard is
     * replaced.
     */
    Optional<Need> hold(Context context) {
        return existing.filter(old -> old.directory() && !old.isHere(context))
                .map(old -> Prepared.removal(old.handle()));
    }

    /** Removes the replaced object except its dirent. The caller must have called {@link #requireReplaceable}. */
    void replace(Context context, List<LogRecord> records) throws Refused {
        if (existing.isEmpty()) {
            return;
        }
        NamedObject old = existing.get();
        if (!old.directory()) {
            Removal.unlinked(old, context, records);
        } else if (old.isHere(context)) {
            Removal.emptyDirectory(old.directoryNode(context), context, records);
        } else {
            DeletePath.removeFrozen(old, context, records);
        }
    }
}
