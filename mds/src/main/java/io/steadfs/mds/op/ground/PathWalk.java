package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The walk from a directory down a path, component by component, as far as the path exists. The caller needs permission x on
 * every directory that is searched. The walk ends in one of three ways:
 *
 * <ul>
 *   <li>The path is empty: the walk ends at its start, {@link #isStart}, which may be a file.
 *   <li>Every component exists, possibly except the last: {@link #parent} is the directory where the last one is or would be.
 *   <li>A component before the last is missing: {@link #parent} is the deepest directory that exists, and {@link #key} is the
 *       first name that does not exist.
 * </ul>
 *
 * The walk is refused if a component on the way is a file (NOT_A_DIRECTORY) or x is missing (PERMISSION_DENIED). It is also
 * refused if another shard must continue it: CONTINUE names the directory and the rest of the path, and WRONG_PARTITION also
 * carries the directory's map. STALE_START means that the start no longer exists.
 *
 * <p>If a rename of another shard holds a name, that shard says whether the name exists. A walk that wants to change a name
 * is refused with BUSY instead.
 */
public final class PathWalk {
    private final Context context;
    private final FsPath path;
    private final String prefix;
    private final List<Handle> chain = new ArrayList<>();

    private final boolean changesName;
    private final Optional<FileNode> startFile;
    /** The cached path down to the directory of the last component. */
    private final Optional<CachedPath> known;

    private Handle parent;
    private DirectoryRow parentRow;
    private int reached;
    private Optional<DirentKey> key = Optional.empty();
    private Optional<DirentRow> dirent = Optional.empty();

    private PathWalk(Context context, Location location, boolean changesName) throws Refused {
        this.context = context;
        this.changesName = changesName;
        this.path = parse(location.getPath());
        this.parent = start(location);
        this.prefix = parent.equals(Handle.ROOT) ? "/" : path.isRoot() ? parent.toString() : parent + "/";
        checkOwner(parent);
        this.known = hasWay() ? CachedPath.kept(parent, parents(), context.view()) : Optional.empty();
        if (known.isEmpty()) {
            checkLinked(parent);
        }
        Optional<DirectoryRow> row =
                known.isPresent() ? Optional.of(known.get().rows().get(0)) : Directories.find(context.view(), parent);
        this.startFile = row.isPresent() ? Optional.empty() : Optional.of(startFile(parent));
        this.parentRow = row.orElse(DirectoryRow.getDefaultInstance());
        chain.add(parent);
    }

    /** A walk to an object that is read or changed under its name. */
    public static PathWalk to(Location location, Context context) throws Refused {
        return to(location, context, false);
    }

    /** A walk to a name that will be added, removed or changed. */
    public static PathWalk toChange(Location location, Context context) throws Refused {
        return to(location, context, true);
    }

    private static PathWalk to(Location location, Context context, boolean changesName) throws Refused {
        PathWalk walk = new PathWalk(context, location, changesName);
        walk.run();
        return walk;
    }

    /** The directory at which the walk begins. */
    public static Handle start(Location location) {
        return location.getStart() == 0 ? Handle.ROOT : new Handle(location.getStart());
    }

    public static FsPath parse(String text) throws Refused {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            String message = String.valueOf(e.getMessage());
            String code = e.error() + ": ";
            throw new Refused(e.error(), message.startsWith(code) ? message.substring(code.length()) : message);
        }
    }

    /**
     * A walk begins below the root only if another shard sent it on, after checking x on the directories above. With a single
     * shard there is no other shard. Then such a start could only serve to avoid these checks, or to get into a tree that was
     * cut off.
     */
    private void checkOwner(Handle start) throws Refused {
        if (!start.isOwnedByShard() || start.shard() != context.inputs().shard()) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + start);
        }
        if (!start.equals(Handle.ROOT) && context.inputs().cluster().getShardCount() <= 1) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT, "a path begins at the root, not at " + start + ": there is one shard");
        }
    }

    /** Refuses a start that was cut off. A cached path has this check among its sources. */
    private void checkLinked(Handle start) throws Refused {
        if (!start.equals(Handle.ROOT) && DeletionQueue.hasTree(context.view(), start)) {
            throw stale(start);
        }
    }

    private FileNode startFile(Handle start) throws Refused {
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
    private boolean hasWay() {
        return path.depth() > (parent.equals(Handle.ROOT) ? 1 : 0);
    }

    private List<String> parents() {
        return path.components().subList(0, path.depth() - 1);
    }

    private void run() throws Refused {
        if (path.isRoot()) {
            return;
        }
        boolean areParentsThere = known.isPresent() ? follow(known.get()) : findParents();
        if (areParentsThere) {
            int last = path.depth() - 1;
            search(last, path.components().get(last));
        }
    }

    /** Follows the cached path, and checks permission where a walk would. */
    private boolean follow(CachedPath way) throws Refused {
        for (int i = 1; i < way.chain().size(); i++) {
            reached = i - 1;
            requireSearchable();
            parent = way.chain().get(i);
            parentRow = way.rows().get(i);
            chain.add(parent);
        }
        return true;
    }

    private boolean findParents() throws Refused {
        List<String> names = parents();
        boolean isHeld = false;
        boolean isWorthKeeping = hasWay();
        for (int i = 0; i < names.size(); i++) {
            search(i, names.get(i));
            if (dirent.isEmpty()) {
                return false;
            }
            isHeld |= dirent.get().hasLock();
            enter(dirent.get());
        }
        if (!isHeld && isWorthKeeping && context.view().keepsDerived()) {
            CachedPath.of(chain, context.view()).ifPresent(way -> way.keep(names, context.view()));
        }
        return true;
    }

    private void requireSearchable() throws Refused {
        if (!Permissions.allow(context.principal(), parentRow, Permissions.EXECUTE)) {
            Permissions.require(context.principal(), parentRow, Permissions.EXECUTE, textTo(reached));
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
        String what = textTo(i + 1);
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

    /** Whether the path is empty, so that it names {@link #parent} itself. */
    public boolean isStart() {
        return path.isRoot();
    }

    /** Whether the path leads to an object. */
    public boolean isFound() {
        return isStart() || dirent.isPresent();
    }

    /** Whether every component but the last exists. */
    public boolean isParentFound() {
        return isStart() || reached == path.depth() - 1;
    }

    /** The deepest directory that was reached. For a path that was found, the directory that holds its last component. */
    public Handle parent() {
        return parent;
    }

    public DirectoryRow parentRow() {
        if (startFile.isPresent()) {
            throw new IllegalStateException(parent + " is a file");
        }
        return parentRow;
    }

    /** Directories from the start to {@link #parent}. */
    public List<Handle> chain() {
        return chain;
    }

    /** Index of the component looked up last: the first missing one, or the last of the path. */
    public int reached() {
        return reached;
    }

    public List<String> names() {
        return path.components();
    }

    /** The name that was looked up last. Not for the start. */
    public DirentKey key() {
        return key.orElseThrow(() -> new IllegalStateException("the start of a path has no name"));
    }

    /** The dirent to which the path leads, if the path was found and is not the start. */
    public Optional<DirentRow> dirent() {
        return dirent;
    }

    public Handle object() {
        return isStart() ? parent : new Handle(dirent.orElseThrow().getHandle());
    }

    public boolean isDirectory() {
        return isStart() ? startFile.isEmpty() : dirent.orElseThrow().getType() == EntryType.ENTRY_DIRECTORY;
    }

    /** The object to which the path leads, which may be at another shard. Only for a path that was found. */
    public NamedObject named() {
        return new NamedObject(object(), isDirectory(), text());
    }

    /** Refuses with NOT_FOUND, and names the first missing component. */
    public void requireFound() throws Refused {
        if (!isFound()) {
            throw notFound();
        }
    }

    public Refused notFound() {
        return new Refused(FsError.NOT_FOUND, textTo(reached + 1) + " does not exist");
    }

    /** The object to which the path leads. Only for a path that was found. */
    public Node node() throws Refused {
        return isDirectory() ? directoryNode() : fileNode();
    }

    public DirectoryNode directoryNode() throws Refused {
        if (isStart()) {
            return new DirectoryNode(parent, parentRow);
        }
        Handle handle = object();
        checkOwned(handle);
        return new DirectoryNode(handle, directory(handle));
    }

    FileNode fileNode() throws Refused {
        if (startFile.isPresent()) {
            return startFile.get();
        }
        Handle handle = object();
        checkOwned(handle);
        return new FileNode(
                handle,
                Metafiles.find(context.view(), handle)
                        .orElseThrow(() ->
                                new DanglingDirent("dirent " + text() + " points to missing metafile " + handle)));
    }

    /** The whole path, for people. */
    public String text() {
        return prefix + path.relative();
    }

    /** The first components of the path, up to this number, for people. */
    public String textTo(int count) {
        return prefix + String.join("/", path.components().subList(0, count));
    }
}
