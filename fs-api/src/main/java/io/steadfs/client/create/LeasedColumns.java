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
 * Runs a create with one leased handle for each column. If the lease of a handle has ended meanwhile, the create is
 * tried again with other handles.
 */
final class LeasedColumns {
    /** Number of further tries, each with new handles, after the first try. */
    private static final int MORE_TRIES = 3;

    private LeasedColumns() {}

    /** Gets a handle for each column. */
    interface Taking {
        CompletableFuture<List<Handle>> take(ClusterView cluster, int width);
    }

    /**
     * Tries to get handles until the operation timeout is over. After a temporary failure, the client pauses, fetches
     * the cluster map, and tries again. Tries never overlap.
     */
    static final class Persistent {
        private final CreateProtocol.FileSpec spec;
        private final LeasedHandles leased;
        private final Taking taking;
        private final long startNanos;
        private final CompletableFuture<List<Handle>> taken = new CompletableFuture<>();
        private int failures;

        Persistent(CreateProtocol.FileSpec spec, LeasedHandles leased, Taking taking) {
            this.spec = spec;
            this.leased = leased;
            this.taking = taking;
            this.startNanos = spec.courier().clock().monotonicNanos();
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
                width = spec.width();
            } catch (FsException e) {
                taken.completeExceptionally(e);
                return;
            }
            ClusterView cluster = spec.courier().cluster().present().orElse(spec.cluster());
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
            long pauseMillis = spec.courier().rule().pauseMillis(failures);
            boolean mayHelp = failure instanceof FsException refused
                    && RetryRule.verdict(refused.error()) != RetryRule.Verdict.SETTLED
                    && refused.error() != FsError.CANCELLED;
            if (!mayHelp || spec.courier().isOver(startNanos, pauseMillis)) {
                taken.completeExceptionally(failure);
                return;
            }
            spec.courier().counters().retries.increment();
            var unused = spec.courier().cluster().refresh();
            spec.courier().pauses().then(pauseMillis, this::attempt);
        }
    }

    /**
     * Takes leased handles and runs the create with the handles. The client never uses the handles again, because a
     * late request may still name these handles.
     *
     * @param step the create; fails with LEASE_REVOKED only if the create certainly did nothing
     */
    static <A> CompletableFuture<A> with(
            CreateProtocol.FileSpec spec, LeasedHandles leased, Futures.Step<List<Handle>, CompletableFuture<A>> step) {
        return with(spec, leased, step, MORE_TRIES);
    }

    private static <A> CompletableFuture<A> with(
            CreateProtocol.FileSpec spec,
            LeasedHandles leased,
            Futures.Step<List<Handle>, CompletableFuture<A>> step,
            int left) {
        return Futures.then(
                new Persistent(
                                spec,
                                leased,
                                (cluster, width) -> leased.take(spec.operation(), cluster, width, spec.nearServer()))
                        .begin(),
                handles -> Futures.orElseThen(step.apply(handles), refused -> {
                    if (refused.error() != FsError.LEASE_REVOKED || left == 0) {
                        return Optional.empty();
                    }
                    leased.revoked(handles);
                    return Optional.of(with(spec, leased, step, left - 1));
                }));
    }
}
