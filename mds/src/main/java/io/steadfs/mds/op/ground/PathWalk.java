package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
import java.util.List;
import java.util.Optional;

/**
 * Walks down a path from a start, component by component, until a component does not exist. The caller needs execute
 * permission on every directory in which the walk looks up a name. A walk ends in one of three ways:
 *
 * <ul>
 *   <li>If the path is empty, the walk ends at its start, which may be a file: {@link #isStart}.
 *   <li>If all components before the last exist, {@link #parent} is the directory of the last component. The last
 *       component itself need not exist.
 *   <li>If a component before the last is missing, {@link #parent} is the deepest existing directory, and {@link #key}
 *       is the first missing name.
 * </ul>
 *
 * A walk is refused with one of these errors:
 *
 * <ul>
 *   <li>NOT_A_DIRECTORY: a component before the last is a file.
 *   <li>UNRESOLVED_LINK: a component is a symbolic link that the walk would have to follow. The refusal has the link's
 *       target and the rest of the path. The client goes on along the target.
 *   <li>PERMISSION_DENIED: the caller has no execute permission on a directory.
 *   <li>CONTINUE: another shard must continue the walk at the directory and with the path that the refusal names.
 *   <li>WRONG_PARTITION: the last name of a whole path is in a partition on another shard. The refusal names the shard
 *       and has the partition map of the name's directory.
 *   <li>STALE_START: the start no longer exists.
 * </ul>
 *
 * If a rename of another shard holds a name, a query asks that shard whether the name still exists. A decision is
 * refused with BUSY instead, as the answer may be untrue when the decision is durable.
 */
public final class PathWalk {
    private final Context context;
    private final FsPath path;
    private final PathText text;
    private final Optional<FileNode> startFile;
    private final PathSteps steps;

    private PathWalk(Context context, WalkStart start, WalkPurpose purpose) {
        this.context = context;
        this.path = start.path();
        this.text = PathText.of(start.handle(), path);
        this.startFile = start.file();
        this.steps = new PathSteps(context, start, text, purpose);
    }

