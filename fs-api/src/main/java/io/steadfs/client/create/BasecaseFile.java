package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachReply;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The steps of {@link BasecaseCreate} after the metafile: the datafiles of all columns at once, their attachment, the dirent. If the making
 * of a datafile was not answered, the client does not take it back: its IO server finds out by itself that nobody attached it.
 */
final class BasecaseFile {
    private final CreateProtocol.FileSpec spec;
    private final Attributes metafile;
    private final UnnamedFile file;
    private final List<CompletableFuture<Handle>> datafiles = new ArrayList<>();

    /** @param metafile as the server answered when it was made, with its layout */
    BasecaseFile(CreateProtocol.FileSpec spec, Session session, Attributes metafile) throws FsException {
        this.spec = spec;
        this.metafile = metafile;
        this.file = new UnnamedFile(spec, session, metafile, this::made);
    }

    CompletableFuture<CreateProtocol.Made> finish() {
        return Futures.then(
                makeDatafiles(),
                attached -> Futures.then(
                        file.ask(attachQuestion(attached)),
                        attach -> file.link(attach.body(AttachReply.class).getLayout())));
    }

    private List<Handle> made() {
        return datafiles.stream()
                .filter(datafile -> datafile.isDone() && !datafile.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
    }

    /** Makes one datafile for each column, at the servers of the layout or at others. */
    private CompletableFuture<List<AttachedColumn>> makeDatafiles() {
        Courier together = spec.courier().line();
        for (int index = 0; index < metafile.getLayout().getServersCount(); index++) {
            datafiles.add(new NewDatafile(together.line(), spec.operation(), metafile, index).make());
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(datafiles.toArray(CompletableFuture<?>[]::new));
        CompletableFuture<List<AttachedColumn>> result = new CompletableFuture<>();
        var unused = all.whenComplete((done, failure) -> {
            if (failure == null) {
                result.complete(columns());
            } else {
                file.undo(Futures.unwrap(failure), result);
            }
        });
        var unusedCancel = result.whenComplete((columns, failure) -> {
            if (result.isCancelled()) {
                datafiles.forEach(datafile -> datafile.cancel(true));
            }
        });
        return result;
    }

    private List<AttachedColumn> columns() {
        List<AttachedColumn> columns = new ArrayList<>();
        for (int index = 0; index < datafiles.size(); index++) {
            columns.add(AttachedColumn.newBuilder()
                    .setIndex(index)
                    .setDatafile(datafiles.get(index).join().value())
                    .build());
        }
        return columns;
    }

    private Question attachQuestion(List<AttachedColumn> columns) {
        return Question.metafile(
                Kind.ATTACH,
                "set attributes",
                new Handle(metafile.getHandle()),
                AttachRequest.newBuilder()
                        .setMetafile(metafile.getHandle())
                        .setWriteGeneration(metafile.getWriteGeneration())
                        .addAllColumns(columns)
                        .build());
    }
}
