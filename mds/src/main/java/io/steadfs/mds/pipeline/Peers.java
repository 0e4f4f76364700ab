package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import java.util.concurrent.CompletableFuture;

/** The shards of the file system as one of them reaches them, itself among them. */
@FunctionalInterface
public interface Peers {
    /**
     * Sends one request, once. A shard that cannot be reached is answered for, as UNREACHABLE. Completes on any thread,
     * always normally.
     *
     * @param step name of the step, for counters
     * @param caller in whose name; the default instance for the server itself
     */
    CompletableFuture<Reply> send(int shard, Kind kind, String step, Caller caller, MessageLite body);

    /** The same, for messages that belong to the operation of this trace id. */
    default Peers of(long traceId) {
        return this;
    }
}
