package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.Settled;
import io.steadfs.client.list.Answers;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonMetafileRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Layout;
import io.steadfs.wire.proto.LinkReply;
import io.steadfs.wire.proto.LinkRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A file whose metafile is made and that has no name yet. All creates that end with the dirent use this class.
 *
 * <p>What was made is taken back only where it is certain that no dirent names the metafile and none ever will, because a step was refused
 * for good. If a request to a shard was repeated for as long as an operation may take and its outcome is still not known, nothing is taken
 * back: a link that is still on its way would name a metafile that is gone. The servers then remove the objects without a name once this
 * session has ended.
 */
final class UnnamedFile {
    private final CreateProtocol.FileSpec spec;
    private final Session session;
    private final Attributes metafile;
    private final Supplier<List<Handle>> more;

    /**
     * @param metafile as the server answered when it was made, with its layout
     * @param more datafiles that were made for it and that it does not list
     */
    UnnamedFile(CreateProtocol.FileSpec spec, Session session, Attributes metafile, Supplier<List<Handle>> more)
            throws FsException {
        if (!metafile.hasLayout()) {
            throw new FsException(FsError.FAULT, spec.operation().subject() + " was created without a layout");
        }
        Answers.info(metafile); // throws if the attributes make no sense, before they are used
        this.spec = spec;
        this.session = session;
        this.metafile = metafile;
        this.more = more;
    }

    /** The last step, where the layout has not changed since the metafile was made. */
    CompletableFuture<CreateProtocol.Made> link() {
        return link(metafile.getLayout());
    }

    /**
     * The last step: the dirent.
     *
     * @param layout as the metafile has it now
     */
    CompletableFuture<CreateProtocol.Made> link(Layout layout) {
        return Futures.map(ask(linkQuestion()), link -> {
            LinkReply reply = link.body(LinkReply.class);
            Attributes linked = metafile.toBuilder()
                    .setLayout(layout)
                    .setGroup(reply.getGroup())
                    .build();
            return new CreateProtocol.Made(Answers.info(linked), session, reply.getProtocolHint());
        });
    }

    private Question linkQuestion() {
        CreateOptions options = spec.options();
        return Question.walk(
                Kind.LINK,
                "create dirent",
                spec.path().relative(),
                location -> LinkRequest.newBuilder()
                        .setLocation(location)
                        .setMetafile(metafile.getHandle())
                        .setOverwrite(options.overwrite())
                        .setCreateParents(options.createParents())
                        .setParentMode(Math.max(0, options.parentMode()))
                        .setParentsAsAbove(options.parentsAsAbove())
                        .build());
    }

    /** Asks a shard. If the shard refuses for good, takes back what was made and then fails with the refusal. */
    CompletableFuture<Reply> ask(Question question) {
        CompletableFuture<Settled> settled = spec.recorded().settleOpening(session, spec.operation(), question);
        return Futures.then(settled, answer -> {
            if (answer.isOk()) {
                return CompletableFuture.completedFuture(answer.reply());
            }
            boolean definite = answer.isDefiniteRefusal();
            FsException refusal = answer.refusal(spec.operation(), question);
            if (!definite) {
                throw refusal;
            }
            CompletableFuture<Reply> failed = new CompletableFuture<>();
            undo(refusal, failed);
            return failed;
        });
    }

    /** Takes back what was made, as far as possible, and then fails with the reason. */
    void undo(Throwable reason, CompletableFuture<?> failing) {
        AbandonMetafileRequest.Builder request =
                AbandonMetafileRequest.newBuilder().setMetafile(metafile.getHandle());
        more.get().forEach(datafile -> request.addDatafiles(datafile.value()));
        Question question = Question.metafile(
                Kind.ABANDON_METAFILE, "undo create", new Handle(metafile.getHandle()), request.build());
        var unused = spec.recorded()
                .settleWithin(session, spec.operation(), question)
                .whenComplete((settled, failure) -> {
                    if (settled != null) {
                        settled.reply().payload().release();
                    }
                    failing.completeExceptionally(reason);
                });
    }
}
