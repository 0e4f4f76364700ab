package io.steadfs.client;

import io.steadfs.cluster.ClusterView;
import io.steadfs.rpc.ServerAddress;
import java.util.Optional;

/** Who answers a request, by what the request names; where that is follows from the cluster map of the moment. */
sealed interface Destination {
    Optional<ServerAddress> address(ClusterView cluster);

    record Shard(int number) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.shard(number);
        }

        @Override
        public String toString() {
            return "shard " + number;
        }
    }

    /** The shard that keeps a session. */
    record Home(long session) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.shard(io.steadfs.cluster.HomeShard.of(session, cluster.shardCount()));
        }

        @Override
        public String toString() {
            return "home shard of session " + Long.toHexString(session);
        }
    }

    record IoServer(int id) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.ioServer(id);
        }

        @Override
        public String toString() {
            return "IO server " + id;
        }
    }
}
