package io.steadfs.client.call;

import io.steadfs.cluster.ClusterView;
import io.steadfs.partition.NameHash;
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

    /**
     * The destination of all tries of a leg. A shard may be added between two tries. All tries must go to one shard, because
     * only that shard has recorded its answer.
     */
    default Destination pinned(ClusterView cluster) {
        return this;
    }

    /** A destination that is a shard. */
    sealed interface OfShards extends Destination {
        /** Number of the shard in this cluster. */
        int number(ClusterView cluster);

        @Override
        default Optional<ServerAddress> address(ClusterView cluster) {
            return cluster.shard(number(cluster));
        }

        @Override
        default int headerShard(ClusterView cluster) {
            return number(cluster) + 1;
        }
    }

    record Shard(int number) implements OfShards {
        @Override
        public int number(ClusterView cluster) {
            return number;
        }

        @Override
        public String toString() {
            return "shard " + number;
        }
    }

    /**
     * The shard that a path has by chance, for requests about whose directories nothing is known. So such requests are
     * spread over all shards.
     */
    record OfPath(String path) implements OfShards {
        @Override
        public int number(ClusterView cluster) {
            return (int)
                    Long.remainderUnsigned(NameHash.of(path), cluster.shards().serving());
        }

        @Override
        public Destination pinned(ClusterView cluster) {
            return new Shard(number(cluster));
        }

        @Override
        public String toString() {
            return "the shard for /" + path;
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
