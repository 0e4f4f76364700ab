package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.cluster.ClusterSpace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions from the cluster map. The questions are about the places of file bytes, the space on the servers,
 * and the defaults for new files. Thread-safe.
 */
final class Servers {
    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);

    private static final int FILE_BUFFER_BYTES = 64 * 1024;

    private final Mount mount;

    /** Finds the blocks of a whole file. All statuses of a mount share this locator. */
    private final SteadFileStatus.Locator locator = file -> blocks(file, 0, file.length());

    private volatile @Nullable Places places;

    /** A cluster map, together with the places of blocks that were computed from the map. */
    private record Places(ClusterMap map, BlockPlaces blocks) {}

    Servers(Mount mount) {
        this.mount = mount;
    }

    /**
     * The blocks that hold the range of the file. The blocks are computed from the cluster map that the client already
     * has.
     */
    @SuppressWarnings("ReferenceEquality") // another map object is reason enough to compute the places again
    BlockLocation[] blocks(FileInfo file, long start, long length) throws IOException {
        ClusterMap map = mount.map(SteadFs::knownClusterMap);
        Places known = places;
        if (known == null || known.map() != map) {
            known = new Places(map, new BlockPlaces(map));
            places = known;
        }
        return known.blocks().of(file, start, length);
    }

    /**
     * The status of a file at this path. The status computes the file's blocks only if a caller asks for the blocks.
     */
    SteadFileStatus status(FileInfo info, Path path) {
        return new SteadFileStatus(info, path, locator);
    }

    /**
     * Makes the statuses of the entries of a listing. If the listed path is a file, the status of the only entry has
     * the listed path.
     */
    Function<Entry, SteadFileStatus> statusesIn(Path directory) {
        ChildPaths paths = new ChildPaths(directory);
        return entry -> status(entry.info(), entry.name().isEmpty() ? directory : paths.of(entry.name()));
    }

    /**
     * The space on all IO servers in bytes. The used space is what SteadFS stores. The remaining space is what clients
     * can still write. The capacity also includes space for other data on the disks. A server that does not run counts
     * with its last known used space and capacity. A warning in the log names each server that does not run.
     */
    FsStatus space() throws IOException {
        ClusterSpace space = ClusterSpace.of(mount.map(SteadFs::clusterMap));
        for (ClusterSpace.ServerSpace away : space.away()) {
            LOG.warn(
                    "{} of {} IO servers answer: {} does not run; {}",
                    space.reached(),
                    space.servers(),
                    away.server(),
                    away.asOfMillis() == 0
                            ? "what it stores is not known, and not counted"
                            : "counted is what was known of it at " + Instant.ofEpochMilli(away.asOfMillis()) + ": "
                                    + away.usedBytes() + " bytes stored, of a disk of " + away.capacityBytes());
        }
        return new FsStatus(space.capacityBytes(), space.usedBytes(), space.freeBytes());
    }

    /** The block size of new files in bytes. If the configuration sets no block size, the cluster map decides. */
    long defaultBlockSize() throws IOException {
        long chosen = mount.options().blockSize();
        return chosen > 0 ? chosen : mount.map(SteadFs::knownClusterMap).getBlockSize();
    }

    FsServerDefaults defaults() throws IOException {
        return new FsServerDefaults(
                defaultBlockSize(),
                Chunks.CHUNK_BYTES,
                Chunks.CHUNK_BYTES,
                (short) 1,
                FILE_BUFFER_BYTES,
                false,
                0,
                DataChecksum.Type.CRC32C);
    }
}
