package io.steadfs.mds;

import io.steadfs.hello.Welcome;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;

/** The file system that a metadata server is part of. It reserves handles for this server and tells other servers about it. */
public interface Neighbours extends AutoCloseable {
    /** The newest cluster map; a map without servers if there is none yet. Does not wait. May be called from any thread. */
    ClusterMap map();

    /** Numbers of the shards that this server is to host, at least one. */
    SortedSet<Integer> shards() throws IOException;

    /** Problems that keep this server from hearing about the others, one line each. Does not wait. May be called from any thread. */
    List<String> problems();

    /** Says which server of which file system this is, and holds the secret that the servers share. */
    Welcome welcome();

    /** The user who formatted the file system. */
    String superuser();

    /**
     * Makes this server the host of the shard.
     *
     * @throws IOException if another server hosts the shard, or if nobody can be asked
     */
    void claim(int shard) throws IOException;

    /** Where the newest mark of the shard's store is kept. */
    MarkPlace marks(int shard);

    /** With which stores that lack something the operator lets the server go on. */
    AcceptedLoss acceptedLoss();

    /**
     * Reserves sequence numbers for the handles of the shard, which this server hosts. All calls of one process return the
     * same reserve.
     *
     * @throws IOException if nobody can be asked
     */
    HandleReserve reserve(int shard) throws IOException;

    /** Announces that the server can be reached at this address from now on. */
    void announce(ServerAddress address) throws IOException;

    /** Leaves the file system. */
    @Override
    void close();
}
