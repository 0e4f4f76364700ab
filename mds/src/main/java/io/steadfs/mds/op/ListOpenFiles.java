package io.steadfs.mds.op;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.OpenFile;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A page of the files of this shard that are open for writing, for admins. They are kept by session, whose ids are told to
 * nobody; so a page is in handle order, and each goes through all that are open.
 */
public final class ListOpenFiles extends NamespaceQuery<ListOpenFilesRequest> {
    static final int MOST = 1_000;

    public ListOpenFiles() {
        super(Kind.LIST_OPEN_FILES);
    }

    @Override
    MessageLite look(ListOpenFilesRequest request, Context context) {
        int limit = request.getLimit() <= 0 ? MOST : Math.min(MOST, request.getLimit());
        Handle after = new Handle(request.getAfter());
        TreeSet<OpenFiles.Opened> first = new TreeSet<>(
                Comparator.comparing(OpenFiles.Opened::metafile).thenComparingLong(OpenFiles.Opened::session));
        OpenFiles.each(context.view(), opened -> {
            if (opened.metafile().compareTo(after) > 0) {
                first.add(opened);
                if (first.size() > limit + 1) {
                    first.pollLast();
                }
            }
        });
        ListOpenFilesReply.Builder reply = ListOpenFilesReply.newBuilder().setMore(first.size() > limit);
        first.stream().limit(limit).forEach(opened -> {
            of(opened, context).ifPresent(reply::addFiles);
            reply.setLast(opened.metafile().value());
        });
        return reply.build();
    }

    /** Empty where the metafile, which is the truth, says that it is not so. */
    private static Optional<OpenFile> of(OpenFiles.Opened opened, Context context) {
        return Metafiles.find(context.view(), opened.metafile())
                .filter(row -> row.getWriterSession() == opened.session())
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
