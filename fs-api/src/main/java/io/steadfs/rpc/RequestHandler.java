package io.steadfs.rpc;

import io.steadfs.hello.PeerIdentity;

/** A server's side of the wire: gets each decoded request once per arrival. */
@FunctionalInterface
public interface RequestHandler {
    /** Begins the request and returns at once. May be called from several transport threads. The handler owns the request's payload. */
    void handle(Call call);

    /** One request that waits for its reply. */
    interface Call {
        Request request();

        /** Address of the peer, for logs. */
        String peer();

        /** Identity of the sender, as the HELLO of the connection said. */
        PeerIdentity peerIdentity();

        /** Whether the request is no longer wanted: the client took it back, its connection ended, or its deadline passed. */
        boolean isCancelled();

        /** Notes the time of this moment, for the timeline of the operation. From any thread, before the reply. */
        default void mark(Moment moment) {}

        /** Sends the reply and takes over its payload. Must be called once only: later replies are an error. From any thread. */
        void reply(Reply reply);
    }
}
