package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/** Decides one kind of request that may change state. One class each, in {@code op}; stateless, pure. */
public interface Operation<Q extends MessageLite> {
    Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs);
}
