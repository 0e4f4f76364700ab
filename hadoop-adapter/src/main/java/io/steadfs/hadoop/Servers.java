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
 * Answers from the cluster map: where the bytes of files are, how much space the servers have, and what they make of a new file.
 * Thread-safe.
 */
final class Servers {
    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);

    private static final int FILE_BUFFER_BYTES = 64 * 1024;

    private final Mount mount;

    /** Finds the blocks of a whole file. All statuses of a mount share it. */
    private final SteadFileStatus.Locator locator = file -> blocks(file, 0, file.length());

    private volatile @Nullable Places places;

    /** Places of blocks, computed from a cluster map. Another map has other places. */
    private record Places(ClusterMap map, BlockPlaces blocks) {}

    Servers(Mount mount) {
        this.mount = mount;
    }

    /** The blocks that hold the range of the file. Computed from the map that the client has. */
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

    /** The status of a file at this path, which finds the file's blocks when somebody asks for them. */
    SteadFileStatus status(FileInfo info, Path path) {
        return new SteadFileStatus(info, path, locator);
    }

    /** Makes the statuses of a listing. A file that is listed as its own only entry has the path that was listed. */
    Function<Entry, SteadFileStatus> statusesIn(Path directory) {
        ChildPaths paths = new ChildPaths(directory);
        return entry -> status(entry.info(), entry.name().isEmpty() ? directory : paths.of(entry.name()));
    }

    /**
     * Used is what SteadFS stores, and remaining is what can still be written. Capacity also includes all else on the disks. Servers that
     * do not run are in used and capacity with their last known figures, and a warning names each.
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

    /** Bytes: the user's choice, or the cluster's default from the map that the client has. */
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
