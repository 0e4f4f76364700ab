package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.List;
import java.util.Optional;

/**
 * Makes the missing directories of a path, one inside the other, with all their records. The caller owns the new
 * directories. The new directories get the group of the deepest directory that existed before.
 *
 * <p>A directory that belongs on this shard is made in this decision. A directory that belongs on another shard is
 * prepared there. Only the first new directory of a decision can be on another shard, because its parent must exist
 * before the decision. So a long path takes several legs. Each leg ends where the next leg begins, in {@link #goOn}:
 *
 * <pre>
 *  missing      a         b         c         d         e
 *  belongs to   here      here      shard 1   shard 1   shard 2
 *               '-- leg 1 here --'  '- leg 2 here: prepared at 1, its name here
 *                                             '- leg 3 at 1 -- leg 4 at 1: e prepared at 2, its name at 1
 * </pre>
 */
final class NewDirectories {
    /** Permission bits that every new parent has, so that the caller can make an entry in the parent. */
    private static final int OWNER_WRITE_EXECUTE = 0300;

    private final Context context;
    private final Placement placement;
    private final PathWalk walk;
    private final boolean lastIsDirectory;
    private final NewHandles handles;
    private final List<LogRecord> records;
    private final int last;

    /** The directory that was made or found last. The component at index {@link #next} is made in {@code parent}. */
    private Handle parent;

    private int next;

    /**
     * @param lastIsDirectory whether the last component is a directory; false = a file, which is on the shard of its
     *     directory
     */
    NewDirectories(
            Context context,
            Placement placement,
            PathWalk walk,
            boolean lastIsDirectory,
            NewHandles handles,
            List<LogRecord> records) {
        this.context = context;
        this.placement = placement;
        this.walk = walk;
        this.lastIsDirectory = lastIsDirectory;
        this.handles = handles;
        this.records = records;
        this.last = walk.names().size() - 1;
        this.parent = walk.parent();
        this.next = walk.reached();
    }

    /**
     * Makes the missing parents of the last component.
     *
     * @return whether all missing parents are made; if not, the caller answers {@link #goOn}
     */
    boolean makeParents(int mode) throws Refused {
        while (next < last) {
            if (!isHere(parent, next)) {
                makeElsewhere(mode | OWNER_WRITE_EXECUTE);
                return false;
            }
            makeHere(mode | OWNER_WRITE_EXECUTE);
        }
        return true;
    }

    /**
     * Makes the last component as an empty directory. {@link #makeParents} must have made its parents.
     *
     * @return the attributes of the new directory; empty if the caller must answer {@link #goOn}
     */
    Optional<Attributes> makeLast(int mode) throws Refused {
        return isHere(parent, last) ? Optional.of(makeHere(mode).attributes(0, context.now())) : makeElsewhere(mode);
    }

    /** The decision with all directories that were made so far. The reply has the place where the next leg begins. */
    Decision<Reply> goOn(Kind kind) {
        List<String> names = walk.names();
        ReplyHeader.Builder header = ReplyHeader.newBuilder()
                .setContinueDirectory(parent.value())
                .setContinueToken(context.startToken(parent))
                .setContinuePath(String.join("/", names.subList(next, names.size())))
                .setMessage(walk.textTo(next) + " is made and goes on at shard " + parent.shard());
        return new Decision<>(records, Reply.refused(kind, FsError.CONTINUE, header));
    }

    /** The key of the last name of the path. */
    DirentKey lastKey() {
        return key();
    }

    /** The key of the name that is made next. */
    private DirentKey key() {
        return next == walk.reached()
                ? walk.key()
                : DirentKey.of(parent, walk.names().get(next));
    }

    /**
     * Whether a component of the path belongs on this shard.
     *
     * @param directory the parent of the component
     * @param index index of the component in the path
     */
    private boolean isHere(Handle directory, int index) {
        return (index == last && !lastIsDirectory)
                || shardOf(directory, index) == context.inputs().shard();
    }

    private int shardOf(Handle directory, int index) {
        Handle holder = index == walk.reached() ? walk.key().directory() : directory;
        return placement.shardOf(holder, walk.names().get(index), depthOf(index), shards());
    }

    private int depthOf(int index) {
        return walk.parentRow().getDepth() + 1 + index - walk.reached();
    }

    private int shards() {
        return context.shards().serving();
    }

    private DirectoryNode makeHere(int mode) throws Refused {
        DirentKey key = key();
        Handle handle = handles.take();
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(mode)
                .setOwner(context.principal().user())
                .setGroup(walk.parentRow().getGroup())
                .setAccessTime(context.now())
                .setVersion(1)
                .setParent(parent.value())
                .setDepth(depthOf(next))
                .build();
        boolean getsEntry = next < last && isHere(handle, next + 1);
        records.add(new DirectorySet(handle, row));
        records.add(new CountsSet(
                handle,
                DirectoryCounts.first(context.now()).toBuilder()
                        .setEntries(getsEntry ? 1 : 0)
                        .build()));
        records.add(DirentSet.directory(key, handle));
        made(handle);
        return new DirectoryNode(handle, row);
    }

    /**
     * The attributes of a directory that another shard prepares; empty if this decision has made the directory's
     * parent.
     */
    private Optional<Attributes> makeElsewhere(int mode) throws Refused {
        if (next > walk.reached()) {
            return Optional.empty();
        }
        MakeDirectory action = MakeDirectory.newBuilder()
                .setParent(parent.value())
                .setMode(mode)
                .setOwner(context.principal().user())
                .setGroup(walk.parentRow().getGroup())
                .setDepth(depthOf(next))
                .build();
        Attributes attributes = context.body(Prepared.directory(shardOf(parent, next), action), PrepareReply.class)
                .getAttributes();
        Handle handle = new Handle(attributes.getHandle());
        records.add(DirentSet.directory(key(), handle));
        made(handle);
        return Optional.of(attributes);
    }

    private void made(Handle handle) {
        parent = handle;
        next++;
    }
}
