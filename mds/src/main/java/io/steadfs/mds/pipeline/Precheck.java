package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.store.ReadView;

/**
 * A check of one kind of request that is too long for the writer: made beside it, on a snapshot, before the request is
 * queued. What it found may have changed by the time the request is decided; where that matters, it gives the operation
 * that looks. Stateless. A request that nobody waits for any more ends it by an exception of its view.
 */
public interface Precheck<Q extends MessageLite> {
    /** Whether this request is one to check at all; must be quick. The others go straight to the queue. */
    default boolean isNeeded(Q request, Principal principal) {
        return true;
    }

    Checked<Q> check(Q request, Principal principal, ReadView view, Inputs inputs);
}
