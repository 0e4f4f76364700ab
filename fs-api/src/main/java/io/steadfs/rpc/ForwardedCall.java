package io.steadfs.rpc;

import io.steadfs.hello.PeerIdentity;
import java.util.function.Consumer;

/** A call handed on to another handler, whose reply passes through here. Everything else is passed to the original call. */
public final class ForwardedCall implements RequestHandler.Call {
    private final RequestHandler.Call call;
    private final Consumer<Reply> onReply;

    /** @param onReply takes over the reply, and decides whether to reply to the call; runs on the replying thread */
    public ForwardedCall(RequestHandler.Call call, Consumer<Reply> onReply) {
        this.call = call;
        this.onReply = onReply;
    }

    @Override
    public Request request() {
        return call.request();
    }

    @Override
    public String peer() {
        return call.peer();
    }

    @Override
    public PeerIdentity peerIdentity() {
        return call.peerIdentity();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled();
    }

    @Override
    public void mark(Moment moment) {
        call.mark(moment);
    }

    @Override
    public void reply(Reply reply) {
        onReply.accept(reply);
    }
}
