package io.steadfs.client.call;

import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;

/**
 * The cluster map, for an operation that needs it before its first request. The map is asked for again, as {@link RetryRule} says for
 * requests, until it is known or the operation timeout is over. If no metadata server was ever reached, the wait ends sooner
 * ({@link RetryRule#REACH_TIMEOUT}). It ends at once if all servers have unknown hosts or do not speak our protocol.
 */
public final class KnownMap {
    private final Courier courier;
    private final long startNanos;
    private final CompletableFuture<ClusterView> result = new CompletableFuture<>();
    private int failures;

    private KnownMap(Courier courier) {
        this.courier = courier;
        this.startNanos = courier.clock().monotonicNanos();
    }

    /** Fails like {@link io.steadfs.cluster.ClusterMapCache#refresh}. Cancelling ends the tries. */
    public static CompletableFuture<ClusterView> of(Courier courier) {
        KnownMap map = new KnownMap(courier);
        map.attempt();
        return map.result;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        var unused = courier.map(startNanos).whenComplete((cluster, failure) -> {
            if (failure == null) {
                result.complete(cluster);
            } else {
                repeat(Futures.unwrap(failure));
            }
        });
    }

    private void repeat(Throwable failure) {
        failures++;
        long pauseMillis = courier.rule().pauseMillis(failures);
        if (courier.isMapOver(failure, startNanos, pauseMillis)) {
            result.completeExceptionally(
                    courier.pauses().areOver() ? new FsException(FsError.CANCELLED, Courier.CLOSED) : failure);
            return;
        }
        courier.counters().retries.increment();
        courier.pauses().then(pauseMillis, this::attempt);
    }
}
