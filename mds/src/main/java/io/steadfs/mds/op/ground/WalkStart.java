package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import java.util.List;
import java.util.Optional;

/**
 * The object at which a {@link PathWalk} begins.
 *
 * @param path the path from the start
 * @param known the cached path down to the directory of the last component
 * @param file the start, if it is a file
 * @param row of the start, if it is a directory
 */
record WalkStart(Handle handle, FsPath path, Optional<CachedPath> known, Optional<FileNode> file, DirectoryRow row) {

    /** Refuses a start that this shard does not own, or that does not exist any more. */
    static WalkStart of(Location location, Context context) throws Refused {
        FsPath path = PathWalk.parse(location.getPath());
        Handle start = PathWalk.start(location);
        checkOwner(start, context);
        Optional<CachedPath> known =
                hasWay(start, path) ? CachedPath.kept(start, parents(path), context.view()) : Optional.empty();
        if (known.isEmpty()) {
            checkLinked(start, context);
        }
        Optional<DirectoryRow> row =
                known.isPresent() ? Optional.of(known.get().rows().get(0)) : Directories.find(context.view(), start);
        Optional<FileNode> file = row.isPresent() ? Optional.empty() : Optional.of(file(start, path, context));
        return new WalkStart(start, path, known, file, row.orElse(DirectoryRow.getDefaultInstance()));
    }

    /**
     * A walk begins below the root only if another shard sent it on, after checking x on the directories above. With a single
     * shard there is no other shard. Then such a start could only serve to avoid these checks, or to get into a tree that was
     * cut off.
     */
    private static void checkOwner(Handle start, Context context) throws Refused {
        if (!start.isOwnedByShard() || start.shard() != context.inputs().shard()) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + start);
        }
        if (!start.equals(Handle.ROOT) && context.inputs().cluster().getShardCount() <= 1) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "a path begins at the root, not at " + start + ": there is one shard");
        }
    }

    /** Refuses a start that was cut off. A cached path has this check among its sources. */
    private static void checkLinked(Handle start, Context context) throws Refused {
        if (!start.equals(Handle.ROOT) && DeletionQueue.hasTree(context.view(), start)) {
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

    /** Whether a cached path would save reads: of names on the path, or of whether its start was cut off. */
    boolean hasWay() {
        return hasWay(handle, path);
    }

    private static boolean hasWay(Handle start, FsPath path) {
        return path.depth() > (start.equals(Handle.ROOT) ? 1 : 0);
    }

    /** The components before the last. Not for an empty path. */
    List<String> parents() {
        return parents(path);
    }

    private static List<String> parents(FsPath path) {
        return path.components().subList(0, path.depth() - 1);
    }
}
