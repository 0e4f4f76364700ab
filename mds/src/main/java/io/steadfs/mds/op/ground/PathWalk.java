package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Location;
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
    private final PathText text;
    private final Optional<FileNode> startFile;
    private final PathSteps steps;

    private PathWalk(Context context, WalkStart start, boolean changesName) {
        this.context = context;
        this.path = start.path();
        this.text = PathText.of(start.handle(), path);
        this.startFile = start.file();
        this.steps = new PathSteps(context, start, text, changesName);
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
        PathWalk walk = new PathWalk(context, WalkStart.of(location, context), changesName);
        walk.steps.run();
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

    /** Whether the path is empty, so that it names {@link #parent} itself. */
    public boolean isStart() {
        return path.isRoot();
    }

    /** Whether the path leads to an object. */
    public boolean isFound() {
        return isStart() || steps.dirent().isPresent();
    }

    /** Whether every component but the last exists. */
    public boolean isParentFound() {
        return isStart() || steps.reached() == path.depth() - 1;
    }

    /** The deepest directory that was reached. For a path that was found, the directory that holds its last component. */
    public Handle parent() {
        return steps.parent();
    }

    public DirectoryRow parentRow() {
        if (startFile.isPresent()) {
            throw new IllegalStateException(parent() + " is a file");
        }
        return steps.parentRow();
    }

    /** Directories from the start to {@link #parent}. */
    public List<Handle> chain() {
        return steps.chain();
    }

    /** Index of the component looked up last: the first missing one, or the last of the path. */
    public int reached() {
        return steps.reached();
    }

    public List<String> names() {
        return path.components();
    }

    /** The name that was looked up last. Not for the start. */
    public DirentKey key() {
        return steps.key().orElseThrow(() -> new IllegalStateException("the start of a path has no name"));
    }

    /** The dirent to which the path leads, if the path was found and is not the start. */
    public Optional<DirentRow> dirent() {
        return steps.dirent();
    }

    public Handle object() {
        return isStart() ? parent() : new Handle(steps.dirent().orElseThrow().getHandle());
    }

    public boolean isDirectory() {
        return isStart() ? startFile.isEmpty() : steps.dirent().orElseThrow().getType() == EntryType.ENTRY_DIRECTORY;
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
        return new Refused(FsError.NOT_FOUND, textTo(reached() + 1) + " does not exist");
    }

    /** The object to which the path leads. Only for a path that was found. */
    public Node node() throws Refused {
        return isDirectory() ? directoryNode() : fileNode();
    }

    public DirectoryNode directoryNode() throws Refused {
        if (isStart()) {
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

    /** The whole path, for people. */
    public String text() {
        return text.whole();
    }

    /** The first components of the path, up to this number, for people. */
    public String textTo(int count) {
        return text.to(count);
    }
}
