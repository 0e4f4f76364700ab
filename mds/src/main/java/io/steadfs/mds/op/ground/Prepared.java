package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.wire.proto.FreezeDirectory;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.LockSource;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.MoveDirectory;
import io.steadfs.wire.proto.PrepareAction;
import java.util.Collection;

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
        return new Need.Prepare(
                directory.shard(),
                PrepareAction.newBuilder()
                        .setFreezeDirectory(FreezeDirectory.newBuilder().setDirectory(directory.value()))
                        .build());
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
