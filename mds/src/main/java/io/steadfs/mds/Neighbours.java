package io.steadfs.mds;

import io.steadfs.hello.Welcome;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;

/** The file system that a metadata server is part of: who reserves its handles and tells others of it. */
public interface Neighbours extends AutoCloseable {
    /** The newest cluster map; one without servers while there is none. From any thread, without waiting. */
    ClusterMap map();

    /** Numbers of the shards that this server is to host, at least one. */
    SortedSet<Integer> shards() throws IOException;

    /** What keeps this server from hearing of the others, one line each; from any thread, without waiting. */
    List<String> problems();

    /** Which server of which file system this is, and the secret of its servers. */
    Welcome welcome();

    /** Whoever formatted the file system. */
    String superuser();

    /**
     * Makes this server the host of the shard.
     *
     * @throws IOException if another server hosts it, or nobody can be asked
     */
    void claim(int shard) throws IOException;

    /** Where the newest mark of the shard's store is kept. */
    MarkPlace marks(int shard);

    /** Whether the operator says that the server is to go on with older states of its stores. */
    boolean acceptsLoss();

    /**
     * Reserves sequence numbers for the handles of the shard, which this server hosts; at each call of the process the same ones.
     *
     * @throws IOException if nobody can be asked
     */
    HandleReserve reserve(int shard) throws IOException;

    /** The server answers at this address from now on. */
    void announce(ServerAddress address) throws IOException;

    /** Leaves. */
    @Override
    void close();
}
