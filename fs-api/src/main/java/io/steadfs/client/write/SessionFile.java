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
 * Sends the requests about one open file to the file's shard, in the session that writes the file. Can also give the
 * file up. Any thread may call the methods, because this record has no mutable state.
 *
 * @param session session in which the file was created or opened for appending
 * @param info attributes from the answer to the create or append
 */
record SessionFile(RecordedCalls recorded, Session session, Operation operation, FileInfo info) {
    String subject() {
        return operation.subject();
    }

    /** Sends a request to the metafile's shard, in the session of the file. */
    CompletableFuture<Reply> ask(Question question) {
        return recorded.askWithin(session, operation, question);
    }

    /**
     * Gives the file up, so that the servers recover the file now. A close may still be on its way. If the close
     * arrives first, the file is closed. If the close arrives later, the shard refuses the close. If the request of
     * this method does not arrive, the servers recover the file after the session has ended.
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
     * Gives the file up, and reports why the writing failed. If the file's shard says that the file no longer exists,
     * the reported reason is the missing file. In all other cases, the reported reason is the given failure.
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

    /**
     * Converts the failure of a request to an {@link FsException}. An unknown failure becomes a FAULT whose message
     * names the file.
     */
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
