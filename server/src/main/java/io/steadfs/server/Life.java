package io.steadfs.server;

import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.proto.StatusReply;
import java.util.Optional;

/**
 * What serves over one opened store, from its opening to its closing: a shard, or all of an IO server. When the store
 * fails it ends by itself; what the disk kept is then unknown, and only a new life, which reads the disk again, knows.
 */
public interface Life extends AutoCloseable {
    /** Where requests go; also of one that ended, which still reads what it can and refuses the rest. */
    RequestHandler door();

    /** Set once it ended by itself. From any thread. */
    Optional<End> end();

    /** Its account of itself, without what {@link #report} adds; empty while its store is being closed. From any thread. */
    Optional<StatusReply> account();

    /** Adds what it knows of itself. Not called after {@link #close}. */
    void report(StatusReply.Builder status);

    /** Ends what is at work and closes the store. */
    @Override
    void close();

    /**
     * Why a life ended.
     *
     * @param why for people
     * @param storeFailed the disk refused, so a new life may serve; otherwise an invariant broke, and the process is not
     *     to be trusted
     */
    record End(String why, boolean storeFailed) {}
}
