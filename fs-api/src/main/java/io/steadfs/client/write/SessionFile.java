package io.steadfs.client.write;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a file's shard for the one session that writes the file, and gives the file up. Has no state, so any thread may use it.
 *
 * @param session that created the file, or opened it to append
 * @param info as the create or append answered it
 */
record SessionFile(RecordedCalls recorded, Session session, Operation operation, FileInfo info) {
    String subject() {
        return operation.subject();
    }

    /** Asks the metafile's shard, within the file's session. */
    CompletableFuture<Reply> ask(Question question) {
        return recorded.askWithin(session, operation, question);
    }

    /**
     * Gives the file up, so that the servers recover it now. A close that is still on its way is refused after this, or has closed the file
     * before. If this request does not arrive, the file is recovered when the session ends.
     */
    CompletableFuture<Void> abandon() {
        Question question = Question.metafile(
                Kind.ABANDON,
                "abandon",
                info.handle(),
                AbandonRequest.newBuilder()
                        .setMetafile(info.handle().value())
                        .setWriteGeneration(info.writeGeneration())
                        .build());
        return Futures.done(ask(question), reply -> reply.payload().release());
    }

    /**
     * Gives the file up, and reports why the writing failed. If the file's shard says that the file no longer exists, that is the reason.
     * Otherwise the reason is the failure itself.
     */
    void abandonAndTell(Throwable failure, Consumer<Throwable> whenKnown) {
        var unused = abandon().whenComplete((done, refused) -> {
            boolean isGone = refused != null
                    && Futures.unwrap(refused) instanceof FsException gone
                    && gone.error() == FsError.NOT_FOUND;
            whenKnown.accept(
                    isGone
                            ? new FsException(
                                    FsError.NOT_FOUND,
                                    subject() + " was deleted or overwritten while it was written",
                                    failure)
                            : failure);
        });
    }

    /** The failure of a request, which names this file if it is no known error. */
    FsException asFsException(@Nullable Throwable refused) {
        if (refused == null) {
            return new FsException(FsError.FAULT, subject() + ": no reply");
        }
        Throwable cause = Futures.unwrap(refused);
        return cause instanceof FsException known
                ? known
                : new FsException(FsError.FAULT, subject() + ": " + cause, cause);
    }
}
