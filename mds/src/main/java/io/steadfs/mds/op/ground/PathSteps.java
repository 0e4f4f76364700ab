package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Takes the steps of a {@link PathWalk} and remembers how far the walk has got. */
final class PathSteps {
    private final Context context;
    private final WalkStart start;
    private final FsPath path;
    private final PathText text;
    private final WalkPurpose purpose;
    private final List<Handle> chain = new ArrayList<>();

    private Handle parent;
    private DirectoryRow parentRow;
    /** Who may pass {@link #parent}, if another shard owns it. */
    private Optional<CopiedDirectory> foreign = Optional.empty();

    private int reached;
    /** Row of the partition of {@link #parent} that has the last name; empty if the directory itself has it. */
    private Optional<DirectoryRow> partitionRow = Optional.empty();

    private Optional<DirentKey> key = Optional.empty();
    private Optional<DirentRow> dirent = Optional.empty();
    private boolean isLastElsewhere;

    PathSteps(Context context, WalkStart start, PathText text, WalkPurpose purpose) {
        this.context = context;
        this.start = start;
        this.path = start.path();
        this.text = text;
        this.purpose = purpose;
        this.parent = start.handle();
        this.parentRow = start.row();
        chain.add(parent);
    }

    void run() throws Refused {
        if (parentRow.hasPartOf()) {
            beginAtPartition();
        } else if (!context.owns(parent) && !path.isRoot()) {
            foreign = Optional.of(copyOf(parent, 0, () -> goOnAt(parent)));
        }
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
        boolean isHere = foreign.isEmpty();
        for (int i = 0; i < names.size(); i++) {
            search(i, names.get(i));
            if (dirent.isEmpty()) {
                return false;
            }
            isHeld |= dirent.get().hasLock();
            enter(dirent.get());
            isHere &= foreign.isEmpty();
        }
        if (!isHeld && isHere && start.hasWay() && context.view().keepsDerived()) {
            CachedPath.of(chain, context.view()).ifPresent(way -> way.keep(names, context.view()));
        }
        return true;
    }

    /** A walk that another shard sent to a partition begins at the directory, of which the next name is looked up here. */
    private void beginAtPartition() throws Refused {
        parent = new Handle(parentRow.getPartOf().getDirectory());
        chain.set(0, parent);
        if (context.owns(parent)) {
            parentRow = Directories.find(context.view(), parent).orElseThrow(() -> WholeDirectory.gone(parent));
        } else {
            foreign = Optional.of(copyOf(parent, 0, () -> WholeDirectory.gone(parent)));
            parentRow = DirectoryRow.getDefaultInstance();
        }
    }

    private void requireSearchable() throws Refused {
        if (foreign.isPresent()) {
            Permissions.require(context.principal(), foreign.get(), Permissions.EXECUTE, text.to(reached));
            return;
        }
        if (!Permissions.allow(context.principal(), parentRow, Permissions.EXECUTE)) {
            Permissions.require(context.principal(), parentRow, Permissions.EXECUTE, text.to(reached));
        }
    }

    private void search(int i, String name) throws Refused {
        reached = i;
        partitionRow = Optional.empty();
        requireSearchable();
        DirentKey searched = placed(DirentKey.of(parent, name), i);
        if (!context.owns(searched.directory())) {
            searchCopy(i, searched);
            return;
        }
        partitionRow = searched.directory().equals(parent) ? Optional.empty() : Optional.of(row(searched));
        key = Optional.of(searched);
        dirent = Dirents.find(context.view(), searched);
        if (dirent.isPresent() && dirent.get().hasLock()) {
            meetLock(i, dirent.get());
        }
        if (dirent.isPresent() && dirent.get().hasSymlink()) {
            meetLink(i, dirent.get().getSymlink());
        }
    }

