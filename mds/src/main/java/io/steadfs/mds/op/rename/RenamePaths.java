package io.steadfs.mds.op.rename;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.KnownShards;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.List;
import java.util.Optional;

/**
 * Resolves the two paths of a rename. First the source is resolved to a directory and a name in that directory. Then
 * the target is resolved to the directory into which the source moves. The shard of the target's directory decides the
 * rename. Any other shard sends the rename on, with both paths as far as they are resolved:
 *
 * <pre>
 *  source /a/b/f   target /x/y/g     a on shard 1, b on 2, x on 3, y on 4
 *
 *  asked  answers CONTINUE with source     target      shard
 *  0                            a, b/f     /, x/y/g    1
 *  1                            b, f       /, x/y/g    2
 *  2      b, f is resolved                             0
 *  0                            b, f       x, y/g      3
 *  3                            b, f       y, g        4
 *  4      decides
 * </pre>
 *
 * If the paths are whole, the shard of the target's directory resolves both by itself. Any other shard sends the
 * request there as it is.
 *
 * @param source the walk to the source; empty if the source's directory is on another shard
 * @param from the source, as a directory and the name in that directory
 * @param target the walk to the target
 * @param place the walk to the new name: the target, or the source's name in the directory at the target
 */
record RenamePaths(Optional<PathWalk> source, Location from, PathWalk target, PathWalk place) {
    static RenamePaths resolve(RenameRequest request, Context context) throws Refused {
        if (request.getSource().getWhole() && request.getTarget().getWhole() && !context.isAlone()) {
            return whole(request, context);
        }
        Location from = request.getSource();
        Optional<PathWalk> source = Optional.empty();
        if (isResolvedElsewhere(from, context)) {
            PathWalk.requireResolved(from, context);
        } else {
            PathWalk walk = source(request, context);
            source = Optional.of(walk);
            from = location(walk.key().directory(), walk.key().name());
        }
        Handle targetStart = PathWalk.start(request.getTarget());
        if (targetStart.isOwnedByShard() && !context.owns(targetStart)) {
            throw goOn(sent(from, source, context), request.getTarget(), targetStart.shard());
        }
        PathWalk target = target(request, request.getTarget(), source, from, context);
        boolean isItself =
                source.isPresent() && target.isFound() && source.get().object().equals(target.object());
        if (!isIntoDirectory(request, target) || isItself) {
            return new RenamePaths(source, from, target, target);
        }
        if (!target.isStart() && !context.owns(target.object())) {
            throw goOn(
                    sent(from, source, context),
                    directory(target.object(), context),
                    target.object().shard());
        }
        return new RenamePaths(
                source, from, target, target(request, below(request.getTarget(), from), source, from, context));
    }

    private static Location directory(Handle directory, Context context) {
        return Location.newBuilder()
                .setStart(directory.value())
                .setToken(context.startToken(directory))
                .build();
    }

    /** The source's name in the directory at the target. */
    private static Location below(Location target, Location from) {
        String name = PathWalk.lastName(from);
        return target.toBuilder()
                .setPath(target.getPath().isEmpty() ? name : target.getPath() + "/" + name)
                .build();
    }

