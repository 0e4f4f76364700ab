package io.steadfs.mds.duty;

import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.concurrent.CompletableFuture;

/** The shards that keep sessions, as one where these are guests asks them. */
@FunctionalInterface
public interface HomeShards {
    /** Asks once; a shard that does not answer is answered for by a refusal. Completes on any thread. */
    CompletableFuture<Reply> ask(int home, SessionStatusRequest request);
}
