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
 * Does the steps of {@link BasecaseCreate} that follow the metafile: make the datafiles of all columns at once, attach
 * the datafiles, make the dirent. If an IO server did not answer the request for a datafile, the client does not remove
 * the datafile. The IO server removes a datafile by itself after it has found out that the datafile was never attached.
 */
final class BasecaseFile {
    private final CreateProtocol.FileSpec spec;
    private final Attributes metafile;
    private final UnnamedFile file;
    private final List<CompletableFuture<Handle>> datafiles = new ArrayList<>();

    /** @param metafile attributes and layout from the reply that made the metafile */
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

    /** Makes one datafile for each column. The servers of the layout are tried before other servers. */
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
