package io.steadfs.mds.testing;

import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import java.util.function.Consumer;

/** A call whose caller waits, and takes what it is answered. */
public record TestCall(Request request, PeerIdentity peerIdentity, Consumer<Reply> caller)
        implements RequestHandler.Call {
    /** A call of a server. */
    public TestCall(Request request, Consumer<Reply> caller) {
        this(request, TestHello.peerIdentity(), caller);
    }

    @Override
    public String peer() {
        return "a test";
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean isAlone() {
        return false;
    }

    @Override
    public void reply(Reply reply) {
        caller.accept(reply);
    }
}
