package io.steadfs.rpc;

import io.steadfs.hello.PeerIdentity;

/** A server's side of the wire: gets each decoded request once per arrival. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Begins the request and returns at once; may be called from several transport threads. The handler owns the
     * request's payload.
     */
    void handle(Call call);

    /** One request that waits for its reply. */
    interface Call {
        Request request();

        /** Address of the peer, for logs. */
        String peer();

        /** Who sent it, as the HELLO of the connection said. */
        PeerIdentity peerIdentity();

        /** Whether the client took the request back, its connection ended or its deadline passed. */
        boolean isCancelled();

        /** Notes when it got so far, for the timeline of its operation. From any thread, before the reply. */
        default void mark(Moment moment) {}

        /** Sends the reply, once; later replies are an error. Takes over its payload. From any thread. */
        void reply(Reply reply);
    }
}
