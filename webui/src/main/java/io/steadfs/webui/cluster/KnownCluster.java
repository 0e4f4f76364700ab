package io.steadfs.webui.cluster;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last cluster map that was received, stored in a file. So an interface that starts while no metadata server answers still knows the
 * servers. The file is the protobuf message ClusterMap, named by the configured address. Thread-safe.
 */
public final class KnownCluster {
    private static final Logger LOG = LoggerFactory.getLogger(KnownCluster.class);

    private final ServerAddress told;
    private final Path file;
    private ClusterMap map;

    private KnownCluster(ServerAddress told, Path file, ClusterMap map) {
        this.told = told;
        this.file = file;
        this.map = map;
    }

    /**
     * Reads the stored map, if there is one.
     *
     * @param told the configured address of a metadata server
     */
    public static KnownCluster in(Path directory, ServerAddress told) throws IOException {
        DurableDirectories.make(directory);
        Path file = directory.resolve("cluster-map." + told.toString().replaceAll("[^A-Za-z0-9.-]", "_"));
        ClusterMap map = ClusterMap.getDefaultInstance();
        try {
            map = ClusterMap.parseFrom(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            LOG.debug("nothing was heard of a cluster before", e);
        } catch (InvalidProtocolBufferException e) {
            LOG.warn("{} holds no cluster map, and is written anew: {}", file, e.getMessage());
        }
        return new KnownCluster(told, file, map);
    }

    /** The configured address. */
    public ServerAddress told() {
        return told;
    }

    /** The last map; empty if none was ever received. */
    public synchronized Optional<ClusterMap> map() {
        return map.getServersCount() == 0 ? Optional.empty() : Optional.of(map);
    }

    /** Metadata servers to ask: the configured one, then all others that are known. */
    public synchronized List<ServerAddress> metadataServers() {
        List<ServerAddress> addresses = new ArrayList<>(List.of(told));
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getRole() == ClusterMap.Role.MDS && server.getPort() != 0) {
                ServerAddress address = ShardAddresses.of(map, server);
                if (!address.toString().equals(told.toString())) {
                    addresses.add(address);
                }
            }
        }
        return addresses;
    }

    /**
     * Keeps a map that is not older. It is written to disk if the servers or their addresses changed. A failure is logged and does no harm.
     */
    public synchronized void heard(ClusterMap newest) {
        if (newest.getFileSystem().equals(map.getFileSystem()) && newest.getEpoch() < map.getEpoch()) {
            return;
        }
        boolean differs =
                newest.getEpoch() != map.getEpoch() || !newest.getFileSystem().equals(map.getFileSystem());
        map = newest;
        if (differs) {
            try {
                Path written = file.resolveSibling(file.getFileName() + ".new");
                Files.write(written, newest.toByteArray());
                Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                LOG.warn("the cluster map is not kept in {}: {}", file, e.getMessage());
            }
        }
    }
}
