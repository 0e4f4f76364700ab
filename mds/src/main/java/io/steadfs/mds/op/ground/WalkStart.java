package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import java.util.List;
import java.util.Optional;

/**
 * The object at which a {@link PathWalk} begins.
 *
 * @param path the path below the start
 * @param known the cached path from the start to the directory of the last component; empty if none is cached
 * @param file the start, if the start is a file
 * @param row the row of the start, if the start is a directory of this shard; otherwise an empty row
 * @param isWhole whether the path begins at the root and is resolved here, also where other shards own it
 * @param isHinted whether the object of a whole path may be here although another shard owns its name
 */
record WalkStart(
        Handle handle,
        FsPath path,
        Optional<CachedPath> known,
        Optional<FileNode> file,
        DirectoryRow row,
        boolean isWhole,
        boolean isHinted) {

    /** Finds the start of a walk. Refuses a start that this shard does not own, or that no longer exists. */
    static WalkStart of(Location location, Context context) throws Refused {
        FsPath path = PathWalk.parse(location.getPath());
        Handle start = PathWalk.start(location);
        if (location.getWhole() && !start.equals(Handle.ROOT)) {
            throw new Refused(FsError.INVALID_ARGUMENT, "a whole path begins at the root, not at " + start);
        }
        boolean isWhole = location.getWhole() && !context.isAlone();
        if (isWhole && !context.owns(start)) {
            return whole(start, path, location.getHinted());
        }
        checkOwner(start, context);
        checkSent(location, context);
        Optional<CachedPath> known =
                hasWay(start, path) ? CachedPath.kept(start, parents(path), context.view()) : Optional.empty();
        if (known.isEmpty()) {
            checkLinked(start, context);
        }
        Optional<DirectoryRow> row =
                known.isPresent() ? Optional.of(known.get().rows().get(0)) : Directories.find(context.view(), start);
        Optional<FileNode> file = row.isPresent() ? Optional.empty() : Optional.of(file(start, path, context));
        return new WalkStart(
                start, path, known, file, row.orElse(DirectoryRow.getDefaultInstance()), isWhole, location.getHinted());
    }

    /** The start of a whole path at a shard that does not own the root. */
    private static WalkStart whole(Handle start, FsPath path, boolean isHinted) {
        return new WalkStart(
                start, path, Optional.empty(), Optional.empty(), DirectoryRow.getDefaultInstance(), true, isHinted);
    }

    /**
     * Refuses a start that this shard does not own. In a cluster of one shard, every start below the root is refused,
     * too, because no other shard can have sent a walk there.
     */
    private static void checkOwner(Handle start, Context context) throws Refused {
        if (!start.isOwnedByShard() || start.shard() != context.inputs().shard()) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + start);
        }
        if (!start.equals(Handle.ROOT) && context.isAlone()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "a path begins at the root, not at " + start + ": there is one shard");
        }
    }

    /**
     * Refuses a start below the root to which no shard has sent this walk. The shard that sends a walk here has checked
     * execute permission on the directories above the start. A client that forges a start would avoid these checks, and
     * could get into a tree that was cut off.
     */
    private static void checkSent(Location location, Context context) throws Refused {
        Handle start = PathWalk.start(location);
        if (start.equals(Handle.ROOT)) {
            return;
        }
        StartTokens.Validity asStart = validity(location, "", context);
        // A rename comes back to the shard that has resolved its source.
        requireValid(
                asStart == StartTokens.Validity.FORGED ? validity(location, location.getPath(), context) : asStart,
                start,
                context);
    }

    /** Refuses a name that its shard has not resolved for this rename. */
    static void checkResolved(Location source, Context context) throws Refused {
        requireValid(validity(source, source.getPath(), context), PathWalk.start(source), context);
    }

    private static StartTokens.Validity validity(Location location, String name, Context context) {
        return context.inputs()
                .starts()
                .check(location.getToken(), context.principal(), PathWalk.start(location), name, context.now());
    }

    private static void requireValid(StartTokens.Validity validity, Handle start, Context context) throws Refused {
        switch (validity) {
            case VALID -> {}
            case EXPIRED ->
                throw new Refused(
                        FsError.PERMISSION_DENIED,
                        "by the clock of shard " + context.inputs().shard() + " the walk was sent on to " + start
                                + " more than " + StartTokens.LIFE_DAYS + " days ago");
            case FORGED ->
                throw new Refused(
                        FsError.PERMISSION_DENIED,
                        "no shard sent this walk of user " + context.principal().user() + " on to " + start
                                + ": a path begins at the root");
        }
    }

    /**
     * Refuses a start that was cut off. A cached path needs no such check, because a cut at its start ends the cached
     * path.
     */
    private static void checkLinked(Handle start, Context context) throws Refused {
        if (DeletionQueue.isCutOff(context.view(), start)) {
            throw stale(start);
        }
    }

    private static FileNode file(Handle start, FsPath path, Context context) throws Refused {
        Optional<MetafileRow> row = Metafiles.find(context.view(), start);
        if (row.isEmpty()) {
            throw stale(start);
        }
        if (!path.isRoot()) {
            throw new Refused(FsError.NOT_A_DIRECTORY, start + " is a file");
        }
        return new FileNode(start, row.get());
    }

    private static Refused stale(Handle start) {
        return new Refused(FsError.STALE_START, start + " does not exist any more: begin at the root again");
    }

    /**
     * Whether a cached path would save reads. A cached path saves the lookups of all names before the last. For a start
     * below the root, a cached path also saves the check whether the start was cut off.
     */
    boolean hasWay() {
        return hasWay(handle, path);
    }

    private static boolean hasWay(Handle start, FsPath path) {
        return path.depth() > (start.equals(Handle.ROOT) ? 1 : 0);
    }

    /** The components before the last. The path must not be empty. */
    List<String> parents() {
        return parents(path);
    }

    private static List<String> parents(FsPath path) {
        return path.components().subList(0, path.depth() - 1);
    }
}
