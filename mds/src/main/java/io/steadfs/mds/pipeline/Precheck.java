package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * A check of one kind of request that is too long for the writer: made beside it, on a snapshot, before the request is
 * queued. It can only refuse; what it found may have changed by the time the request is decided. Stateless.
 */
public interface Precheck<Q extends MessageLite> {
    /** Whether this request is one to check at all; must be quick. The others go straight to the queue. */
    default boolean isNeeded(Q request, Asker asker) {
        return true;
    }

    /** The refusal, or empty to go on. */
    Optional<Reply> refusal(Q request, Asker asker, ReadView view, Inputs inputs);
}
