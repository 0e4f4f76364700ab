package io.steadfs.client;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonMetafileRequest;
import io.steadfs.wire.proto.AttachReply;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.LinkReply;
import io.steadfs.wire.proto.LinkRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A file whose metafile is made and that has no name yet, on its way through the other steps of {@link BasecaseCreate}:
 * the datafiles of all columns at once, their attachment, the dirent.
 *
 * <p>What was made is taken back only where it is certain that no dirent names it, nor will: a step was refused for good.
 * Where the outcome of a request to a shard is not known although it was repeated for as long as an operation may take,
 * nothing is taken back, because a link that is still on its way would name a metafile that is gone. The servers then
 * remove what has no name once this session has ended. A datafile whose making was not answered is no such case: its IO
 * server finds out by itself that nobody attached it.
 */
final class BasecaseFile {
    private final CreateProtocol.Wish wish;
    private final Session session;
    private final Attributes metafile;
    private final List<CompletableFuture<Handle>> datafiles = new ArrayList<>();

    /** @param metafile as its making was answered, with its layout */
    BasecaseFile(CreateProtocol.Wish wish, Session session, Attributes metafile) throws FsException {
        if (!metafile.hasLayout()) {
            throw new FsException(FsError.FAULT, wish.operation().subject() + " was created without a layout");
        }
        Answers.info(metafile); // throws for what makes no sense, before anything is done by it
        this.wish = wish;
        this.session = session;
        this.metafile = metafile;
    }

    CompletableFuture<CreateProtocol.Made> finish() {
        return Linked.then(
                makeDatafiles(),
                attached -> Linked.then(ask(attachQuestion(attached)), attach -> {
                    AttachReply reply = attach.body(AttachReply.class);
                    return Linked.map(ask(linkQuestion()), link -> {
                        Attributes linked = metafile.toBuilder()
                                .setLayout(reply.getLayout())
                                .setGroup(link.body(LinkReply.class).getGroup())
                                .build();
                        return new CreateProtocol.Made(Answers.info(linked), session);
                    });
                }));
    }

    /** One for each column, at the servers of the layout or at others. */
    private CompletableFuture<List<AttachedColumn>> makeDatafiles() {
        for (int index = 0; index < metafile.getLayout().getServersCount(); index++) {
            datafiles.add(new NewDatafile(wish.courier(), wish.operation(), metafile, index).make());
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(datafiles.toArray(CompletableFuture<?>[]::new));
        CompletableFuture<List<AttachedColumn>> result = new CompletableFuture<>();
        var unused = all.whenComplete((done, failure) -> {
            if (failure == null) {
                result.complete(columns());
            } else {
                undo(Linked.unwrap(failure), result);
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

    private Question linkQuestion() {
        CreateOptions options = wish.options();
        return Question.walk(
                Kind.LINK,
                "create dirent",
                wish.path().relative(),
                location -> LinkRequest.newBuilder()
                        .setLocation(location)
                        .setMetafile(metafile.getHandle())
                        .setOverwrite(options.overwrite())
                        .setCreateParents(options.createParents())
                        .setParentMode(options.parentMode())
                        .build());
    }

    /** Asks a shard; where it refuses for good, fails with that after all was taken back. */
    private CompletableFuture<Reply> ask(Question question) {
        CompletableFuture<Settled> settled = wish.recorded().settleOpening(session, wish.operation(), question);
        return Linked.then(settled, answer -> {
            if (answer.isOk()) {
                return CompletableFuture.completedFuture(answer.reply());
            }
            boolean definite = answer.isDefiniteRefusal();
            FsException refusal = answer.refusal(wish.operation(), question);
            if (!definite) {
                throw refusal;
            }
            CompletableFuture<Reply> failed = new CompletableFuture<>();
            undo(refusal, failed);
            return failed;
        });
    }

    /** Takes back what was made, as well as that can be done, and then fails with the reason. */
    private void undo(Throwable reason, CompletableFuture<?> failing) {
        AbandonMetafileRequest.Builder request =
                AbandonMetafileRequest.newBuilder().setMetafile(metafile.getHandle());
        for (CompletableFuture<Handle> datafile : datafiles) {
            if (datafile.isDone() && !datafile.isCompletedExceptionally()) {
                request.addDatafiles(datafile.join().value());
            }
        }
        Question question = Question.metafile(
                Kind.ABANDON_METAFILE, "undo create", new Handle(metafile.getHandle()), request.build());
        var unused = wish.recorded()
                .settleWithin(session, wish.operation(), question)
                .whenComplete((settled, failure) -> {
                    if (settled != null) {
                        settled.reply().payload().release();
                    }
                    failing.completeExceptionally(reason);
                });
    }
}
