package io.steadfs.mds.duty;

import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.concurrent.CompletableFuture;

/** Sends questions about sessions to their home shards. */
@FunctionalInterface
public interface HomeShards {
    /**
     * Sends one question once. If the shard does not answer, the reply is a refusal. The future completes on any
     * thread.
     */
    CompletableFuture<Reply> ask(int home, SessionStatusRequest request);
}
