package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.PartitionGone;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;
import java.util.Optional;

/**
 * Makes a directory for a name on the coordinator's shard. The directory is complete from the start, but nobody can reach it
 * before the name exists. So commit has nothing to do, and undo normally finds the directory empty. If the directory has
 * names, the coordinator had committed the intent and lost that. Then the directory stays, as if it were committed, and a
 * check finds whether its own name exists.
 */
record MakeDirectoryPart(MakeDirectory request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        Optional<String> full = context.inputs().full();
        if (full.isPresent()) {
            throw new Refused(FsError.NO_SPACE, full.get());
        }
        // Checks only the owner, who is the caller. The group is the parent's, and an earlier release may have let it
        // be longer.
        Permissions.checkPrincipal("owner", request.getOwner());
        NewHandles handles = new NewHandles(context);
        Handle handle = handles.take();
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(Permissions.checkMode(request.getMode()))
                .setOwner(request.getOwner())
                .setGroup(request.getGroup())
                .setAccessTime(context.now())
                .setVersion(1)
                .setShards(context.inputs().cluster().getShardCount())
                .setParent(request.getParent())
                .setDepth(request.getDepth())
                .build();
        DirectoryNode made = new DirectoryNode(handle, row);
        return new Held(
                List.of(
                        new DirectorySet(handle, row),
                        new PartitionSet(handle, 0, Partitions.first(context.now())),
                        handles.raised()),
                PrepareReply.newBuilder()
                        .setAttributes(made.attributes(0, context.now()))
                        .build());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        return List.of();
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        Handle handle = new Handle(held.getAttributes().getHandle());
        boolean hasNames = Partitions.find(context.view(), handle, 0)
                .filter(partition -> partition.getEntries() > 0)
                .isPresent();
        return hasNames ? List.of() : List.of(new DirectoryGone(handle), new PartitionGone(handle, 0));
    }
}
