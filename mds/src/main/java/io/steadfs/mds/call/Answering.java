package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.function.LongSupplier;

/** A call that waits for its answer. Puts this server's epoch into the reply. */
final class Answering {
    private final RequestHandler.Call call;
    private final LongSupplier epoch;

    Answering(RequestHandler.Call call, LongSupplier epoch) {
        this.call = call;
        this.epoch = epoch;
    }

    Request request() {
        return call.request();
    }

    String peer() {
        return call.peer();
    }

    /** Returns the trace id of the operation to which the request belongs. */
    long traceId() {
        return request().header().getTraceId();
    }

    boolean isAlone() {
        return call.isAlone();
    }

    boolean isOnItsThread() {
        return call.isOnItsThread();
    }

    void mark(Moment moment) {
        call.mark(moment);
    }

    boolean isCancelled() {
        return call.isCancelled();
    }

    void reply(Reply reply) {
        ReplyHeader header =
                reply.header().toBuilder().setEpoch(epoch.getAsLong()).build();
        call.reply(new Reply(reply.error(), header, reply.body(), reply.payload()));
    }

    void refuse(FsError error, String message) {
        reply(Reply.refused(request().kind(), error, message));
    }

    @Override
    public String toString() {
        return request().kind() + " " + request().header().getRequestId() + " from " + peer() + ", trace "
                + Long.toHexString(traceId());
    }
}
