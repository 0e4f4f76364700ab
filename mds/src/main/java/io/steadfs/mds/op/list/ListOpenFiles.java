package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.OpenFile;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers one page of the files of this shard that are open for writing. Administrators send this request. The page
 * begins at the cursor and reads no row before the cursor. A page ends when it has half of the bytes that a message may
 * have.
 */
public final class ListOpenFiles extends NamespaceQuery<ListOpenFilesRequest> {
    static final int MOST = 1_000;

    private final OpenFileCursor cursors = new OpenFileCursor();

    public ListOpenFiles() {
        super(Kind.LIST_OPEN_FILES);
    }

    @Override
    public MessageLite look(ListOpenFilesRequest request, Context context) throws Refused {
        int limit = request.getLimit() <= 0 ? MOST : Math.min(MOST, request.getLimit());
        // A claim that an attach ended is looked for among the written files of a later moment.
        Context newest = new Context(context.principal(), context.view().newest(), context.inputs());
        List<OpenFiles.Opened> page = page(newest.view(), cursors.place(request.getCursor()), limit + 1);
        ListOpenFilesReply.Builder reply = ListOpenFilesReply.newBuilder();
        int bytes = 0;
        int looked = 0;
        while (looked < Math.min(limit, page.size()) && bytes < Page.MAX_BYTES) {
            Optional<OpenFile> file = of(page.get(looked++), newest);
            file.ifPresent(reply::addFiles);
            bytes += file.map(OpenFile::getSerializedSize).orElse(0);
        }
        if (page.size() > looked) {
            OpenFiles.Opened last = page.get(looked - 1);
            reply.setNext(cursors.of(new OpenFiles.Place(last.session(), last.metafile())));
        }
        return reply.build();
    }

    /** Files that sessions write or claim, ordered by session and metafile. */
    private static List<OpenFiles.Opened> page(ReadView view, Optional<OpenFiles.Place> after, int limit) {
        List<OpenFiles.Opened> claimed = Claims.after(view, after, limit);
        List<OpenFiles.Opened> written = OpenFiles.after(view, after, limit);
        if (claimed.isEmpty()) {
            return written;
        }
        Set<OpenFiles.Place> met = new HashSet<>();
        return Stream.concat(written.stream(), claimed.stream())
                .filter(file -> met.add(new OpenFiles.Place(file.session(), file.metafile())))
                .sorted(Comparator.comparing(OpenFiles.Opened::session, Long::compareUnsigned)
                        .thenComparing(file -> file.metafile().value(), Long::compareUnsigned))
                .limit(limit)
                .toList();
    }

    /**
     * The open file; empty if another session or nobody writes or claims the metafile. If the index of open files and
     * the metafile disagree, the metafile is right.
     */
    private static Optional<OpenFile> of(OpenFiles.Opened opened, Context context) {
        return Metafiles.find(context.view(), opened.metafile())
                .filter(row ->
                        FileWriter.of(context.view(), opened.metafile(), row).session() == opened.session())
                .map(row -> open(opened, row, context));
    }

    private static OpenFile open(OpenFiles.Opened opened, MetafileRow row, Context context) {
        OpenFile.Builder file = OpenFile.newBuilder()
                .setMetafile(opened.metafile().value())
                .setPath(opened.path())
                .setOpenedMillis(opened.openedMillis())
                .setSession(Session.name(opened.session()))
                .setLength(Metafiles.toldLength(row));
        Sessions.find(context.view(), opened.session())
                .ifPresent(session -> file.setUser(session.user()).setClient(session.client()));
        return file.build();
    }
}
