package io.steadfs.rpc;

import io.steadfs.hello.PeerIdentity;

/**
 * Handles the requests that a server receives. If a client sends a request twice, the handler gets the request twice.
 */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Begins to work on the request and returns at once. May be called from several transport threads. The request's
     * payload then belongs to the handler.
     */
    void handle(Call call);

    /** A request that waits for its reply. */
    interface Call {
        Request request();

        /** Address of the process that sent the request, for logs. */
        String peer();

        /** Identity of the sender, as stated in the HELLO of the connection. */
        PeerIdentity peerIdentity();

        /**
         * Whether nobody waits for the reply any more. The client cancelled the request, the connection ended, or the
         * deadline passed.
         */
        boolean isCancelled();

        /**
         * Whether the calling thread may do the work itself, although the work may wait for a disk. True only on the
         * thread that handles the call, if for some time no other connection has sent a request to a server of this
         * process, and the last requests of this connection came one at a time.
         */
        boolean isAlone();

        /** Whether the calling thread is the one that received the request and will send its reply. */
        default boolean isOnItsThread() {
            return false;
        }

        /**
         * Notes the present time as the time of the moment, for the timeline of the operation. May be called from any
         * thread, before the reply.
         */
        default void mark(Moment moment) {}

        /**
         * Sends the reply. The reply's payload then belongs to the call. Must be called only once: a second reply is an
         * error. May be called from any thread.
         */
        void reply(Reply reply);
    }
}
