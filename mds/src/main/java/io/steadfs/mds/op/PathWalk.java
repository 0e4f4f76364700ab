package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way from a directory down a path, component by component, as far as it exists, with permission x asked of every
 * directory that is searched. Ends in one of three ways:
 *
 * <ul>
 *   <li>the path is empty: it is the start itself, {@link #isStart};
 *   <li>every component but perhaps the last exists: {@link #parent} is where the last one is or would be;
 *   <li>a component before the last is missing: {@link #parent} is the deepest directory that exists, {@link #key} the
 *       first name that does not.
 * </ul>
 *
 * Refused where a component on the way is a file (NOT_A_DIRECTORY), where x is missing (PERMISSION_DENIED), and where
 * another shard has to go on: CONTINUE names the directory and what is left of the path, WRONG_PARTITION carries the
 * directory's map besides.
 */
final class PathWalk {
    private final Context context;
    private final FsPath path;
    private final String prefix;
    private final List<Handle> chain = new ArrayList<>();

    private Handle parent;
    private DirectoryRow parentRow;
    private int reached;
    private Optional<DirentKey> key = Optional.empty();
    private Optional<DirentRow> dirent = Optional.empty();

    private PathWalk(Context context, Location location) throws Refused {
        this.context = context;
        this.path = parse(location.getPath());
        this.parent = location.getStart() == 0 ? Handle.ROOT : new Handle(location.getStart());
        this.prefix = parent.equals(Handle.ROOT) ? "/" : parent + "/";
        this.parentRow = startRow(parent);
        chain.add(parent);
    }

    static PathWalk to(Location location, Context context) throws Refused {
        PathWalk walk = new PathWalk(context, location);
        walk.run();
        return walk;
    }

    private static FsPath parse(String text) throws Refused {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            String message = String.valueOf(e.getMessage());
            String code = e.error() + ": ";
            throw new Refused(e.error(), message.startsWith(code) ? message.substring(code.length()) : message);
        }
    }

    /**
     * A walk begins below the root only where another shard sent it on, having asked x of the directories above. With one
     * shard nobody does, so such a start would only serve to pass by those, or to get into a tree that was cut off.
     */
    private DirectoryRow startRow(Handle start) throws Refused {
        if (!start.isOwnedByShard() || start.shard() != context.inputs().shard()) {
            throw new Refused(
                    FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own directory " + start);
        }
        if (!start.equals(Handle.ROOT) && context.inputs().cluster().getShardCount() <= 1) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "a path begins at the root, not at " + start + ": there is one shard");
        }
        Optional<DirectoryRow> row = Directories.find(context.view(), start);
        if (row.isPresent()) {
            return row.get();
        }
        throw Metafiles.find(context.view(), start).isPresent()
                ? new Refused(FsError.NOT_A_DIRECTORY, start + " is a file")
                : new Refused(FsError.NOT_FOUND, "directory " + start + " does not exist");
    }

    private void run() throws Refused {
        List<String> names = path.components();
        int last = names.size() - 1;
        for (int i = 0; i <= last; i++) {
            search(i, names.get(i));
            if (i == last || dirent.isEmpty()) {
                return;
            }
            enter(dirent.get());
        }
    }

    private void search(int i, String name) throws Refused {
        reached = i;
        if (!Permissions.allow(context.asker(), parentRow, Permissions.EXECUTE)) {
            Permissions.require(context.asker(), parentRow, Permissions.EXECUTE, textTo(i));
        }
        DirentKey searched = DirentKey.of(parent, name);
        if (!DirectoryNode.hasOnePartition(parentRow)) {
            checkPartition(searched);
        }
        key = Optional.of(searched);
        dirent = Dirents.find(context.view(), searched);
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
            throw new Refused(FsError.NOT_A_DIRECTORY, textTo(reached + 1) + " is a file");
        }
        checkOwned(next);
        parentRow = directory(next);
        parent = next;
        chain.add(next);
    }

    private void checkOwned(Handle object) throws Refused {
        if (object.shard() != context.inputs().shard()) {
            throw new Refused(
                    FsError.CONTINUE,
                    elsewhere(object, reached + 1)
                            .setMessage(textTo(reached + 1) + " goes on at shard " + object.shard())
                            .build());
        }
    }

    private ReplyHeader.Builder elsewhere(Handle directory, int from) {
        List<String> names = path.components();
        return ReplyHeader.newBuilder()
                .setContinueDirectory(directory.value())
                .setContinuePath(String.join("/", names.subList(from, names.size())));
    }

    private DirectoryRow directory(Handle handle) {
        Optional<DirectoryRow> row = Directories.find(context.view(), handle);
        if (row.isEmpty()) {
            throw new DanglingDirent("dirent " + textTo(reached + 1) + " points to missing directory " + handle);
        }
        return row.get();
    }

    /** The path is empty: it names {@link #parent} itself. */
    boolean isStart() {
        return path.isRoot();
    }

    /** Whether the path leads to something. */
    boolean isFound() {
        return isStart() || dirent.isPresent();
    }

    /** Whether every component but the last exists. */
    boolean isParentFound() {
        return isStart() || reached == path.depth() - 1;
    }

    /** The deepest directory that was reached: of a found path, the one that holds its last component. */
    Handle parent() {
        return parent;
    }

    DirectoryRow parentRow() {
        return parentRow;
    }

    /** Directories from the start to {@link #parent}. */
    List<Handle> chain() {
        return chain;
    }

    /** Index of the component looked up last: the first missing one, or the last of the path. */
    int reached() {
        return reached;
    }

    List<String> names() {
        return path.components();
    }

    /** The name looked up last. Not for the start. */
    DirentKey key() {
        return key.orElseThrow(() -> new IllegalStateException("the start of a path has no name"));
    }

    /** Where the path leads, if it is found and not the start. */
    Optional<DirentRow> dirent() {
        return dirent;
    }

    Handle object() {
        return isStart() ? parent : new Handle(dirent.orElseThrow().getHandle());
    }

    boolean isDirectory() {
        return isStart() || dirent.orElseThrow().getType() == EntryType.ENTRY_DIRECTORY;
    }

    /** Refuses with NOT_FOUND, naming the first missing component. */
    void requireFound() throws Refused {
        if (!isFound()) {
            throw notFound();
        }
    }

    Refused notFound() {
        return new Refused(FsError.NOT_FOUND, textTo(reached + 1) + " does not exist");
    }

    /** What the found path leads to. */
    Node node() throws Refused {
        return isDirectory() ? directoryNode() : fileNode();
    }

    DirectoryNode directoryNode() throws Refused {
        if (isStart()) {
            return new DirectoryNode(parent, parentRow);
        }
        Handle handle = object();
        checkOwned(handle);
        return new DirectoryNode(handle, directory(handle));
    }

    FileNode fileNode() throws Refused {
        Handle handle = object();
        checkOwned(handle);
        return new FileNode(
                handle,
                Metafiles.find(context.view(), handle)
                        .orElseThrow(() ->
                                new DanglingDirent("dirent " + text() + " points to missing metafile " + handle)));
    }

    /** The whole path, for people. */
    String text() {
        return prefix + path.relative();
    }

    /** The first so many components, for people. */
    String textTo(int count) {
        return prefix + String.join("/", path.components().subList(0, count));
    }
}
