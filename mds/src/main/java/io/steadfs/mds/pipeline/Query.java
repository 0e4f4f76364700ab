package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/**
 * Answers one kind of read-only request without the writer. There is one class for each kind, in {@code op}. Stateless.
 */
public interface Query<Q extends MessageLite> {
    Reply answer(Q request, Principal principal, ReadView view, Inputs inputs);
}