    /** The name in the directory that has it: the parent itself, or one of its partitions. */
    private DirentKey placed(DirentKey name, int i) throws Refused {
        if (!isSplit()) {
            return name;
        }
        Optional<MapEntry> entry = Maps.find(context.view(), parent, name.hash());
        if (entry.filter(MapEntry::isStaged).isPresent()) {
            throw new Refused(FsError.BUSY, text.to(i + 1) + " is being given to this shard; try again");
        }
        if (entry.filter(each -> each.isGiven(name.hash())).isPresent()) {
            // Its shard may have given the name away, and would send the walk back.
            throw new Refused(FsError.BUSY, text.to(i + 1) + " is being given to another shard; try again");
        }
        if (entry.isPresent()) {
            return name.in(entry.get().handle());
        }
        if (foreign.isEmpty()) {
            throw new DanglingDirent("the map of directory " + parent + " has no partition for " + text.to(i + 1));
        }
        if (i == 0 && start.row().hasPartOf()) {
            // A map led to this partition, and was old. The home shard has the newest.
            return name;
        }
        // The hint is old if it leads here. The home shard knows better.
        Handle hinted =
                foreign.get().row().partitions().orElseThrow().of(name.hash()).handle();
        return context.owns(hinted) ? name : name.in(hinted);
    }

    private boolean isSplit() {
        return foreign.isPresent()
                ? foreign.get().row().partitions().isPresent()
                : !DirectoryNode.hasOnePartition(parentRow);
    }

    /** The row of the partition that has the name, with the permissions of the directory. */
    private DirectoryRow row(DirentKey name) {
        DirectoryRow partition = Directories.find(context.view(), name.directory())
                .orElseThrow(() -> new DanglingDirent(
                        "partition " + name.directory() + " of directory " + parent + " does not exist"));
        DirectoryRow.Builder row = partition.toBuilder();
        foreign.ifPresentOrElse(
                copy -> row.setMode(copy.mode()).setOwner(copy.owner()).setGroup(copy.group()),
                () -> row.setMode(parentRow.getMode())
                        .setOwner(parentRow.getOwner())
                        .setGroup(parentRow.getGroup()));
        return row.build();
    }

    /** Looks up a name in a directory of another shard. */
    private void searchCopy(int i, DirentKey searched) throws Refused {
        Handle directory = searched.directory();
        if (!start.isWhole()) {
            throw walkOn(directory, i, text.to(i + 1));
        }
        if (i == path.depth() - 1) {
            if (purpose.belongsToNamesShard()) {
                throw goOnAtName(directory);
            }
            if (purpose == WalkPurpose.HOLD) {
                key = Optional.of(searched);
                dirent = Optional.empty();
                isLastElsewhere = true;
                return;
            }
        }
        Optional<Handle> child = context.inputs().copies().child(directory, searched.name());
        if (child.isEmpty()) {
            boolean isLast = i == path.depth() - 1;
            if (isOldHint(searched, i)) {
                // The answer of the home shard brings the newest map. If it was no better, that shard goes on.
                if (given(parent, i).isEmpty()) {
                    throw new Missing(Set.of(copies(parent, i)));
                }
                throw goOnAt(parent);
            }
            if (isAtHome(searched, i)) {
                throw goOnAt(parent);
            }
            throw isLast && !start.isHinted()
                    ? goOnAtName(directory)
                    : unknown(directory, i, () -> isLast ? goOnAtName(directory) : goOnAt(directory));
        }
        key = Optional.of(searched);
        dirent = Optional.of(DirentSet.directory(searched, child.get()).row());
    }

    /** @param from number of components of the path above the directory */
    private CopiedDirectory copyOf(Handle directory, int from, Supplier<Refused> ifGone) throws Refused {
        Optional<AncestorCopies.Directory> copy = context.inputs().copies().directory(directory);
        if (copy.isEmpty()) {
            throw unknown(directory, from, ifGone);
        }
        return new CopiedDirectory(copy.get());
    }