    /** Walks to an object whose name the caller does not change. */
    public static PathWalk to(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.USE);
    }

    /** Walks to a name, and to a symbolic link itself if the last name is one. */
    public static PathWalk toLook(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.LOOK);
    }

    /** Walks to a name that the caller will give to a new file. A symbolic link with this name is followed. */
    public static PathWalk toMake(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.MAKE);
    }

    /** Walks to a name for a new directory, or to the directory that is there. A symbolic link is followed. */
    public static PathWalk toMakeOrEnter(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.MAKE_OR_ENTER);
    }

    /** Walks to a name that the caller will add, remove or change, whatever has it. */
    public static PathWalk toChange(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.CHANGE);
    }

    /** Walks to a name that the caller will add, or to a directory that the caller will use if it has this name. */
    public static PathWalk toChangeOrEnter(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.CHANGE_OR_ENTER);
    }

    /** Walks to a name that will be held, on this or another shard: {@link #isLastElsewhere}. */
    public static PathWalk toHold(Location location, Context context) throws Refused {
        return to(location, context, WalkPurpose.HOLD);
    }

    private static PathWalk to(Location location, Context context, WalkPurpose purpose) throws Refused {
        PathWalk walk = new PathWalk(context, WalkStart.of(location, context), purpose);
        walk.steps.run();
        return walk;
    }

    /** Whether another shard owns the last name of a whole path. Whether the name exists is not known then. */
    public boolean isLastElsewhere() {
        return steps.isLastElsewhere();
    }

    /** The refusal that sends a request about the directory at the path to one of its partitions. */
    public Refused goOnAtPartition(Handle partition, PartitionMap map) {
        return steps.goOnAtPartition(partition, map);
    }

    /** The hint of {@link #parent} that names a create protocol for its files; empty if it has none. */
    public String protocolHint() {
        return steps.protocolHint();
    }

    /** The refusal that sends a request with whole paths to the shard of the last name. */
    public Refused goOnAtName() {
        return steps.goOnAtName();
    }

    /** Whether the path begins at the root, and was resolved by this shard alone. */
    public boolean isWhole() {
        return steps.isWhole();
    }

    /** Whether a whole path was found that leads to a file of another shard. */
    public boolean isWholeToFileElsewhere() {
        return steps.isWhole() && !isStart() && !isDirectory() && !isSymlink() && !context.owns(object());
    }

    /**
     * Refuses the source of a rename, a directory of another shard and a name, if that shard has not resolved it for this
     * rename. It has checked that the caller may look the name up.
     */
    public static void requireResolved(Location source, Context context) throws Refused {
        WalkStart.checkResolved(source, context);
    }

    /** The object at which a walk begins; the root if the location names no start. */
    public static Handle start(Location location) {
        return location.getStart() == 0 ? Handle.ROOT : new Handle(location.getStart());
    }

    /** The last name of the path; empty if the path is. */
    public static String lastName(Location location) {
        return location.getPath().substring(location.getPath().lastIndexOf('/') + 1);
    }

    public static FsPath parse(String text) throws Refused {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw new Refused(e.error(), e.words());
        }
    }

    /** Whether the path is empty. An empty path leads to the start of the walk. */
    public boolean isStart() {
        return path.isRoot();
    }

    /** Whether the path leads to an object. */
    public boolean isFound() {
        return isStart() || steps.dirent().isPresent();
    }

    /** Whether every component before the last exists. */
    public boolean isParentFound() {
        return isStart() || steps.reached() == path.depth() - 1;
    }

    /**
     * The deepest directory that the walk reached. If the last component exists, the deepest directory is the one that
     * has the last component.
     */
    public Handle parent() {
        return steps.parent();
    }

    public DirectoryRow parentRow() {
        if (startFile.isPresent()) {
            throw new IllegalStateException(parent() + " is a file");
        }
        return steps.parentRow();
    }

    /** The directories from the start of the walk to {@link #parent}, in this order. */
    public List<Handle> chain() {
        return steps.chain();
    }

    /**
     * Index of the component that was looked up last: the first missing component, or else the last component of the
     * path.
     */
    public int reached() {
        return steps.reached();
    }

    public List<String> names() {
        return path.components();
    }

    /**
     * The key of the name that was looked up last.
     *
     * @throws IllegalStateException if the path is empty
     */
    public DirentKey key() {
        return steps.key().orElseThrow(() -> new IllegalStateException("the start of a path has no name"));
    }

    /** The dirent to which the path leads; empty if the path was not found or is empty. */
    public Optional<DirentRow> dirent() {
        return steps.dirent();
    }

    public Handle object() {
        return isStart() ? parent() : new Handle(steps.dirent().orElseThrow().getHandle());
    }

    public boolean isDirectory() {
        return isStart() ? startFile.isEmpty() : steps.dirent().orElseThrow().getType() == EntryType.ENTRY_DIRECTORY;
    }

    /** Whether the path leads to a symbolic link, which the walk did not follow. */
    public boolean isSymlink() {
        return !isStart() && steps.dirent().orElseThrow().hasSymlink();
    }

    /** The object to which the path leads, on any shard. The path must have been found. */
    public NamedObject named() {
        return isStart()
                ? new NamedObject(parent(), isDirectory(), Optional.empty(), text())
                : NamedObject.of(steps.dirent().orElseThrow(), text());
    }

    /** As {@link #node}, or a symbolic link that the walk did not follow. */
    public Described described() throws Refused {
        return isSymlink() ? named().symlink().orElseThrow() : node();
    }

    /** Refuses with NOT_FOUND if the path was not found. The message names the first missing component. */
    public void requireFound() throws Refused {
        if (!isFound()) {
            throw notFound();
        }
    }

    public Refused notFound() {
        return new Refused(FsError.NOT_FOUND, textTo(reached() + 1) + " does not exist");
    }

    /**
     * The object to which the path leads. The path must have been found.
     *
     * @throws Refused CONTINUE if the object is on another shard
     */
    public Node node() throws Refused {
        return isDirectory() ? directoryNode() : fileNode();
    }

    public DirectoryNode directoryNode() throws Refused {
        if (isStart()) {
            steps.checkStartOwned();
            return new DirectoryNode(parent(), steps.parentRow());
        }
        Handle handle = object();
        steps.checkOwned(handle);
        return new DirectoryNode(handle, steps.directory(handle));
    }

    FileNode fileNode() throws Refused {
        if (startFile.isPresent()) {
            return startFile.get();
        }
        Handle handle = object();
        steps.checkOwned(handle);
        return new FileNode(
                handle,
                Metafiles.find(context.view(), handle)
                        .orElseThrow(() ->
                                new DanglingDirent("dirent " + text() + " points to missing metafile " + handle)));
    }

    /** The whole path, for messages. */
    public String text() {
        return text.whole();
    }

    /** The first {@code count} components of the path, for messages. */
    public String textTo(int count) {
        return text.to(count);
    }
}
