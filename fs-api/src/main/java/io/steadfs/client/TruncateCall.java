package io.steadfs.client;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.TruncateFileReply;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Shortens a file. The call ends once all IO servers know the new length. The call also ends if the path no longer
 * names the same file.
 */
final class TruncateCall {
    private final PathCalls calls;
    private final Courier courier;
    private final FsPath path;

    TruncateCall(PathCalls calls, FsPath path) {
        this.calls = calls;
        this.courier = calls.courier();
        this.path = path;
    }

    CompletableFuture<FileInfo> to(long length) {
        return calls.change(
                        Kind.TRUNCATE_FILE,
                        "truncate",
                        path,
                        TruncateFileReply.class,
                        location -> TruncateFileRequest.newBuilder()
                                .setLocation(location)
                                .setLength(length)
                                .build())
                .then(reply -> settled(reply.getAttributes()));
    }

    private CompletableFuture<FileInfo> settled(Attributes truncated) {
        CompletableFuture<FileInfo> result = new CompletableFuture<>();
        Operation operation = calls.operation(path);
        askUntilSettled(operation, truncated, courier.clock().monotonicNanos(), 1, result);
        return result;
    }

    private void askUntilSettled(
            Operation operation, Attributes truncated, long sinceNanos, int asked, CompletableFuture<FileInfo> result) {
        if (!truncated.getRecovering()) {
            complete(result, truncated);
            return;
        }
        long pauseMillis = courier.rule().pauseMillis(asked);
        if (courier.isOver(sinceNanos, pauseMillis)) {
            result.completeExceptionally(new FsException(
                    FsError.TIMED_OUT,
                    path + " was truncated to " + truncated.getLength()
                            + " bytes, but not all IO servers know the new length yet;"
                            + " until then nobody can write the file"));
            return;
        }
        Runnable ask = () -> {
            if (courier.pauses().areOver()) {
                askUntilSettled(operation, truncated, sinceNanos, asked, result);
                return;
            }
            var unused = stat(operation).whenComplete((attributes, failure) -> {
                boolean same = attributes != null
                        && attributes.getHandle() == truncated.getHandle()
                        && attributes.getWriteGeneration() == truncated.getWriteGeneration();
                if (same) {
                    askUntilSettled(operation, attributes, sinceNanos, asked + 1, result);
                } else if (attributes == null && courier.pauses().areOver()) {
                    askUntilSettled(operation, truncated, sinceNanos, asked + 1, result);
                } else if (attributes != null || isGone(failure)) {
                    // The file was renamed, removed or opened for writing again. A file can be opened for writing again
                    // only after its truncate is over.
                    complete(result, truncated);
                } else {
                    result.completeExceptionally(Futures.unwrap(failure));
                }
            });
        };
        courier.pauses().then(pauseMillis, ask);
    }

    private CompletableFuture<Attributes> stat(Operation operation) {
        return calls.ask(
                        operation,
                        Kind.STAT,
                        "truncated?",
                        path,
                        StatReply.class,
                        location ->
                                StatRequest.newBuilder().setLocation(location).build())
                .thenApply(StatReply::getAttributes);
    }

    private static void complete(CompletableFuture<FileInfo> result, Attributes attributes) {
        try {
            result.complete(Answers.info(attributes));
        } catch (FsException e) {
            result.completeExceptionally(e);
        }
    }

    /** Whether the path leads to the truncated file no more. A symbolic link may be on it now. */
    private static boolean isGone(Throwable failure) {
        return Futures.unwrap(failure) instanceof FsException refused
                && (refused.error().isAbsence() || refused.error() == FsError.UNRESOLVED_LINK);
    }
}
