package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/** Answers one kind of request that only reads, beside the writer. One class each, in {@code op}; stateless. */
public interface Query<Q extends MessageLite> {
    Reply answer(Q request, Principal principal, ReadView view, Inputs inputs);
}
