package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/**
 * Decides one kind of request that may change state. There is one class for each kind, in {@code op}. Stateless and
 * pure.
 */
public interface Operation<Q extends MessageLite> {
    Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs);
}
