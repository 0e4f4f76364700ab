package io.steadfs.mds.op.list;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The partition of a directory from which a page of a listing is. A page never goes beyond its end.
 *
 * @param directory the listed directory, with its permissions; it may be on another shard
 * @param partition the partition, which is on this shard
 */
record ListedPart(DirectoryNode directory, Partition partition) {
    /**
     * The partition with the hash, of the directory to which the walk leads. The caller may list it.
     *
     * @throws Refused if another shard must answer, or if the caller may not list the directory
     */
    static ListedPart of(PathWalk walk, long hash, Context context) throws Refused {
        Handle handle = walk.object();
        Optional<ListedPart> beside = context.owns(handle) ? Optional.empty() : beside(walk, handle, hash, context);
        return beside.isPresent() ? beside.get() : ofHome(walk, handle, hash, context);
    }

    /** The partition at the shard that decides about the directory's map. Another shard sends the request there. */
    private static ListedPart ofHome(PathWalk walk, Handle handle, long hash, Context context) throws Refused {
        DirectoryNode directory = walk.directoryNode();
        Permissions.requireListable(context.principal(), directory, walk.text());
        if (DirectoryNode.hasOnePartition(directory.row())) {
            return new ListedPart(directory, new Partition(0, 0, handle));
        }
        MapEntry entry = Maps.find(context.view(), handle, hash)
                .orElseThrow(() -> new IllegalStateException(
                        "directory " + handle + " has no partition for hash " + Long.toHexString(hash)));
        if (entry.isStaged()) {
            throw new Refused(FsError.BUSY, "names of " + walk.text() + " are being given to this shard; try again");
        }
        if (!context.owns(entry.handle())) {
            throw walk.goOnAtPartition(entry.handle(), Maps.whole(context.view(), handle));
        }
        return new ListedPart(directory, entry.partition());
    }

    /** The partition, if this shard has it and the directory is on another one. */
    private static Optional<ListedPart> beside(PathWalk walk, Handle handle, long hash, Context context)
            throws Refused {
        Optional<MapEntry> own = Maps.find(context.view(), handle, hash);
        if (own.isEmpty()) {
            return Optional.empty();
        }
        DirectoryNode directory = new DirectoryNode(handle, WholeDirectory.permissions(handle, context));
        if (DirectoryNode.hasOnePartition(directory.row()) || own.get().isStaged()) {
            return Optional.empty();
        }
        Permissions.requireListable(context.principal(), directory, walk.text());
        return Optional.of(new ListedPart(directory, own.get().partition()));
    }

    /** The directory that has the names of the partition. */
    Handle names() {
        return partition.handle();
    }

    /** The first hash of the next partition; empty if this is the last one. */
    OptionalLong nextHash() {
        return partition.lastHash() == -1L ? OptionalLong.empty() : OptionalLong.of(partition.lastHash() + 1);
    }
}
