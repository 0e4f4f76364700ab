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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Moves a directory to another parent. A directory must not move below itself. With several shards, no decision owns all
 * directories above the new parent. So shard 0 admits the move with the handles of all of them, beside moves that do not
 * touch them. While the move is admitted, none of them gets another parent. They are looked up before, to name them, and
 * after, to see that they are still the same: with a whole path by copies, which are good at the moment of the decision,
 * else by questions to their shards.
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

    /** Refuses the move if the walk to the target went through the moved directory. */
    void requireNotSeenBelow(PathWalk walk) throws Refused {
        if (target.parent().equals(moved.handle()) || walk.chain().contains(moved.handle())) {
            throw belowItself();
        }
    }

    /**
     * Has shard 0 admit the move, with several shards. Refuses the move if the target is below the moved directory.
     *
     * @param walk the walk to the target
     */
    void requireNotBelow(PathWalk walk, Context context) throws Refused {
        if (context.isAlone()) {
            return; // this shard knows all directories above the target
        }
        if (walk.isWhole()) {
            Set<Handle> above = new TreeSet<>(walk.chain());
            above.add(target.parent());
            admit(above, context);
            return;
        }
        Set<Handle> above = above(context);
        admit(above, context);
        requireStill(above, context);
    }

    private void admit(Set<Handle> above, Context context) throws Refused {
        context.body(Prepared.move(moved.handle(), above), PrepareReply.class);
    }

    /**
     * The new parent and all directories above it, as their rows say. Rows hear of a move a little later than names, and
     * others move between two questions. So this may be untrue, and nothing is refused by it. Then either a move is
     * admitted that is in the way of this one, or {@link #requireStill} finds the difference.
     */
    private Set<Handle> above(Context context) throws Refused {
        Set<Handle> met = new TreeSet<>();
        Handle top = target.parent();
        while (!top.equals(Handle.ROOT)) {
            int before = met.size();
            List<Handle> way = wayUp(top, false, context);
            met.addAll(way);
            top = way.get(way.size() - 1);
            if (met.size() == before) {
                throw changed();
            }
        }
        met.add(top);
        return met;
    }

    /**
     * Refuses the move if the rows now lead up to the root in another way, or through the moved directory. None of the
     * directories moves any more, since this move is admitted.
     */
    private void requireStill(Set<Handle> above, Context context) throws Refused {
        Set<Handle> met = new TreeSet<>();
        Handle top = target.parent();
        while (!top.equals(Handle.ROOT)) {
            int before = met.size();
            for (Handle each : wayUp(top, true, context)) {
                if (!above.contains(each)) {
                    throw changed();
                }
                met.add(each);
                top = each;
            }
            if (met.size() == before) {
                throw new IllegalStateException("directory " + top + " is above itself");
            }
            if (met.contains(moved.handle())) {
                throw belowItself();
            }
        }
        met.add(top);
        if (!met.equals(above)) {
            throw changed();
        }
    }

    /** A directory and those above it, as far as its shard owns them, and one more. */
    private List<Handle> wayUp(Handle directory, boolean admitted, Context context) throws Refused {
        AncestorsReply way = context.owns(directory)
                ? Ancestors.from(directory, context)
                : context.body(Facts.ancestors(directory, admitted), AncestorsReply.class);
        if (way.getCutOff() || way.getDirectoriesCount() == 0) {
            throw new Refused(
                    FsError.STALE_START, "the directory of " + target.text() + " was deleted: begin at the root again");
        }
        return way.getDirectoriesList().stream().map(Handle::new).toList();
    }

    private Refused changed() {
        return new Refused(
                FsError.STALE_START, "directories above " + target.text() + " move: begin at the root again");
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

    private Refused belowItself() {
        return new Refused(FsError.INVALID_RENAME, what);
    }
}
