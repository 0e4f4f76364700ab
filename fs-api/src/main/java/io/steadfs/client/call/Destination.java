package io.steadfs.client.call;

import io.steadfs.cluster.ClusterView;
import io.steadfs.cluster.HomeShard;
import io.steadfs.cluster.SessionName;
import io.steadfs.rpc.ServerAddress;
import java.util.Optional;

/** The shard or IO server that must answer a request. The present cluster map gives the address of a destination. */
sealed interface Destination {
    Optional<ServerAddress> address(ClusterView cluster);

    /**
     * Value for the shard field of the request's header: the number of the shard plus 1; 0 = the destination is no
     * shard.
     */
    int headerShard(ClusterView cluster);

    record Shard(int number) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.shard(number);
        }

        @Override
        public int headerShard(ClusterView cluster) {
            return number + 1;
        }

        @Override
        public String toString() {
            return "shard " + number;
        }
    }

    /** The home shard of a session, which keeps the session. */
    record Home(long session) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.shard(number(cluster));
        }

        @Override
        public int headerShard(ClusterView cluster) {
            return number(cluster) + 1;
        }

        private int number(ClusterView cluster) {
            return HomeShard.of(session, cluster.shardCount());
        }

        @Override
        public String toString() {
            return "home shard of session " + SessionName.of(session);
        }
    }

    record IoServer(int id) implements Destination {
        @Override
        public Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.ioServer(id);
        }

        @Override
        public int headerShard(ClusterView cluster) {
            return 0;
        }

        @Override
        public String toString() {
            return "IO server " + id;
        }
    }
}