    /**
     * Asks the owner of the directory for copies. If the owner has answered that the path does not go on there, the
     * owner must answer the request: what is not there is never copied.
     *
     * @param from number of components of the path above the directory
     * @param ifGone the refusal if the owner does not have it: sends the request to the owner, or to the root
     * @throws Missing if the owner must be asked
     */
    private Refused unknown(Handle directory, int from, Supplier<Refused> ifGone) throws Refused {
        Optional<GiveCopiesReply> given = given(directory, from);
        if (given.isPresent()) {
            boolean isGone =
                    given.get().getDirectoriesCount() == 0 || given.get().getNoDirectory();
            if (isGone && given.get().getChildrenCount() == 0) {
                return ifGone.get();
            }
        }
        throw new Missing(Set.of(copies(directory, from)));
    }

    /** What the owner of the directory has answered to {@link #copies}. */
    private Optional<GiveCopiesReply> given(Handle directory, int from) throws Refused {
        Optional<Reply> reply = context.inputs().peerAnswers().find(copies(directory, from));
        return reply.isPresent() ? Optional.of(Refused.unlessOk(reply.get(), GiveCopiesReply.class)) : Optional.empty();
    }

    private Need.Ask copies(Handle directory, int from) {
        List<String> names = path.components();
        int end = Math.max(from, wantsLast() ? names.size() : names.size() - 1);
        return Facts.copies(context.inputs().shard(), directory, names.subList(from, end));
    }

    /**
     * Whether the home shard has answered that another partition has the name, and its map still does not say that another
     * shard has it. Names are on their way then, and only the home shard knows.
     */
    private boolean isAtHome(DirentKey searched, int i) throws Refused {
        return foreign.isPresent()
                && searched.directory().equals(parent)
                && given(parent, i).filter(GiveCopiesReply::getElsewhere).isPresent();
    }

    private boolean wantsLast() {
        return start.isHinted() && purpose.wantsObject();
    }

    /** Whether the map that led to a directory on another shard is old, as that shard has answered. */
    private boolean isOldHint(DirentKey searched, int i) throws Refused {
        boolean isAsked = i < path.depth() - 1 || wantsLast();
        if (foreign.isEmpty() || searched.directory().equals(parent) || !isAsked) {
            return false;
        }
        return given(searched.directory(), i)
                .filter(given -> given.getElsewhere()
                        || (given.getDirectoriesCount() == 0
                                && given.getChildrenCount() == 0
                                && !given.getNoDirectory()))
                .isPresent();
    }

    /**
     * Sends a request about the directory at the path to one of its partitions.
     *
     * @param map the map of the directory
     */
    Refused goOnAtPartition(Handle partition, PartitionMap map) {
        return start.isWhole() ? goOnAt(partition, map, true) : walkOn(partition, path.depth(), text.whole());
    }

    /**
     * Sends the whole request to the shard that has the last name. If the name's directory has several partitions, the
     * client gets its map.
     *
     * @param directory the directory that has the name, or its partition
     */
    private Refused goOnAtName(Handle directory) {
        if (!isSplit()) {
            return goOnAt(directory);
        }
        return goOnAt(
                directory,
                foreign.isPresent()
                        ? foreign.get().row().partitions().orElseThrow()
                        : Maps.whole(context.view(), parent),
                false);
    }

    /** As {@link #goOnAtName(Handle)}, for the name that was looked up last. */
    Refused goOnAtName() {
        return goOnAtName(key.orElseThrow().directory());
    }

    private Refused goOnAt(Handle partition, PartitionMap map, boolean isOfObject) {
        return new Refused(
                FsError.WRONG_PARTITION,
                ReplyHeader.newBuilder()
                        .setMessage(text.whole() + " goes on at shard " + partition.shard())
                        .setContinueShard(partition.shard() + 1)
                        .setPartitionMap(map.toProto())
                        .setMapOfObject(isOfObject)
                        .build());
    }

