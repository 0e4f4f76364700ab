package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.store.ReadView;

/**
 * Checks one kind of request where the check takes too long for the writer. The precheck runs beside the writer, on a
 * snapshot, before the request is queued. The state may have changed when the request is decided. If such a change matters,
 * the precheck returns an operation that looks again. Stateless. If nobody waits for the request any more, the view throws
 * an exception that ends the precheck.
 */
public interface Precheck<Q extends MessageLite> {
    /** Whether this request must be checked at all; this method must be quick. Other requests go straight to the queue. */
    default boolean isNeeded(Q request, Principal principal) {
        return true;
    }

    Checked<Q> check(Q request, Principal principal, ReadView view, Inputs inputs);
}
