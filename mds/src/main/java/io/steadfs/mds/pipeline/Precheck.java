package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.store.ReadView;

/**
 * Checks one kind of request if the check takes too long for the writer. Stateless.
 *
 * <p>The precheck runs on a snapshot, outside of the writer, before the request is queued. The state may change before
 * the request is decided. If a change would matter, the precheck returns an operation that looks again. If nobody waits
 * for the request any more, the view throws an exception that ends the precheck.
 */
public interface Precheck<Q extends MessageLite> {
    /**
     * Returns whether this request needs a check. Must be quick. A request without a check goes straight to the queue.
     */
    default boolean isNeeded(Q request, Principal principal) {
        return true;
    }

    Checked<Q> check(Q request, Principal principal, ReadView view, Inputs inputs);
}
