package io.steadfs.mds.op.list;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.dirent.DirentPosition;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Answers one page of the entries of a directory, in hash order. Each entry has the attributes of its object. The
 * cursor is a place in hash order. If an entry is added or removed between two pages, no other entry is missing or
 * listed twice. A page never goes beyond the end of a partition. The attributes of an object on another shard are from
 * a moment after the request arrived here.
 */
public final class ListDirectory extends NamespaceQuery<ListRequest> {
    public ListDirectory() {
        super(Kind.LIST);
    }

    @Override
    public MessageLite look(ListRequest request, Context context) throws Refused {
        Page page = new Page(request.getLimit());
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        if (!walk.isDirectory()) {
            Attributes file = walk.node().attributes(context.view(), request.getWantLayout());
            return ListReply.newBuilder()
                    .setAttributes(file)
                    .addEntries(Entry.newBuilder().setAttributes(file))
                    .build();
        }
        DirentPosition from = position(request.getCursor());
        ListedPart part = ListedPart.of(walk, from.hash(), context);
        ListReply.Builder reply =
                ListReply.newBuilder().setAttributes(part.directory().attributesHere(context.view()));
        ListedPage.Question question = new ListedPage.Question(
                part.names(), from, part.partition().lastHash(), page.limit(), request.getWantLayout());
        Optional<ListedPage> known = request.getPacked() ? ListedPage.kept(question, context.view()) : Optional.empty();
        if (known.isPresent()) {
            return known.get().addTo(reply).build();
        }
        ListedEntries entries = new ListedEntries(request.getWantLayout(), context);
        ByteString cursor = read(part, from, page, entries, walk);
        if (!request.getPacked()) {
            return reply.addAllEntries(entries.find()).setCursor(cursor).build();
        }
        ListedPage made = ListedPage.of(entries.find(), cursor);
        if (entries.areOfRows()) {
            context.view().keep(question, made, entries.sources(part.names()));
        }
        return made.addTo(reply).build();
    }

    /**
     * Adds the entries that fit into the page.
     *
     * @return the cursor of the next page; empty after the last page of the directory
     */
    private static ByteString read(
            ListedPart part, DirentPosition from, Page page, ListedEntries entries, PathWalk walk) throws Refused {
        String below = walk.text() + "/";
        try (DirentScan scan = Dirents.scan(
                entries.context().view(), part.names(), from, part.partition().lastHash())) {
            while (scan.next()) {
                if (page.isFull()) {
                    return ByteString.copyFrom(scan.positionBefore().encode());
                }
                DirentRow dirent = scan.row();
                String name = scan.name();
                NamedObject object = NamedObject.of(dirent, below + name);
                if (!entries.isGone(dirent, object.text())) {
                    page.add(entries.add(name, scan.dirent(), dirent, object));
                }
            }
        }
        OptionalLong next = part.nextHash();
        return next.isEmpty()
                ? ByteString.EMPTY
                : ByteString.copyFrom(DirentPosition.before(next.getAsLong()).encode());
    }

    private static DirentPosition position(ByteString cursor) throws Refused {
        if (cursor.isEmpty()) {
            return DirentPosition.START;
        }
        return DirentPosition.decode(cursor.toByteArray(), FsPath.MAX_NAME_BYTES)
                .orElseThrow(() -> new Refused(FsError.INVALID_ARGUMENT, "cursor of " + cursor.size() + " bytes"));
    }
}
