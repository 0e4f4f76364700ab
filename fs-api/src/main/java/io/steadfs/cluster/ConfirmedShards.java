package io.steadfs.cluster;

import java.util.concurrent.CompletableFuture;

/**
 * Counts the shards of the file system for a step that needs all of them. A server's cluster map may be old, above all
 * while the server does not reach ZooKeeper. So a step that destroys something must not count by the map.
 */
@FunctionalInterface
public interface ConfirmedShards {
    /**
     * The number of all shards, with those that are joining, at a moment after the call. The call does not wait. The future
     * may complete on any thread. It fails if the shards cannot be counted now.
     */
    CompletableFuture<Integer> count();
}
