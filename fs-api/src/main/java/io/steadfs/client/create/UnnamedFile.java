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
 * A file that has a metafile but no name yet. Every create protocol that makes the dirent in a request of its own uses
 * this class.
 *
 * <p>The client takes back the metafile and its datafiles only after a server has refused a step for good. After such a
 * refusal it is certain that no dirent names the metafile, now or later. If the outcome of a request is still unknown
 * after the operation timeout, the client takes back nothing. A late LINK request could otherwise give a name to a
 * metafile that the client has removed. The servers remove objects without a name after this session has ended.
 */
final class UnnamedFile {
    private final CreateProtocol.FileSpec spec;
    private final Session session;
    private final Attributes metafile;
    private final Supplier<List<Handle>> more;

    /**
     * @param metafile attributes and layout from the reply that made the metafile
     * @param more datafiles that the client made for the metafile and that the metafile does not list
     */
    UnnamedFile(CreateProtocol.FileSpec spec, Session session, Attributes metafile, Supplier<List<Handle>> more)
            throws FsException {
        if (!metafile.hasLayout()) {
            throw new FsException(FsError.FAULT, spec.operation().subject() + " was created without a layout");
        }
        Answers.info(metafile); // throws an exception if the attributes make no sense
        this.spec = spec;
        this.session = session;
        this.metafile = metafile;
        this.more = more;
    }

    /** Makes the dirent as the last step. The layout has not changed since the metafile was made. */
    CompletableFuture<CreateProtocol.Made> link() {
        return link(metafile.getLayout());
    }

    /**
     * Makes the dirent as the last step.
     *
     * @param layout the present layout of the metafile
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

    /**
     * Asks a shard. If the shard refuses for good, the client takes back the metafile and its datafiles. The future
     * then fails with the refusal.
     */
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

    /**
     * Takes back the metafile and its datafiles by one request. Then fails the given future with the reason, whatever
     * the outcome of the request.
     */
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
