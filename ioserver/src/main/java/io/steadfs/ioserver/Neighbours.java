package io.steadfs.ioserver;

import io.steadfs.hello.Welcome;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The file system that an IO server is part of: who reserves its numbers and tells others of it. */
public interface Neighbours extends AutoCloseable {
    /** Where the newest mark of the server's store is kept. */
    MarkPlace marks();

    /** Whether the operator says that the server is to go on with an older state of its store. */
    boolean acceptsLoss();

    /**
     * Reserves sequence numbers for handles; at each call of the process the same ones.
     *
     * @throws IOException if nobody can be asked
     */
    DatafileHandles.Source numbers() throws IOException;

    /** The newest cluster map; empty while there is none. From any thread, without waiting. */
    Optional<ClusterMap> map();

    /** Which server of which file system this is, and the secret of its servers. */
    Welcome welcome();

    /** Whoever formatted the file system. */
    String superuser();

    /** What keeps this server from hearing of the others, one line each; from any thread, without waiting. */
    List<String> problems();

    /** The server answers at this address from now on. */
    void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException;

    /**
     * What writers may still store, or what is stored, changed. Only after {@link #announce}; from any thread, without
     * waiting.
     *
     * @param storedBytes of all datafiles
     */
    void reportSpace(long capacityBytes, long usableBytes, long storedBytes);

    /** Leaves. */
    @Override
    void close();
}
