package io.steadfs.server;

import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.proto.StatusReply;
import java.util.Optional;

/**
 * Everything that serves from one opened store: a shard, or all of an IO server. A life begins when the store is
 * opened, and ends when the store is closed. A life also ends if its store fails. After a failure nobody knows what the
 * disk kept, so a new life must read the disk again.
 */
public interface Life extends AutoCloseable {
    /**
     * The handler of requests. After the end of the life, the handler still answers reads if possible and refuses all
     * other requests.
     */
    RequestHandler door();

    /** The reason why the life ended by itself; empty before that. From any thread. */
    Optional<End> end();

    /**
     * The status of this life, without the figures that {@link #report} adds; empty while the store is being closed.
     * From any thread.
     */
    Optional<StatusReply> account();

    /** Adds further figures to the status. Callers must not use this method after {@link #close}. */
    void report(StatusReply.Builder status);

    /** Stops all work and closes the store. */
    @Override
    void close();

    /**
     * Why a life ended.
     *
     * @param why the reason, for people
     * @param storeFailed true if the disk refused, so that a new life may serve. If an invariant broke, the value is
     *     false, because nobody can trust the process
     */
    record End(String why, boolean storeFailed) {}
}
