package io.steadfs.mds.duty;

import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.concurrent.CompletableFuture;

/** The home shards of sessions, as a shard with guests asks them. */
@FunctionalInterface
public interface HomeShards {
    /** Asks once. If the shard does not answer, the reply is a refusal. Completes on any thread. */
    CompletableFuture<Reply> ask(int home, SessionStatusRequest request);
}
