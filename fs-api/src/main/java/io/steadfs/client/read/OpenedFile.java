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
 * Finds out whether a file is still the one that was opened. Bytes that are missing or wrong are damage only if it is. So before a reader
 * gets an error about damage, the metafile's shard is asked, by handle. When a file is deleted or overwritten, its metafile is removed
 * before any of its datafiles, so the shard knows.
 */
public record OpenedFile(Courier courier, Operation operation, FileInfo info) {

    /** Completes as the source does. If the failure may come from a change of the file, it fails with the shard's answer about the file instead. */
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

    /** Never fails. If the shard does not answer, the failure stays as it is. */
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
