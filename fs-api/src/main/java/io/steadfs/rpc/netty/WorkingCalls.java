package io.steadfs.rpc.netty;

import io.netty.util.collection.LongObjectHashMap;
import io.steadfs.rpc.ServerLoad;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one connection that a server works on, with their bytes. The bounds are {@code stead.rpc.connection.inflight.*}. A connection at a bound reads no further request. Belongs to the channel's event loop.
 */
final class WorkingCalls {
    private final NettyOptions options;
    private final ServerLoad load;
    private final LongObjectHashMap<ServerCall> byNumber = new LongObjectHashMap<>();
    private long bytes;

    /** @param load of the whole server */
    WorkingCalls(NettyOptions options, ServerLoad load) {
        this.options = options;
        this.load = load;
    }

    boolean isEmpty() {
        return byNumber.isEmpty();
    }

    /** Whether no further call may begin. */
    boolean isFull() {
        return byNumber.size() >= options.serverInFlight() || bytes >= options.serverInFlightBytes();
    }

    /** The call with this number, if it is at work. */
    @Nullable
    ServerCall get(long number) {
        return byNumber.get(number);
    }

    /** Adds a call whose number no other call at work has. */
    void add(ServerCall call) {
        byNumber.put(call.number(), call);
        bytes += call.bytes();
        load.begun(call.bytes());
    }

    /** Takes out a call that is at work. */
    void remove(ServerCall call) {
        byNumber.remove(call.number());
        bytes -= call.bytes();
        load.ended(call.bytes());
    }

    /** Takes out all calls, and tells each that its reply is not wanted any more. */
    void cancelAll() {
        for (ServerCall call : byNumber.values()) {
            call.cancel();
            load.ended(call.bytes());
        }
        byNumber.clear();
        bytes = 0;
    }
}
