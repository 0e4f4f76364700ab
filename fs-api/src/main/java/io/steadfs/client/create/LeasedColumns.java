package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.RetryRule;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A create that names a leased datafile for each column. If the lease of one has ended meanwhile, the create is tried again with others.
 */
final class LeasedColumns {
    /** Tries with new handles, in addition to the first one. */
    private static final int MORE_TRIES = 3;

    private LeasedColumns() {}

    /** One way to get a handle for each column. */
    interface Taking {
        CompletableFuture<List<Handle>> take(ClusterView cluster, int width);
    }

    /**
     * Tries to get handles for as long as an operation may take. Where waiting may help, it pauses and fetches a newer cluster map. One try
     * at a time, each beginning where the one before ended.
     */
    static final class Persistent {
        private final CreateProtocol.FileSpec wish;
        private final LeasedHandles leased;
        private final Taking taking;
        private final long startNanos;
        private final CompletableFuture<List<Handle>> taken = new CompletableFuture<>();
        private int failures;

        Persistent(CreateProtocol.FileSpec wish, LeasedHandles leased, Taking taking) {
            this.wish = wish;
            this.leased = leased;
            this.taking = taking;
            this.startNanos = wish.courier().clock().monotonicNanos();
        }

        CompletableFuture<List<Handle>> begin() {
            attempt();
            return taken;
        }

        private void attempt() {
            if (taken.isDone()) {
                return;
            }
            int width;
            try {
                width = wish.width();
            } catch (FsException e) {
                taken.completeExceptionally(e);
                return;
            }
            ClusterView cluster = wish.courier().cluster().present().orElse(wish.cluster());
            var unused = taking.take(cluster, width).whenComplete((handles, failure) -> {
                if (handles == null) {
                    failed(Futures.unwrap(failure));
                } else if (!taken.complete(handles)) {
                    leased.putBack(handles);
                }
            });
        }

        private void failed(Throwable failure) {
            failures++;
            long pauseMillis = wish.courier().rule().pauseMillis(failures);
            boolean mayHelp = failure instanceof FsException refused
                    && RetryRule.verdict(refused.error()) != RetryRule.Verdict.SETTLED
                    && refused.error() != FsError.CANCELLED;
            if (!mayHelp || wish.courier().isOver(startNanos, pauseMillis)) {
                taken.completeExceptionally(failure);
                return;
            }
            wish.courier().counters().retries.increment();
            var unused = wish.courier().cluster().refresh();
            wish.courier().pauses().then(pauseMillis, this::attempt);
        }
    }

    /**
     * Takes leased handles and does the step with them. The handles are not given out again, whatever the outcome: a request that names
     * them may still be on its way.
     *
     * @param step fails with LEASE_REVOKED where it certainly did nothing
     */
    static <A> CompletableFuture<A> with(
            CreateProtocol.FileSpec wish, LeasedHandles leased, Futures.Step<List<Handle>, CompletableFuture<A>> step) {
        return with(wish, leased, step, MORE_TRIES);
    }

    private static <A> CompletableFuture<A> with(
            CreateProtocol.FileSpec wish,
            LeasedHandles leased,
            Futures.Step<List<Handle>, CompletableFuture<A>> step,
            int left) {
        return Futures.then(
                new Persistent(
                                wish,
                                leased,
                                (cluster, width) -> leased.take(wish.operation(), cluster, width, wish.nearServer()))
                        .begin(),
                handles -> Futures.orElseThen(step.apply(handles), refused -> {
                    if (refused.error() != FsError.LEASE_REVOKED || left == 0) {
                        return Optional.empty();
                    }
                    leased.revoked(handles);
                    return Optional.of(with(wish, leased, step, left - 1));
                }));
    }
}
