package io.steadfs.mds.op.rename;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves a file, directory or symbolic link to another name. The size of a moved tree does not matter. A rename changes
 * only dirents, and the parent in the row of a moved directory. The shard of the target's directory decides the rename.
 * {@link RenamePaths} brings the request to the deciding shard. The same decision removes an object that the target
 * replaces.
 *
 * <pre>
 *  held before, if it is at another shard                       by
 *  1  the source's name                                         its directory's shard
 *  2  that the move is admitted, if a directory moves           shard 0, with several shards
 *  3  the replaced directory, empty                             its own shard
 *     the parent in the row of the moved directory              its own shard
 * </pre>
 *
 * If everything is on this shard, the rename is one decision.
 */
public final class RenamePath extends NamespaceOperation<RenameRequest> {
    public RenamePath() {
        super(Kind.RENAME);
    }

    @Override
    public Decision<Reply> change(RenameRequest request, Context context) throws Refused {
        if (request.getMode() == RenameRequest.Mode.UNRECOGNIZED) {
            throw new Refused(FsError.INVALID_ARGUMENT, "rename mode " + request.getModeValue());
        }
        RenamePaths paths = RenamePaths.resolve(request, context);
        PathWalk walk = paths.target();
        RenameSource source = RenameSource.of(paths, context);
        if (walk.isFound()) {
            source.requireNot(walk.object());
            if (walk.object().equals(source.object().handle())) {
                return moved(false, List.of());
            }
        }
        RenameTarget target = RenameTarget.of(paths, source);
        if (target.key().equals(source.key())) {
            return moved(false, List.of());
        }
        Optional<DirectoryMove> move =
                source.object().directory() && !source.directory().equals(target.parent())
                        ? Optional.of(new DirectoryMove(source, target))
                        : Optional.empty();
        check(request, source, target, move, paths.place(), context);
        hold(target, move, context);
        return moved(true, records(source, target, move, context));
    }

    /**
     * Makes all checks that can refuse the rename. The refusal of a move below itself must come before all other
     * refusals, as with a single shard. Where the target's path is not whole, that check asks other shards, and has the
     * move admitted. So it runs last. If another check refuses for good, it runs before that refusal is answered.
     */
    private static void check(
            RenameRequest request,
            RenameSource source,
            RenameTarget target,
            Optional<DirectoryMove> move,
            PathWalk walk,
            Context context)
            throws Refused {
        if (move.isEmpty()) {
            checkNames(request, source, target, walk, context);
            return;
        }
        move.get().requireNotSeenBelow(walk);
        try {
            checkNames(request, source, target, walk, context);
        } catch (Refused refused) {
            if (refused.error().resolver() == Resolver.CALLER && !walk.isWhole()) {
                move.get().requireNotBelow(walk, context);
            }
            throw refused;
        }
        move.get().requireNotBelow(walk, context);
    }

    private static void checkNames(
            RenameRequest request, RenameSource source, RenameTarget target, PathWalk walk, Context context)
            throws Refused {
        if (!walk.isParentFound()) {
            throw walk.notFound();
        }
        source.requireMovable(context);
        Permissions.require(context.principal(), target.parentRow(), Permissions.WRITE, target.parentText());
        source.requireNotOwnTarget(request, target.isInto());
        target.requireReplaceable(source, request.getMode(), context);
    }

    /** Asks other shards for the remaining holds at the same time, because none of these holds depends on another. */
    private static void hold(RenameTarget target, Optional<DirectoryMove> move, Context context) {
        Gathering gathering = new Gathering(context);
        Optional<Need> replaced = target.hold(context);
        replaced.ifPresent(gathering::find);
        move.flatMap(each -> each.hold(context)).ifPresent(gathering::find);
        gathering.settle();
    }

    private static List<LogRecord> records(
            RenameSource source, RenameTarget target, Optional<DirectoryMove> move, Context context) throws Refused {
        List<LogRecord> records = new ArrayList<>();
        target.replace(context, records);
        source.takeAway(records);
        records.add(source.object().named(target.key()));
        if (move.isPresent()) {
            move.get().move(context, records);
        }
        count(source, target, context, records);
        return records;
    }

    /**
     * Updates the number of entries of both directories. If the source's directory is on another shard, that shard
     * updates its number.
     */
    private static void count(RenameSource source, RenameTarget target, Context context, List<LogRecord> records)
            throws Refused {
        int more = target.existing().isPresent() ? 0 : 1;
        boolean isBoth = source.key().directory().equals(target.key().directory());
        if (source.isHere() && !isBoth) {
            records.add(EntryCount.changed(context, source.key(), source.directoryRow(), -1));
        } else if (source.isHere()) {
            WholeDirectory.requireNotGiven(source.key(), source.directoryRow());
        }
        boolean isLess = source.isHere() && isBoth;
        records.add(EntryCount.changed(context, target.key(), target.parentRow(), isLess ? more - 1 : more));
    }

    private static Decision<Reply> moved(boolean moved, List<LogRecord> records) {
        return done(RenameReply.newBuilder().setMoved(moved).build(), records);
    }
}
