package io.steadfs.rpc.netty;

import io.netty.util.collection.LongObjectHashMap;
import io.steadfs.rpc.ServerLoad;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that a server works on, and the number of their bytes. The keys
 * {@code stead.rpc.connection.inflight.*} limit both. At a limit, the server reads no further request from the
 * connection. Belongs to the channel's event loop.
 */
final class WorkingCalls {
    private final NettyOptions options;
    private final ServerLoad load;
    private final LongObjectHashMap<ServerCall> byNumber = new LongObjectHashMap<>();
    private long bytes;

    /** @param load counts the load of the whole server */
    WorkingCalls(NettyOptions options, ServerLoad load) {
        this.options = options;
        this.load = load;
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** Whether a limit is reached, so that no further call may begin. */
    boolean isFull() {
        return byNumber.size() >= options.serverInFlight() || bytes >= options.serverInFlightBytes();
    }

    /** The call with this number; null if the server works on no such call. */
    @Nullable
    ServerCall get(long number) {
        return byNumber.get(number);
    }

    /** Adds a call. No other call at work may have the same number. */
    void add(ServerCall call) {
        byNumber.put(call.number(), call);
        bytes += call.bytes();
        load.begun(call.bytes());
    }

    /** Removes a call that is at work. */
    void remove(ServerCall call) {
        byNumber.remove(call.number());
        bytes -= call.bytes();
        load.ended(call.bytes());
    }

    /** Takes out all calls, and marks each call as cancelled. */
    void cancelAll() {
        for (ServerCall call : byNumber.values()) {
            call.cancel();
            load.ended(call.bytes());
        }
        byNumber.clear();
        bytes = 0;
    }
}