    /** Sends the whole request to the shard of the directory. */
    Refused goOnAt(Handle directory) {
        return new Refused(
                FsError.CONTINUE,
                ReplyHeader.newBuilder()
                        .setMessage(text.whole() + " goes on at shard " + directory.shard())
                        .setContinueShard(directory.shard() + 1)
                        .build());
    }

    private void meetLock(int i, DirentRow locked) throws Refused {
        String what = text.to(i + 1);
        if (context.decides()) {
            // The other shard's answer may be untrue when the decision is durable.
            LockedName.requireFree(locked, what);
        }
        if (LockedName.isGone(locked, what, context)) {
            dirent = Optional.empty();
        }
    }

    /** Refuses a symbolic link that the walk would have to follow. The client walks again, along the link's target. */
    private void meetLink(int i, SymlinkRow link) throws Refused {
        List<String> names = path.components();
        if (i == names.size() - 1 && !purpose.followsLastLink()) {
            return;
        }
        throw new Refused(
                FsError.UNRESOLVED_LINK,
                ReplyHeader.newBuilder()
                        .setMessage(text.to(i + 1) + " is a symbolic link to " + link.getTarget())
                        .setLinkTarget(link.getTarget())
                        .setLinkRest(String.join("/", names.subList(i + 1, names.size())))
                        .build());
    }

    private void enter(DirentRow row) throws Refused {
        Handle next = new Handle(row.getHandle());
        if (row.getType() != EntryType.ENTRY_DIRECTORY) {
            throw new Refused(FsError.NOT_A_DIRECTORY, text.to(reached + 1) + " is a file");
        }
        if (start.isWhole() && !context.owns(next)) {
            foreign = Optional.of(copyOf(next, reached + 1, () -> goOnAt(next)));
            parentRow = DirectoryRow.getDefaultInstance();
        } else {
            checkOwned(next);
            foreign = Optional.empty();
            parentRow = directory(next);
        }
        parent = next;
        chain.add(next);
    }

    /**
     * Refuses with CONTINUE if the object is on another shard.
     *
     * @param object the object to which the name that was looked up last leads
     */
    void checkOwned(Handle object) throws Refused {
        if (start.isWhole() && !context.owns(object) && dirent.orElseThrow().getType() == EntryType.ENTRY_DIRECTORY) {
            throw goOnAt(object);
        }
        if (object.shard() != context.inputs().shard()) {
            throw walkOn(object, reached + 1, text.to(reached + 1));
        }
    }

    /** Refuses with CONTINUE if the start of the walk, which is a directory, is on another shard. */
    void checkStartOwned() throws Refused {
        if (!context.owns(parent)) {
            throw start.isWhole() ? goOnAt(parent) : walkOn(parent, path.depth(), text.whole());
        }
    }

    /**
     * Sends a walk on to the shard of a directory or partition.
     *
     * @param from number of components of the path above the directory
     * @param what the path so far
     */
    private Refused walkOn(Handle directory, int from, String what) {
        List<String> names = path.components();
        return new Refused(
                FsError.CONTINUE,
                ReplyHeader.newBuilder()
                        .setMessage(what + " goes on at shard " + directory.shard())
                        .setContinueDirectory(directory.value())
                        .setContinueToken(context.startToken(directory))
                        .setContinuePath(String.join("/", names.subList(from, names.size())))
                        .build());
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

    boolean isWhole() {
        return start.isWhole();
    }

    /** Whether another shard owns the last name, and nothing is known of it here. */
    boolean isLastElsewhere() {
        return isLastElsewhere;
    }

    /** The row of the directory, or of its partition, in which the last name is. */
    DirectoryRow parentRow() {
        return partitionRow.orElse(parentRow);
    }

    /** The hint of {@link #parent} that names a create protocol for its files; empty if it has none. */
    String protocolHint() {
        if (foreign.isPresent()) {
            return foreign.get().row().protocol();
        }
        return parentRow.getXattrs() == 0 ? "" : ProtocolHint.of(parent, context.view());
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
