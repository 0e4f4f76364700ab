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

/** The file system around an IO server: it reserves the server's numbers, and tells the others about the server. */
public interface Neighbours extends AutoCloseable {
    /** The place for the newest mark of the server's store. */
    MarkPlace marks();

    /** Whether the operator lets the server go on with a store that lacks something. */
    AcceptedLoss acceptedLoss();

    /**
     * Reserves sequence numbers for handles. Every call in a process returns the same source.
     *
     * @throws IOException if no number can be reserved
     */
    DatafileHandles.Source numbers() throws IOException;

    /** The newest cluster map; empty while there is none. From any thread, without waiting. */
    Optional<ClusterMap> map();

    /** The identities of this server and its file system, and the secret of its servers. */
    Welcome welcome();

    /** The user who formatted the file system. */
    String superuser();

    /** Why this server does not hear of the others, one line each; from any thread, without waiting. */
    List<String> problems();

    /** Announces that the server answers at this address from now on. */
    void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException;

    /**
     * Reports that the usable or the stored bytes changed. Only after {@link #announce}; from any thread, without waiting.
     *
     * @param storedBytes of all datafiles
     */
    void reportSpace(long capacityBytes, long usableBytes, long storedBytes);

    /** Leaves the file system. */
    @Override
    void close();
}
