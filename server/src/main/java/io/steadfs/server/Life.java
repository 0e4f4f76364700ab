package io.steadfs.server;

import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.proto.StatusReply;
import java.util.Optional;

/**
 * Everything that serves from one opened store, from its opening to its closing: a shard, or all of an IO server. A life ends by itself
 * when its store fails. Then it is unknown what the disk kept, and only a new life, which reads the disk again, can find out.
 */
public interface Life extends AutoCloseable {
    /** The handler for requests. After the end of the life it still reads what it can and refuses the rest. */
    RequestHandler door();

    /** Set once the life ended by itself. From any thread. */
    Optional<End> end();

    /** The status of this life, without what {@link #report} adds; empty while its store is being closed. From any thread. */
    Optional<StatusReply> account();

    /** Adds further figures to the status. Not called after {@link #close}. */
    void report(StatusReply.Builder status);

    /** Stops all work and closes the store. */
    @Override
    void close();

    /**
     * Why a life ended.
     *
     * @param why for people
     * @param storeFailed true if the disk refused, so that a new life may serve; false if an invariant broke, so that the process is not to
     *     be trusted
     */
    record End(String why, boolean storeFailed) {}
}
