package io.steadfs.rpc;

import io.steadfs.hello.PeerIdentity;
import java.util.function.Consumer;

/**
 * Wraps a call that is passed to another handler, and intercepts the handler's reply. All other methods work as those
 * of the wrapped call.
 */
public final class ForwardedCall implements RequestHandler.Call {
    private final RequestHandler.Call call;
    private final Consumer<Reply> onReply;

    /**
     * @param onReply gets the handler's reply and its ownership, and decides whether to reply to the wrapped call; runs
     *     on the thread that replies
     */
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
    public boolean isAlone() {
        return call.isAlone();
    }

    @Override
    public boolean isOnItsThread() {
        return call.isOnItsThread();
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
