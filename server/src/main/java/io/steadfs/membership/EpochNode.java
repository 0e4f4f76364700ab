package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of the node {@code /epoch}: the number of membership changes, and the membership after the last change.
 * One node has both values, so that one epoch always means one membership.
 *
 * @param alive maps the {@link ServerId} of each living server to the server's address
 * @param shards maps the number of each shard to the number of the metadata server that hosts the shard
 * @param shardVersion {@link FileSystemFormat#shardVersion}, so that clients learn of new shards by the epoch
 */
record EpochNode(
        long epoch,
        SortedMap<String, String> alive,
        SortedMap<String, Integer> shards,
        @AddedLater("1") int shardVersion) {
    static final EpochNode FIRST = new EpochNode(0, new TreeMap<>(), new TreeMap<>(), 1);

    /**
     * @throws IllegalArgumentException if a text does not name a server, an address or a shard; the message names the
     * text
     */
    EpochNode {
        alive.forEach((server, address) -> {
            NodeNames.server(server);
            if (address == null) {
                throw new IllegalArgumentException("server " + server + " is alive at null");
            }
            ServerAddress.parse(address);
        });
        shards.forEach((shard, server) -> {
            NodeNames.shard(shard);
            if (server == null) {
                throw new IllegalArgumentException("shard " + shard + " is hosted by null");
            }
            ServerId.mds(server);
        });
    }

    /** The number of the metadata server that hosts the shard; empty if the shard has no host. */
    Optional<Integer> hostOf(String shard) {
        return Optional.ofNullable(shards.get(shard));
    }

    /** The next membership, in which another server hosts the shard. */
    EpochNode withHost(int shard, int server) {
        SortedMap<String, Integer> hosts = new TreeMap<>(shards);
        hosts.put(Integer.toString(shard), server);
        return new EpochNode(epoch + 1, alive, hosts, shardVersion);
    }

    boolean countsSameAs(EpochNode other) {
        return alive.equals(other.alive) && shards.equals(other.shards) && shardVersion == other.shardVersion;
    }
}
