package io.steadfs.mds.op.intent;

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
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;

/**
 * Makes a directory whose name will be on the coordinator's shard. The directory is complete from the start, but nobody
 * can reach the directory before its name exists. So the commit has nothing to do. The undo removes the directory if
 * the directory is empty. The undo keeps a directory that has names, as if the intent were committed. At an undo, a
 * directory can have names only if the coordinator committed the intent and then lost the decision. A check of the file
 * system later finds out whether the directory has a name.
 */
record MakeDirectoryPart(MakeDirectory request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        context.requireRoom();
        // Only the owner, who is the caller, is checked. The group comes from the parent directory. An earlier release
        // may have accepted a longer name of a group.
        Permissions.checkPrincipal("owner", request.getOwner());
        NewHandles handles = new NewHandles(context);
        Handle handle = handles.take();
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(Permissions.checkMode(request.getMode()))
                .setOwner(request.getOwner())
                .setGroup(request.getGroup())
                .setAccessTime(context.now())
                .setVersion(1)
                .setParent(request.getParent())
                .setDepth(request.getDepth())
                .build();
        DirectoryNode made = new DirectoryNode(handle, row);
        return new Held(
                List.of(
                        new DirectorySet(handle, row),
                        new CountsSet(handle, DirectoryCounts.first(context.now())),
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
        boolean hasNames = DirectoryCounts.find(context.view(), handle)
                .filter(partition -> partition.getEntries() > 0)
                .isPresent();
        return hasNames ? List.of() : List.of(new DirectoryGone(handle), new CountsGone(handle));
    }
}
