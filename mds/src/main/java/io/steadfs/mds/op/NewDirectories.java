package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.record.LogRecord;
import java.util.List;

/**
 * Makes the directories that a walk did not find, each in the one before, and all their records. Owner is the asker;
 * the group is that of the deepest directory that was there.
 */
final class NewDirectories {
    /** Whoever makes parents on the way must be able to go through them. */
    private static final int OWNER_WRITE_EXECUTE = 0300;

    private final Context context;
    private final Placement placement;
    private final PathWalk walk;
    private final NewHandles handles;
    private final List<LogRecord> records;

    NewDirectories(Context context, Placement placement, PathWalk walk, NewHandles handles, List<LogRecord> records) {
        this.context = context;
        this.placement = placement;
        this.walk = walk;
        this.handles = handles;
        this.records = records;
    }

    /** Parents of the last component that are missing; each will hold one entry. Answers the last component's parent. */
    Handle makeParents(int mode) throws Refused {
        Handle parent = walk.parent();
        int last = walk.names().size() - 1;
        for (int i = walk.reached(); i < last; i++) {
            parent = make(parent, keyAt(parent, i), depthOf(i), mode | OWNER_WRITE_EXECUTE, 1)
                    .handle();
        }
        return parent;
    }

    /** The last component, empty. */
    DirectoryNode makeLast(Handle parent, int mode) throws Refused {
        int last = walk.names().size() - 1;
        return make(parent, keyAt(parent, last), depthOf(last), mode, 0);
    }

    /** The name at the index in its directory, which the walk found or {@link #makeParents} made. */
    DirentKey keyAt(Handle parent, int index) {
        return index == walk.reached()
                ? walk.key()
                : DirentKey.of(parent, walk.names().get(index));
    }

    private DirectoryNode make(Handle parent, DirentKey key, int depth, int mode, int entries) throws Refused {
        int shards = Math.max(1, context.inputs().cluster().getShardCount());
        int shard = placement.shardOf(parent, walk.names().get(depth - depthOf(0)), depth, shards);
        if (shard != context.inputs().shard()) {
            throw new Refused(
                    FsError.NOT_SUPPORTED, key + " belongs on shard " + shard + "; shards cannot work together yet");
        }
        Handle handle = handles.take();
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(mode)
                .setOwner(context.asker().user())
                .setGroup(walk.parentRow().getGroup())
                .setAccessTime(context.now())
                .setVersion(1)
                .setShards(shards)
                .setParent(parent.value())
                .build();
        records.add(new DirectorySet(handle, row));
        records.add(new PartitionSet(
                handle,
                0,
                Partitions.first(context.now()).toBuilder().setEntries(entries).build()));
        records.add(DirentSet.directory(key, handle));
        return new DirectoryNode(handle, row);
    }

    /** Depth of the component at the index below the root: from there, or by the parents of the walk's start. */
    private int depthOf(int index) {
        int above = 0;
        Handle directory = walk.chain().get(0);
        while (above < placement.spreadDepth() && !directory.equals(Handle.ROOT)) {
            above++;
            Handle child = directory;
            directory = Directories.find(context.view(), directory)
                    .map(row -> new Handle(row.getParent()))
                    .orElseThrow(() -> new DanglingDirent("directory " + child + " is missing"));
        }
        return above + index + 1;
    }
}
