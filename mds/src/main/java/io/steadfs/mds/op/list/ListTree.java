package io.steadfs.mds.op.list;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.TreeWalk;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers one page of everything below a directory, depth first and in hash order. The cursor is the path of the last
 * entry, relative to the listed directory. So the server keeps nothing between two pages. If the last entry no longer
 * exists, the next page begins behind the place where it was.
 *
 * <p>A page also ends after the walk has met a limited number of entries. So any page may be short or empty. Only an
 * empty cursor marks the last page. A directory on another shard is listed with a mark. The client must list the
 * contents of a marked directory on the other shard.
 */
public final class ListTree extends NamespaceQuery<ListTreeRequest> {
    /** The largest number of entries that the walk meets for one page, including entries that are not listed. */
    static final int MAX_MET = 10_000;

    /**
     * The largest number of bytes of a cursor, which is a path. Moves of directories can make an existing path longer than a path that a
     * request may name.
     */
    private static final int MAX_CURSOR_BYTES = 1 << 20;

    public ListTree() {
        super(Kind.LIST_TREE);
    }

    @Override
    public MessageLite look(ListTreeRequest request, Context context) throws Refused {
        Page page = new Page(request.getLimit());
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        if (node instanceof FileNode file) {
            return ListTreeReply.newBuilder()
                    .addEntries(
                            Entry.newBuilder().setAttributes(file.attributes(context.view(), request.getWantLayout())))
                    .build();
        }
        requireListable(node, walk.text(), context);
        try (TreeWalk tree = new TreeWalk(context.view(), node.handle())) {
            resume(tree, request.getCursor(), node.handle(), walk.text(), context);
            return page(request, tree, page, walk.text(), context);
        }
    }

    private static MessageLite page(ListTreeRequest request, TreeWalk tree, Page page, String top, Context context)
            throws Refused {
        ListTreeReply.Builder reply = ListTreeReply.newBuilder();
        ListedEntries entries = new ListedEntries(request.getWantLayout(), context);
        String last = "";
        for (int met = 0; tree.next(); met++) {
            if (page.isFull() || met == MAX_MET) {
                reply.setCursor(ByteString.copyFromUtf8(last));
                break;
            }
            last = tree.path();
            DirentRow dirent = tree.entry();
            NamedObject object = NamedObject.of(dirent, top + "/" + last);
            if (entries.isGone(dirent, object.text())) {
                continue;
            }
            int bytes = add(request, last, tree, object, entries, context);
            if (bytes > 0) {
                page.add(bytes);
            }
            boolean here = object.directory() && object.isHere(context) && (bytes > 0 || object.exists(context));
            if (here && !entries.mayBeGone(dirent, object.text())) {
                requireListable(object.directoryNode(context), object.text(), context);
                tree.enter(object.handle());
            }
        }
        entries.find().forEach(entry -> reply.addEntries(withToken(entry, context)));
        return reply.build();
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
        return object.isHere(context) ? 0 : entries.addElsewhere(path, object.handle());
    }

    /**
     * Enters the directories that the cursor names, one inside the other. At the first name that leads to no directory,
     * the walk goes on behind the name.
     */
    private static void resume(TreeWalk tree, ByteString cursor, Handle top, String text, Context context)
            throws Refused {
        Handle directory = top;
        for (String name : names(cursor)) {
            Optional<DirentRow> dirent = Dirents.find(context.view(), DirentKey.of(directory, name));
            if (dirent.isEmpty() || dirent.get().getType() != EntryType.ENTRY_DIRECTORY) {
                tree.skipBehind(name);
                return;
            }
            NamedObject object = NamedObject.of(dirent.get(), text + "/.../" + name);
            if (!object.isHere(context)
                    || !object.exists(context)
                    || LockedName.isGone(dirent.get(), object.text(), context)) {
                tree.skipBehind(name);
                return;
            }
            requireListable(object.directoryNode(context), object.text(), context);
            directory = object.handle();
            tree.resumeIn(name, directory);
        }
    }

    private static List<String> names(ByteString cursor) throws Refused {
        if (cursor.isEmpty()) {
            return List.of();
        }
        if (cursor.size() > MAX_CURSOR_BYTES) {
            throw new Refused(FsError.INVALID_ARGUMENT, "cursor of " + cursor.size() + " bytes");
        }
        String path = cursor.toString(StandardCharsets.UTF_8);
        List<String> names = new ArrayList<>();
        int from = 0;
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', from)) {
            names.add(path.substring(from, slash));
            from = slash + 1;
        }
        names.add(path.substring(from));
        return names;
    }

    private static void requireListable(Node node, String what, Context context) throws Refused {
        Permissions.require(context.principal(), node, Permissions.READ | Permissions.EXECUTE, what);
    }
}
