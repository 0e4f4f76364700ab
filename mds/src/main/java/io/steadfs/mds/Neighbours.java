package io.steadfs.mds;

import io.steadfs.hello.Welcome;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A metadata server's connection to its file system. Through this interface the server reserves handles and tells other
 * servers about itself.
 */
public interface Neighbours extends AutoCloseable {
    /**
     * The newest cluster map; a map without servers if the server has no map yet. The call does not wait. May be called
     * from any thread.
     */
    ClusterMap map();

    /** Numbers of the shards that this server must host now. They become more when shards are added for this server. */
    SortedSet<Integer> shards() throws IOException;

    /** How many shards the file system has, as {@link io.steadfs.cluster.ConfirmedShards} says. */
    CompletableFuture<Integer> confirmShards();

    /** Whether the shard is joining, so that it must learn the fences of the others. The call does not wait. */
    boolean isJoining(int shard);

    /**
     * Notes that a joining shard of this server has learnt the fences of the others.
     *
     * @throws IOException if ZooKeeper cannot be asked
     */
    void ready(int shard) throws IOException;

    /**
     * Sets how this server learns of more shards, when the newest map has them. Others hear that it counts them when the
     * future completes. Must be called before the first shard is opened.
     */
    void learnShardsBy(Supplier<CompletableFuture<?>> learning);

    /**
     * The problems that keep this server from hearing about other servers, one line each. The call does not wait. May
     * be called from any thread.
     */
    List<String> problems();

    /** Identifies this server and its file system to other servers. Also holds the secret that the servers share. */
    Welcome welcome();

    /** The user who formatted the file system. */
    String superuser();

    /**
     * Makes this server the host of the shard.
     *
     * @throws IOException if another server hosts the shard, or if ZooKeeper cannot be asked
     */
    void claim(int shard) throws IOException;

    /** The place where the newest mark of the shard's store is kept. */
    MarkPlace marks(int shard);

    /** Which losses of stores the operator accepts. */
    AcceptedLoss acceptedLoss();

    /**
     * Reserves sequence numbers for the handles of a shard that this server hosts. All calls of one process return the
     * same reserve.
     *
     * @throws IOException if ZooKeeper cannot be asked
     */
    HandleReserve reserve(int shard) throws IOException;

    /** Announces that the server can be reached at this address from now on. */
    void announce(ServerAddress address) throws IOException;

    /** Leaves the file system. */
    @Override
    void close();
}
