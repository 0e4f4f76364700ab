package io.steadfs.client.write;

import io.steadfs.client.call.Turns;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends the writing of a file with its first error, which is final. The file is then given up, so that the servers recover it at once. The
 * file is not given up if the error says that it no longer belongs to this writer. All is called within the writer's turn, except {@link
 * #error}, which any thread may read.
 *
 * <p>An error NO_SUCH_DATAFILE is not final yet, since most likely the whole file is gone. The file is given up first. The error is then
 * what the file's shard says to that. Errors of other columns meanwhile have the same cause, so they change nothing.
 */
final class WriteFailure {
    private final SessionFile file;
    private final Turns turns;
    private final Supplier<List<CompletableFuture<Void>>> letGo;
    private final Runnable whenOver;

    private volatile @Nullable FsException error;
    /** The cause of an error is being asked for. Nothing is sent meanwhile. */
    private boolean asking;
    /** The client is closed, so nothing more is asked. */
    private boolean leaving;

    /**
     * @param letGo releases what the writer holds, and returns the futures of all who wait for the writer
     * @param whenOver called once after an error, outside the turn
     */
    WriteFailure(SessionFile file, Turns turns, Supplier<List<CompletableFuture<Void>>> letGo, Runnable whenOver) {
        this.file = file;
        this.turns = turns;
        this.letGo = letGo;
        this.whenOver = whenOver;
    }

    /** The error that ended the writing, if one did. */
    @Nullable
    FsException error() {
        return error;
    }

    /** Whether the writing has ended with an error. */
    boolean isFinal() {
        return error != null;
    }

    /** Whether there is an error, final or not. Nothing may be sent then. */
    boolean hasBegun() {
        return error != null || asking;
    }

    /** Ends the writing. The message says what happened, and where within the file. */
    void fail(FsError code, String message) {
        String subject = file.subject();
        fail(new FsException(code, message.startsWith(subject) ? message : subject + ": " + message));
    }

    /** Ends the writing, because a request failed. */
    void failAfter(@Nullable Throwable refused) {
        fail(file.asFsException(refused));
    }

    private void fail(FsException failure) {
        if (error == null && !leaving && (asking || failure.error() == FsError.NO_SUCH_DATAFILE)) {
            askWhy(failure);
        } else {
            end(failure);
        }
    }

    /** Ends the writing without giving the file up. The session ends, and the servers then recover the file as it is. */
    void leave() {
        if (error == null) {
            leaving = true;
            fail(FsError.CANCELLED, "given up: the client was closed");
        }
    }

    private void askWhy(FsException failure) {
        if (!asking) {
            asking = true;
            file.abandonAndTell(failure, cause -> turns.bring(() -> end(file.asFsException(cause))));
        }
    }

    private void end(FsException failure) {
        if (error != null) {
            return;
        }
        error = failure;
        List<CompletableFuture<Void>> failed = letGo.get();
        boolean giveUp = !leaving && !asking && mayBeOurs(failure.error());
        turns.afterwards(() -> {
            if (giveUp) {
                var unused = file.abandon();
            }
            failed.forEach(future -> future.completeExceptionally(failure));
            whenOver.run();
        });
    }

    /** Whether the file may still belong to this writer. */
    private static boolean mayBeOurs(FsError error) {
        return switch (error) {
            case STALE_GENERATION, NOT_WRITER, SESSION_EXPIRED, NOT_FOUND -> false;
            default -> true;
        };
    }
}
