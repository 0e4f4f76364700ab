package io.steadfs.ioserver;

import io.steadfs.hello.Welcome;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An IO server's connection to its file system. Through this interface the server reserves numbers and tells other
 * servers about itself.
 */
public interface Neighbours extends AutoCloseable {
    /** The place where the newest mark of the server's store is kept. */
    MarkPlace marks();

    /** Which losses of the store the operator accepts. */
    AcceptedLoss acceptedLoss();

    /**
     * Gives the sequence numbers that are reserved for handles. Every call in a process returns the same source.
     *
     * @throws IOException if no number can be reserved
     */
    DatafileHandles.Source numbers() throws IOException;

    /**
     * The newest cluster map; empty if the server has no map yet. The call does not wait. May be called from any
     * thread.
     */
    Optional<ClusterMap> map();

    /** How many shards the file system has, as {@link io.steadfs.cluster.ConfirmedShards} says. */
    CompletableFuture<Integer> confirmShards();

    /** Identifies this server and its file system to other servers. Also holds the secret that the servers share. */
    Welcome welcome();

    /** The user who formatted the file system. */
    String superuser();

    /**
     * The problems that keep this server from hearing about other servers, one line each. The call does not wait. May
     * be called from any thread.
     */
    List<String> problems();

    /** Announces that the server answers at the address from now on. */
    void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException;

    /**
     * Reports new numbers of usable and stored bytes. Must be called only after {@link #announce}. The call does not
     * wait. May be called from any thread.
     *
     * @param storedBytes number of bytes of all datafiles
     */
    void reportSpace(long capacityBytes, long usableBytes, long storedBytes);

    /** Leaves the file system. */
    @Override
    void close();
}
