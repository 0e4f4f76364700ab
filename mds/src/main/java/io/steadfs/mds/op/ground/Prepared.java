package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.wire.proto.FreezeDirectory;
import io.steadfs.wire.proto.HoldMap;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.LockSource;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.MakePartitions;
import io.steadfs.wire.proto.Merge;
import io.steadfs.wire.proto.MergeMap;
import io.steadfs.wire.proto.MergeNames;
import io.steadfs.wire.proto.MoveDirectory;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.TakePartition;
import java.util.Collection;
import java.util.List;

/**
 * Makes the actions that an operation asks other shards to prepare. If the operation's decision succeeds, every action
 * that the decision asked for is committed. So a decision must ask only for actions that belong to its success.
 */
public final class Prepared {
    private Prepared() {}

    public static Need.Prepare directory(int shard, MakeDirectory made) {
        return new Need.Prepare(
                shard, PrepareAction.newBuilder().setMakeDirectory(made).build());
    }

    /** The action that makes empty partitions of a directory. */
    public static Need.Prepare partitions(int shard, MakePartitions made) {
        return new Need.Prepare(
                shard, PrepareAction.newBuilder().setMakePartitions(made).build());
    }

    /** The action that makes a partition with names of this shard. */
    public static Need.Prepare take(int shard, TakePartition taken) {
        return new Need.Prepare(
                shard, PrepareAction.newBuilder().setTakePartition(taken).build());
    }

    /** The action by which the home shard of a directory holds an entry of the map, and changes it. */
    public static Need.Prepare map(HoldMap held) {
        return new Need.Prepare(
                new Handle(held.getDirectory()).shard(),
                PrepareAction.newBuilder().setHoldMap(held).build());
    }

    /** The action that takes the names of a partition that ends, for a partition of another shard. */
    public static Need.Prepare merge(MergeNames merged) {
        return new Need.Prepare(
                new Handle(merged.getMerge().getStays()).shard(),
                PrepareAction.newBuilder().setMergeNames(merged).build());
    }

    /** The action by which the home shard of a directory holds the entries of two partitions that are merged. */
    public static Need.Prepare mergedMap(Merge merge) {
        return new Need.Prepare(
                new Handle(merge.getDirectory()).shard(),
                PrepareAction.newBuilder()
                        .setMergeMap(MergeMap.newBuilder().setMerge(merge))
                        .build());
    }

    /** The action that takes a name out of a directory, for a rename. */
    public static Need.Prepare source(Handle directory, String name) {
        return new Need.Prepare(
                directory.shard(),
                PrepareAction.newBuilder()
                        .setLockSource(LockSource.newBuilder()
                                .setDirectory(directory.value())
                                .setName(name))
                        .build());
    }

    /** The action that removes a directory, which must be empty. */
    public static Need.Prepare removal(Handle directory) {
        return removal(List.of(directory));
    }

    /** The action that removes partitions of a directory, which must be empty. All are on one shard. */
    public static Need.Prepare removal(List<Handle> partitions) {
        FreezeDirectory.Builder action =
                FreezeDirectory.newBuilder().setDirectory(partitions.get(0).value());
        partitions.subList(1, partitions.size()).forEach(each -> action.addPartitions(each.value()));
        return new Need.Prepare(
                partitions.get(0).shard(),
                PrepareAction.newBuilder().setFreezeDirectory(action).build());
    }

    public static Need.Prepare parent(Handle directory, Handle parent) {
        return new Need.Prepare(
                directory.shard(),
                PrepareAction.newBuilder()
                        .setMoveDirectory(MoveDirectory.newBuilder()
                                .setDirectory(directory.value())
                                .setParent(parent.value()))
                        .build());
    }

    /**
     * The action by which shard 0 admits the move of a directory.
     *
     * @param above the new parent and all directories above it
     */
    public static Need.Prepare move(Handle moved, Collection<Handle> above) {
        LockHierarchy.Builder action = LockHierarchy.newBuilder().setMoved(moved.value());
        above.forEach(directory -> action.addAbove(directory.value()));
        return new Need.Prepare(
                Handle.ROOT.shard(),
                PrepareAction.newBuilder().setLockHierarchy(action).build());
    }
}
