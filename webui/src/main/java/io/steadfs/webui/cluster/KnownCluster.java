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
 * Keeps the last cluster map that this process received, and stores the map in a file. The stored map tells the
 * interface all servers, even if no metadata server answers at the start. The file contains the protobuf message
 * ClusterMap. The name of the file contains the configured address. Thread-safe.
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
     * Reads the stored map, if the directory has one.
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

    /** The last map; empty if this process never received or stored a map. */
    public synchronized Optional<ClusterMap> map() {
        return map.getServersCount() == 0 ? Optional.empty() : Optional.of(map);
    }

    /** The metadata servers to ask. The configured server comes first, and all other known servers follow. */
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
     * Keeps a map unless it is older than the kept map. The method writes the map to disk if the servers or their
     * addresses changed. If writing fails, the method only logs the failure.
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