    private static RenamePaths whole(RenameRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.toHold(request.getSource(), context);
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_RENAME, walk.text() + " cannot be renamed");
        }
        Optional<PathWalk> source = walk.isLastElsewhere() ? Optional.empty() : Optional.of(walk);
        if (source.isPresent()) {
            walk.requireFound();
        }
        Location from = location(walk.key().directory(), walk.key().name());
        if (source.isEmpty() && !context.owns(walk.parent())) {
            requireNewMap(walk, context);
        }
        PathWalk target = wholeTarget(request, request.getTarget(), source, from, context);
        if (source.isEmpty() && isBelowSource(request)) {
            // It must not be held: then the path to the target could not be resolved.
            throw new Refused(
                    FsError.INVALID_RENAME, walk.text() + " cannot be moved below itself, to " + target.text());
        }
        if (source.isEmpty()
                && !target.isStart()
                && target.isFound()
                && target.key().equals(walk.key())) {
            throw walk.goOnAtName();
        }
        boolean isItself =
                source.isPresent() && target.isFound() && source.get().object().equals(target.object());
        PathWalk place = isIntoDirectory(request, target) && !isItself
                ? wholeTarget(request, below(request.getTarget(), from), source, from, context)
                : target;
        return new RenamePaths(source, from, target, place);
    }

    /**
     * If another shard does not have the source any more, the copy of the map that led there is old. The home shard gives a
     * newer one, with which the client's next try comes further. This try ends: no intent may ask for a source at two places.
     */
    private static void requireNewMap(PathWalk source, Context context) throws Refused {
        PeerAnswers answers = context.inputs().peerAnswers();
        if (!answers.hasRefusal(FsError.STALE_START, need -> need.action().hasLockSource())) {
            return;
        }
        var unused = answers.get(Facts.copies(context.inputs().shard(), source.parent(), List.of()));
        throw new Refused(
                FsError.STALE_START, source.text() + " went to another partition meanwhile: begin at the root again");
    }

    /** @param to the target, or a name in the directory at the target */
    private static PathWalk wholeTarget(
            RenameRequest request, Location to, Optional<PathWalk> source, Location from, Context context)
            throws Refused {
        boolean mayEnter = request.getMode() == RenameRequest.Mode.INTO_DIRECTORY && to.equals(request.getTarget());
        try {
            return mayEnter ? PathWalk.toChangeOrEnter(to, context) : PathWalk.toChange(to, context);
        } catch (Refused refused) {
            // A missing source comes first, also before a symbolic link. If the target is below the source, the walk to
            // it
            // has found the source. It must not be held then.
            if (source.isEmpty() && refused.error().resolver() == Resolver.CALLER && !isBelowSource(request)) {
                RenameSource.elsewhere(from, context);
            }
            throw ofTarget(refused);
        }
    }

    /** Whether the target is below the source. Both paths are whole. */
    private static boolean isBelowSource(RenameRequest request) throws Refused {
        FsPath source = PathWalk.parse(request.getSource().getPath());
        FsPath target = PathWalk.parse(request.getTarget().getPath());
        return source.covers(target) && !source.equals(target);
    }

    /**
     * Whether the source moves into the target directory and keeps its name. The request must have the mode
     * INTO_DIRECTORY, and the target must be an existing directory.
     */
    static boolean isIntoDirectory(RenameRequest request, PathWalk target) {
        return request.getMode() == RenameRequest.Mode.INTO_DIRECTORY && target.isFound() && target.isDirectory();
    }

    /** Whether the source is a name in a directory of another shard. That shard must have resolved it. */
    private static boolean isResolvedElsewhere(Location source, Context context) throws Refused {
        Handle start = PathWalk.start(source);
        if (start.isOwnedByShard()) {
            KnownShards.require(start, context);
        }
        return start.isOwnedByShard()
                && !context.owns(start)
                && PathWalk.parse(source.getPath()).depth() == 1;
    }

    private static PathWalk source(RenameRequest request, Context context) throws Refused {
        PathWalk walk;
        try {
            walk = PathWalk.toChange(request.getSource(), context);
        } catch (Refused refused) {
            if (refused.error() == FsError.CONTINUE) {
                Location rest = rest(refused.header());
                throw goOn(rest, request.getTarget(), PathWalk.start(rest).shard());
            }
            throw refused;
        }
        if (walk.isStart()) {
            throw new Refused(FsError.INVALID_RENAME, walk.text() + " cannot be renamed");
        }
        walk.requireFound();
        return walk;
    }

    /**
     * The walk to the target. If the source is missing and the target is wrong, too, the refusal names the missing
     * source.
     *
     * @param to the target, or a name in the directory at the target
     */
    private static PathWalk target(
            RenameRequest request, Location to, Optional<PathWalk> source, Location from, Context context)
            throws Refused {
        try {
            return PathWalk.toChange(to, context);
        } catch (Refused refused) {
            if (refused.error() == FsError.CONTINUE) {
                // The mode says what becomes of a directory at the target, and not of one that has the new name.
                Location rest = to.equals(request.getTarget())
                        ? rest(refused.header())
                        : directory(new Handle(refused.header().getContinueDirectory()), context);
                throw goOn(
                        sent(from, source, context), rest, PathWalk.start(rest).shard());
            }
            if (source.isEmpty() && isDefinite(refused)) {
                RenameSource.elsewhere(from, context);
            }
            throw ofTarget(refused);
        }
    }

    /** Whether the target is wrong. A symbolic link on its path only leads to another target. */
    private static boolean isDefinite(Refused refused) {
        return refused.error().resolver() == Resolver.CALLER && refused.error() != FsError.UNRESOLVED_LINK;
    }

    private static Refused ofTarget(Refused refused) {
        return refused.error() == FsError.UNRESOLVED_LINK
                ? new Refused(
                        refused.error(),
                        refused.header().toBuilder().setLinkOfTarget(true).build())
                : refused;
    }

    /** A place to which this shard has not walked must have the token with which it came. */
    private static Refused goOn(Location source, Location target, int shard) {
        return new Refused(
                FsError.CONTINUE,
                ReplyHeader.newBuilder()
                        .setMessage("the rename goes on at shard " + shard)
                        .setContinueDirectory(PathWalk.start(source).value())
                        .setContinueToken(source.getToken())
                        .setContinuePath(source.getPath())
                        .setContinueTargetDirectory(PathWalk.start(target).value())
                        .setContinueTargetToken(target.getToken())
                        .setContinueTargetPath(target.getPath())
                        .setContinueShard(shard + 1)
                        .build());
    }

    private static Location rest(ReplyHeader header) {
        return Location.newBuilder()
                .setStart(header.getContinueDirectory())
                .setToken(header.getContinueToken())
                .setPath(header.getContinuePath())
                .build();
    }

    private static Location location(Handle directory, String path) {
        return Location.newBuilder().setStart(directory.value()).setPath(path).build();
    }

    /** The source for another shard. If this shard has resolved it, it gives a token of its own. */
    private static Location sent(Location from, Optional<PathWalk> source, Context context) {
        return source.isPresent()
                ? from.toBuilder()
                        .setToken(context.resolvedToken(PathWalk.start(from), from.getPath()))
                        .build()
                : from;
    }
}
