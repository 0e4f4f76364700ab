package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The node {@code /epoch}: the number of membership changes, and the membership after the last one. Both are one value, so that an epoch
 * stands for exactly one membership.
 *
 * @param alive address of each living server, by {@link ServerId}
 * @param shards number of the metadata server of each shard, by number of the shard
 */
record EpochNode(long epoch, SortedMap<String, String> alive, SortedMap<String, Integer> shards) {
    static final EpochNode FIRST = new EpochNode(0, new TreeMap<>(), new TreeMap<>());

    /** @throws IllegalArgumentException naming the text that is no server, address or shard */
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

    /** Number of the metadata server that hosted the shard; empty if there was none. */
    Optional<Integer> hostOf(String shard) {
        return Optional.ofNullable(shards.get(shard));
    }

    boolean countsSameAs(EpochNode other) {
        return alive.equals(other.alive) && shards.equals(other.shards);
    }
}
