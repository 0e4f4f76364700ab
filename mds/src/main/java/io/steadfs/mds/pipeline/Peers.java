package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import java.util.concurrent.CompletableFuture;

/** Sends requests to the shards of the file system. The sending shard may also send a request to itself. */
@FunctionalInterface
public interface Peers {
    /**
     * Sends one request, once. The future completes on any thread and never with an exception. If the shard cannot be
     * reached, the reply is UNREACHABLE.
     *
     * @param step name of the step, for counters
     * @param caller the user on whose behalf the request runs; the default instance stands for the server itself
     */
    CompletableFuture<Reply> send(int shard, Kind kind, String step, Caller caller, MessageLite body);

    /** Returns the same shards for messages of the operation with this trace id. */
    default Peers of(long traceId) {
        return this;
    }
}
