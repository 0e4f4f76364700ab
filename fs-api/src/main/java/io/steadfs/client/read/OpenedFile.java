package io.steadfs.client.read;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Finds out whether an open file was deleted, overwritten or truncated meanwhile. Missing or wrong bytes are damage
 * only if the file has not changed. So before the client reports damage to a program, it asks the metafile's shard
 * about the file. The shard's answer is reliable, because servers remove a file's metafile before its datafiles.
 */
public record OpenedFile(Courier courier, Operation operation, FileInfo info) {

    /**
     * Makes a future that completes like the source. If the source fails because the file has changed, the future fails
     * with an error that names the change.
     */
    public <T> CompletableFuture<T> telling(CompletableFuture<T> source) {
        return Futures.orElseThen(
                source,
                failure -> isDoubtful(failure.error())
                        ? Optional.of(Futures.then(why(failure), cause -> CompletableFuture.<T>failedFuture(cause)))
                        : Optional.empty());
    }

    private static boolean isDoubtful(FsError error) {
        return error == FsError.NO_SUCH_DATAFILE || error == FsError.CORRUPT;
    }

    /**
     * Finds the error to report instead of the given failure. If the shard does not answer, the result is the given
     * failure. The future itself never fails.
     */
    private CompletableFuture<FsException> why(FsException failure) {
        Question question = Question.metafile(
                Kind.STAT,
                "still there?",
                info.handle(),
                StatRequest.newBuilder().setMetafile(info.handle().value()).build());
        return courier.settle(operation, question, Courier.Stamp.NONE).handle((settled, broken) -> {
            if (settled == null) {
                return failure;
            }
            settled.reply().payload().release();
            if (settled.reply().error() == FsError.NOT_FOUND) {
                return changed(FsError.NOT_FOUND, "was deleted or overwritten after it was opened", failure);
            }
            if (!settled.isOk()) {
                return failure;
            }
            Attributes now = ((StatReply) settled.reply().body()).getAttributes();
            boolean isShorter = !info.open()
                    && now.getWriteGeneration() != info.writeGeneration()
                    && now.getLength() < info.length();
            return isShorter
                    ? changed(
                            FsError.STALE_GENERATION,
                            "was truncated after it was opened, and has " + now.getLength() + " bytes now",
                            failure)
                    : failure;
        });
    }

    private FsException changed(FsError error, String what, FsException failure) {
        return new FsException(error, operation.subject() + " " + what, failure);
    }
}
