package io.steadfs.mds.op.rename;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.PrepareReply;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves a directory to another parent. A directory must not move below itself. With several shards, no decision sees
 * all directories above the new parent. So only one directory at a time has the right to move. The move first gets the
 * right to move and then asks other shards for the directories above the new parent. The answers of the other shards
 * stay true until the move is finished on all shards, because no other directory moves.
 */
final class DirectoryMove {
    private final NamedObject moved;
    private final RenameTarget target;
    private final String what;

    DirectoryMove(RenameSource source, RenameTarget target) {
        this.moved = source.object();
        this.target = target;
        this.what = moved.text() + " cannot be moved below itself, to " + target.text();
    }

    /** Refuses the move if the rows of this shard show that the target is below the moved directory. */
    void requireNotSeenBelow(PathWalk walk, Context context) throws Refused {
        if (target.parent().equals(moved.handle())
                || walk.chain().contains(moved.handle())
                || contains(Ancestors.from(walk.chain().get(0), context))) {
            throw belowItself();
        }
    }

    /**
     * Refuses the move if the target is below the moved directory. With several shards, this method first gets the
     * right to move directories.
     */
    void requireNotBelow(Context context) throws Refused {
        if (context.isAlone()) {
            return; // this shard knows all directories above the target
        }
        context.body(Prepared.hierarchy(), PrepareReply.class);
        Set<Handle> met = new HashSet<>();
        Handle above = target.parent();
        while (!above.equals(Handle.ROOT)) {
            if (!met.add(above)) {
                throw new IllegalStateException("directory " + above + " is above itself");
            }
            AncestorsReply way = context.owns(above)
                    ? Ancestors.from(above, context)
                    : context.body(Facts.ancestors(above), AncestorsReply.class);
            if (contains(way)) {
                throw belowItself();
            }
            if (way.getCutOff() || way.getDirectoriesCount() == 0) {
                throw new Refused(
                        FsError.STALE_START,
                        "the directory of " + target.text() + " was deleted: begin at the root again");
            }
            above = new Handle(way.getDirectories(way.getDirectoriesCount() - 1));
        }
    }

    /**
     * The action by which another shard prepares the new parent in the directory's row; none if the directory is on
     * this shard.
     */
    Optional<Need> hold(Context context) {
        return moved.isHere(context) ? Optional.empty() : Optional.of(Prepared.parent(moved.handle(), target.parent()));
    }

    void move(Context context, List<LogRecord> records) throws Refused {
        if (!moved.isHere(context)) {
            context.body(Prepared.parent(moved.handle(), target.parent()), PrepareReply.class);
            return;
        }
        DirectoryNode node = moved.directoryNode(context);
        records.add(new DirectorySet(
                node.handle(),
                node.row().toBuilder().setParent(target.parent().value()).build()));
    }

    private boolean contains(AncestorsReply way) {
        return way.getDirectoriesList().contains(moved.handle().value());
    }

    private Refused belowItself() {
        return new Refused(FsError.INVALID_RENAME, what);
    }
}
