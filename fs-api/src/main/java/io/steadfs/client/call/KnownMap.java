package io.steadfs.client.call;

import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;

/**
 * Fetches the cluster map for an operation that needs the map before the operation's first request. After a failure the
 * client pauses as {@link RetryRule} says, and asks again. The tries end when the map is known or the operation timeout
 * is over. If the client has not yet reached any metadata server, the shorter {@link RetryRule#REACH_TIMEOUT} limits
 * the tries. If every server has an unknown host or does not speak SteadFS's protocol, the fetch fails at once.
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

    /**
     * The known map, or the first map that the client can fetch. Fails with the errors of
     * {@link io.steadfs.cluster.ClusterMapCache#refresh}. If the caller cancels the future, the tries end.
     */
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
