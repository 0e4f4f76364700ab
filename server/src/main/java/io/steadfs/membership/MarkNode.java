package io.steadfs.membership;

import io.steadfs.store.mark.MarkPlace;
import io.steadfs.store.mark.StoreMark;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the node {@code /marks/<owner>}: the newest mark of the store of a shard or IO server. The node's
 * name is the owner id in hexadecimal.
 */
final class MarkNode implements MarkPlace {
    private static final Logger LOG = LoggerFactory.getLogger(MarkNode.class);

    private final ZooKeeperTree tree;
    private final String path;
    private final Executor thread;
    private final BooleanSupplier isConnected;

    /** @param thread runs the writes to ZooKeeper one after the other */
    MarkNode(ZooKeeperTree tree, int owner, Executor thread, BooleanSupplier isConnected) {
        this.tree = tree;
        this.path = tree.mark(owner);
        this.thread = thread;
        this.isConnected = isConnected;
    }

    /**
     * Reads the mark. If the node cannot be read, this method logs a warning and returns empty, and the next mark
     * replaces the node.
     */
    @Override
    public Optional<StoreMark> read() throws IOException {
        try {
            return tree.read(path, StoreMark.class).map(Versioned::value);
        } catch (UnreadableNodeException e) {
            LOG.warn(
                    "{}; whether the store is an older state cannot be told, and the mark is written anew",
                    e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<Void> leave(StoreMark mark) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        try {
            thread.execute(() -> {
                try {
                    leaveNow(mark);
                    left.complete(null);
                } catch (MembershipException | RuntimeException e) {
                    left.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            left.completeExceptionally(e);
        }
        return left;
    }

    /** Writes the mark. Fails at once if there is no connection to ZooKeeper. */
    private void leaveNow(StoreMark mark) throws MembershipException {
        if (!isConnected.getAsBoolean()) {
            throw new MembershipException(tree + " does not answer");
        }
        tree.put(path, mark);
    }
}
