package io.steadfs.mds;

import io.steadfs.hello.Welcome;
import io.steadfs.membership.SequenceRecord;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
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

    /**
     * Numbers of the shards that this server must host now. They become more when shards are added for this server. Shards
     * that were given to other servers are not among them.
     */
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
     * Notes that this server has opened a shard that has moved to it, or whose move was cancelled. Nothing is noted of a
     * joining shard.
     *
     * @throws IOException if ZooKeeper cannot be asked
     */
    void opened(int shard) throws IOException;

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
     * @return the place of the shard, with this server as the host
     * @throws IOException if another server hosts the shard, if this server has given it away, or if ZooKeeper cannot be
     *     asked
     */
    ShardPlace claim(int shard) throws IOException;

    /** The places of the shards, as far as this server has heard of them. May be called from any thread, and does not wait. */
    SortedMap<Integer, ShardPlace> places();

    /** Sets who is told when {@link #places} has changed. That must not wait. Must be called before the first shard is opened. */
    void tellPlaces(Runnable changed);

    /**
     * The place of the shard at a moment after the call began.
     *
     * @throws IOException if the place is not known, or if ZooKeeper cannot be asked
     */
    ShardPlace confirm(int shard) throws IOException;

    /**
     * Gives the store of a shard of this server away. After that this server never opens it in this move.
     *
     * @param target number of the metadata server to which the shard moves
     * @param move number of the move, as {@link ShardPlace#move} has it
     * @return the place of the shard, which is given
     * @throws IOException if the shard is not in this move, or if ZooKeeper cannot be asked. In the second case it may be
     *     given
     */
    ShardPlace give(int shard, int target, int move) throws IOException;

    /**
     * Makes this server the host of a shard whose store it has durably.
     *
     * @param move number of the move in which the store was given
     * @return version of the place after that; empty if the move was cancelled
     * @throws IOException if ZooKeeper cannot be asked. Then this server may be the host or not
     */
    OptionalInt take(int shard, int move) throws IOException;

    /** Reserves no more handles for a shard that was closed and moves away. Returns what the directory has recorded of them. */
    SequenceRecord stopReserving(int shard) throws IOException;

    /** Records of a shard that arrives what its host had recorded of its handles. */
    void adoptReserve(int shard, SequenceRecord record) throws IOException;

    /** Removes the record of the handles of a shard that is not at this server. */
    void forgetReserve(int shard) throws IOException;

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
