package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.TreeWalk;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import java.util.List;
import java.util.Optional;

/**
 * Answers one page of everything below a directory, depth first and in hash order. The cursor is the path of the last
 * entry, relative to the listed directory. So the server keeps nothing between two pages. If the last entry no longer
 * exists, the next page begins behind the place where it was.
 *
 * <p>A page also ends after the walk has met a limited number of entries. So any page may be short or empty. Only an
 * empty cursor marks the last page. A directory is listed with a mark if it is on another shard, or has partitions on
 * other shards. The client must list the contents of a marked directory by requests of their own. If names of a
 * directory in which a page ended have gone to other shards since, the next page has the directory again, with the cursor
 * from which the client lists the rest.
 */
public final class ListTree extends NamespaceQuery<ListTreeRequest> {
    /** The largest number of entries that the walk meets for one page, including entries that are not listed. */
    static final int MAX_MET = 10_000;

    public ListTree() {
        super(Kind.LIST_TREE);
    }

    @Override
    public MessageLite look(ListTreeRequest request, Context context) throws Refused {
        Page page = new Page(request.getLimit());
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        if (!walk.isDirectory()) {
            return ListTreeReply.newBuilder()
                    .addEntries(Entry.newBuilder()
                            .setAttributes(walk.node().attributes(context.view(), request.getWantLayout())))
                    .build();
        }
        TreeCursor cursor = TreeCursor.of(request.getCursor());
        ListedPart part = ListedPart.of(walk, cursor.hash(), context);
        ListTreeReply.Builder reply = ListTreeReply.newBuilder().setCursor(TreeCursor.behind(part));
        try (TreeWalk tree = TreeWalk.ofPartition(context.view(), part.partition(), cursor.hash())) {
            resume(tree, cursor, part.names(), walk.text(), context).ifPresent(reply::addEntries);
            page(request, tree, page, reply, walk.text(), context);
        }
        return reply.build();
    }

    private static void page(
            ListTreeRequest request, TreeWalk tree, Page page, ListTreeReply.Builder reply, String top, Context context)
            throws Refused {
        ListedEntries entries = new ListedEntries(request.getWantLayout(), context);
        String last = "";
        boolean isMarked = false;
        for (int met = 0; tree.next(); met++) {
            if (page.isFull() || met == MAX_MET) {
                reply.setCursor(TreeCursor.behind(last, isMarked));
                break;
            }
            last = tree.path();
            isMarked = false;
            DirentRow dirent = tree.entry();
            NamedObject object = NamedObject.of(dirent, top + "/" + last);
            if (entries.isGone(dirent, object.text())) {
                continue;
            }
            int bytes = add(request, last, tree, object, entries, context);
            if (bytes > 0) {
                page.add(bytes);
            }
            if (isWalked(object, bytes > 0, context) && !entries.mayBeGone(dirent, object.text())) {
                DirectoryNode directory = object.directoryNode(context);
                Permissions.requireListable(context.principal(), directory, object.text());
                tree.enter(directory);
            } else {
                isMarked = object.directory();
            }
        }
        entries.find().forEach(entry -> reply.addEntries(withToken(entry, context)));
    }

    /**
     * Whether the page has what is below the object: it is a directory, and this shard has all its names.
     *
     * @param exists whether it is known that the object exists
     */
    private static boolean isWalked(NamedObject object, boolean exists, Context context) {
        return object.directory()
                && object.isHere(context)
                && (exists || object.exists(context))
                && DirectoryPartitions.areHere(object.directoryNode(context), context);
    }

    /** With the token with which the other shard lists the directory, if the entry is a directory of another shard. */
    private static Entry withToken(Entry entry, Context context) {
        if (!entry.getElsewhere()) {
            return entry;
        }
        Handle directory = new Handle(entry.getAttributes().getHandle());
        return entry.toBuilder().setStartToken(context.startToken(directory)).build();
    }

    /**
     * Adds an entry to the page.
     *
     * @return about how many bytes the entry takes; 0 if the entry is not listed
     */
    private static int add(
            ListTreeRequest request,
            String path,
            TreeWalk tree,
            NamedObject object,
            ListedEntries entries,
            Context context) {
        if (!object.directory() || request.getWantDirectories()) {
            DirentKey key = DirentKey.of(tree.directory(), tree.entryName());
            return entries.add(path, key, tree.entry(), object);
        }
        return !object.isHere(context) || (object.exists(context) && !isWalked(object, true, context))
                ? entries.addElsewhere(path, object.handle())
                : 0;
    }

    /**
     * Enters the directories that the cursor names, one inside the other. At the first name that leads to no directory,
     * the walk goes on behind the name.
     *
     * @return a directory in which the last page ended, if not all of its names are here any more
     */
    private static Optional<Entry> resume(TreeWalk tree, TreeCursor cursor, Handle top, String text, Context context)
            throws Refused {
        Optional<DirectoryNode> above = Optional.empty();
        List<String> names = cursor.names();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            DirentKey key = above.isPresent() ? above.get().key(name, context.view()) : DirentKey.of(top, name);
            Optional<DirentRow> dirent = Dirents.find(context.view(), key);
            if (dirent.isEmpty() || dirent.get().getType() != EntryType.ENTRY_DIRECTORY) {
                tree.skipBehind(name);
                return Optional.empty();
            }
            NamedObject object = NamedObject.of(dirent.get(), text + "/.../" + name);
            boolean isMarked = i == names.size() - 1 && cursor.isMarked();
            if (isMarked || LockedName.isGone(dirent.get(), object.text(), context)) {
                tree.skipBehind(name);
                return Optional.empty();
            }
            if (!isWalked(object, false, context)) {
                tree.skipBehind(name);
                boolean isGone = object.isHere(context) && !object.exists(context);
                return isGone ? Optional.empty() : Optional.of(rest(cursor, i + 1, object.handle(), context));
            }
            DirectoryNode directory = object.directoryNode(context);
            Permissions.requireListable(context.principal(), directory, object.text());
            tree.resumeIn(name, directory);
            above = Optional.of(directory);
        }
        return Optional.empty();
    }

    /** @param depth number of names of the cursor that lead to the directory */
    private static Entry rest(TreeCursor cursor, int depth, Handle directory, Context context) {
        return Entry.newBuilder()
                .setName(String.join("/", cursor.names().subList(0, depth)))
                .setAttributes(
                        Attributes.newBuilder().setHandle(directory.value()).setType(FileType.DIRECTORY))
                .setElsewhere(true)
                .setBelow(cursor.below(depth))
                .setStartToken(context.startToken(directory))
                .build();
    }
}
