package io.steadfs.client;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A create that names a leased datafile for each column: with others where the lease of one has ended meanwhile. */
final class LeasedColumns {
    /** Tries with new handles, beside the first one. */
    private static final int MORE_TRIES = 3;

    private LeasedColumns() {}

    /**
     * Takes handles and does the step with them. The handles are not given out again, however it ends: a request that
     * names them may still be on its way.
     *
     * @param step fails with LEASE_REVOKED where it certainly did nothing
     */
    static <A> CompletableFuture<A> with(
            CreateProtocol.Wish wish, Linked.Step<List<Handle>, CompletableFuture<A>> step) {
        return with(wish, step, MORE_TRIES);
    }

    private static <A> CompletableFuture<A> with(
            CreateProtocol.Wish wish, Linked.Step<List<Handle>, CompletableFuture<A>> step, int left) {
        return Linked.then(
                wish.leased().take(wish.cluster(), wish.width(), wish.nearServer()),
                handles -> Linked.orElseThen(step.apply(handles), refused -> {
                    if (refused.error() != FsError.LEASE_REVOKED || left == 0) {
                        return Optional.empty();
                    }
                    wish.leased().revoked(handles);
                    return Optional.of(with(wish, step, left - 1));
                }));
    }
}
