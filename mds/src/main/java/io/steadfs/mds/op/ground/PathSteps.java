package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes the steps of a {@link PathWalk} and remembers how far the walk has got. */
final class PathSteps {
    private final Context context;
    private final WalkStart start;
    private final FsPath path;
    private final PathText text;
    private final boolean changesName;
    private final List<Handle> chain = new ArrayList<>();

    private Handle parent;
    private DirectoryRow parentRow;
    private int reached;
    private Optional<DirentKey> key = Optional.empty();
    private Optional<DirentRow> dirent = Optional.empty();

    /** @param changesName whether the caller wants to add, remove or change the last name of the path */
    PathSteps(Context context, WalkStart start, PathText text, boolean changesName) {
        this.context = context;
        this.start = start;
        this.path = start.path();
        this.text = text;
        this.changesName = changesName;
        this.parent = start.handle();
        this.parentRow = start.row();
        chain.add(parent);
    }

    void run() throws Refused {
        if (path.isRoot()) {
            return;
        }
        if (start.known().isPresent()) {
            follow(start.known().get());
        } else if (!findParents()) {
            return;
        }
        int last = path.depth() - 1;
        search(last, path.components().get(last));
    }

    /** Follows the cached path. Makes the same permission checks as a walk without a cached path. */
    private void follow(CachedPath way) throws Refused {
        for (int i = 1; i < way.chain().size(); i++) {
            reached = i - 1;
            requireSearchable();
            parent = way.chain().get(i);
            parentRow = way.rows().get(i);
            chain.add(parent);
        }
    }

    /** Looks up all names before the last one, and returns whether all of them exist. */
    private boolean findParents() throws Refused {
        List<String> names = start.parents();
        boolean isHeld = false;
        for (int i = 0; i < names.size(); i++) {
            search(i, names.get(i));
            if (dirent.isEmpty()) {
                return false;
            }
            isHeld |= dirent.get().hasLock();
            enter(dirent.get());
        }
        if (!isHeld && start.hasWay() && context.view().keepsDerived()) {
            CachedPath.of(chain, context.view()).ifPresent(way -> way.keep(names, context.view()));
        }
        return true;
    }

    private void requireSearchable() throws Refused {
        if (!Permissions.allow(context.principal(), parentRow, Permissions.EXECUTE)) {
            Permissions.require(context.principal(), parentRow, Permissions.EXECUTE, text.to(reached));
        }
    }

    private void search(int i, String name) throws Refused {
        reached = i;
        requireSearchable();
        DirentKey searched = DirentKey.of(parent, name);
        if (!DirectoryNode.hasOnePartition(parentRow)) {
            checkPartition(searched);
        }
        key = Optional.of(searched);
        dirent = Dirents.find(context.view(), searched);
        if (dirent.isPresent() && dirent.get().hasLock()) {
            meetLock(i, dirent.get());
        }
    }

    private void meetLock(int i, DirentRow locked) throws Refused {
        String what = text.to(i + 1);
        if (changesName && i == path.depth() - 1) {
            LockedName.requireFree(locked, what);
        }
        if (LockedName.isGone(locked, what, context)) {
            if (changesName) {
                LockedName.requireFree(locked, what);
            }
            dirent = Optional.empty();
        }
    }

    private void checkPartition(DirentKey searched) throws Refused {
        PartitionMap map = DirectoryNode.map(context.view(), parent, parentRow);
        int partition = map.ownerOf(searched.hash());
        if (map.shardOf(partition) != context.inputs().shard()) {
            throw new Refused(
                    FsError.WRONG_PARTITION,
                    elsewhere(parent, reached)
                            .setMessage("partition " + partition + " of directory " + parent + " is on shard "
                                    + map.shardOf(partition))
                            .setPartitionMap(map.toProto())
                            .build());
        }
    }

    private void enter(DirentRow row) throws Refused {
        Handle next = new Handle(row.getHandle());
        if (row.getType() != EntryType.ENTRY_DIRECTORY) {
            throw new Refused(FsError.NOT_A_DIRECTORY, text.to(reached + 1) + " is a file");
        }
        checkOwned(next);
        parentRow = directory(next);
        parent = next;
        chain.add(next);
    }

    /**
     * Refuses with CONTINUE if the object is on another shard.
     *
     * @param object the object to which the name that was looked up last leads
     */
    void checkOwned(Handle object) throws Refused {
        if (object.shard() != context.inputs().shard()) {
            throw new Refused(
                    FsError.CONTINUE,
                    elsewhere(object, reached + 1)
                            .setMessage(text.to(reached + 1) + " goes on at shard " + object.shard())
                            .build());
        }
    }

    private ReplyHeader.Builder elsewhere(Handle directory, int from) {
        List<String> names = path.components();
        return ReplyHeader.newBuilder()
                .setContinueDirectory(directory.value())
                .setContinuePath(String.join("/", names.subList(from, names.size())));
    }

    /** The row of the directory to which the name that was looked up last leads. */
    DirectoryRow directory(Handle handle) {
        Optional<DirectoryRow> row = Directories.find(context.view(), handle);
        if (row.isEmpty()) {
            throw new DanglingDirent("dirent " + text.to(reached + 1) + " points to missing directory " + handle);
        }
        return row.get();
    }

    /** The deepest directory that the walk has reached; before the first step, the start of the walk. */
    Handle parent() {
        return parent;
    }

    DirectoryRow parentRow() {
        return parentRow;
    }

    /** The directories from the start of the walk to {@link #parent}, in this order. */
    List<Handle> chain() {
        return chain;
    }

    /** Index of the path component that was looked up last. */
    int reached() {
        return reached;
    }

    /** The key of the name that was looked up last; empty before the first lookup. */
    Optional<DirentKey> key() {
        return key;
    }

    /** The dirent of the name that was looked up last; empty if the name does not exist. */
    Optional<DirentRow> dirent() {
        return dirent;
    }
}
