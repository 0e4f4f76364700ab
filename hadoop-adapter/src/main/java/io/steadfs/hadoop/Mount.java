package io.steadfs.hadoop;

import io.steadfs.client.SteadFs;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.ClusterMap;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one Hadoop file system to its client. Every operation goes through {@link #read} or {@link
 * #change}. Both methods count the operation, convert the path, follow symbolic links, refuse a closed mount, and
 * translate errors. Thread-safe.
 *
 * <p>A mount does not know which operations exist. {@link SteadFileSystem} has a method for each operation, which
 * passes a request to the mount.
 */
final class Mount implements AutoCloseable {
    private final SteadFs client;
    private final MountUser user;
    private final MountOptions options;
    private final FileSystem.@Nullable Statistics statistics;
    private final OperationCounts counts;
    private final Servers servers = new Servers(this);
    private final Streams streams;
    private volatile boolean closed;

    /** A request to the client about a path. */
    interface Request<T> {
        T send(SteadFs client, FsPath path) throws IOException;
    }

    /** A request to the client whose result shows the path. The path is the one behind all symbolic links. */
    interface ShownRequest<T> {
        T send(SteadFs client, FsPath path, AbsolutePath shown) throws IOException;
    }

    /** A request to the client for a cluster map. */
    interface MapRequest {
        ClusterMap send(SteadFs client) throws FsException;
    }

    /**
     * @param statistics Hadoop's counters of operations and bytes; null = nothing is counted
     * @throws IOException if the URI or the configuration cannot be used
     */
    Mount(URI uri, Configuration conf, Connector connector, FileSystem.@Nullable Statistics statistics)
            throws IOException {
        Settings settings = HadoopSettings.of(conf);
        this.user = MountUser.current();
        this.statistics = statistics;
        try {
            this.options = MountOptions.of(settings);
            Connector.Connection connection =
                    connector.connect(settings, HadoopSettings.servers(uri, conf), user.caller());
            this.client = connection.fs();
            this.counts = new OperationCounts(uri.getScheme() + "://" + uri.getAuthority(), connection.counters());
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
        this.streams = new Streams(this, statistics);
    }

    SteadFs client() {
        return client;
    }

    MountUser user() {
        return user;
    }

    MountOptions options() {
        return options;
    }

    OperationCounts counts() {
        return counts;
    }

    Servers servers() {
        return servers;
    }

    Streams streams() {
        return streams;
    }

    /**
     * Sends a request that changes nothing.
     *
     * @param operation name of the operation in the statistics; from {@code StoreStatisticNames} if Hadoop defines a
     *     name
     * @param path also for error messages
     */
    <T> T read(String operation, AbsolutePath path, Request<T> request) throws IOException {
        return show(operation, path, (client, target, shown) -> request.send(client, target));
    }

    /** As {@link #read}, for a result that shows the path. */
    <T> T show(String operation, AbsolutePath path, ShownRequest<T> request) throws IOException {
        counts.count(operation);
        if (statistics != null) {
            statistics.incrementReadOps(1);
        }
        return send(path, Purpose.LOOK_UP, request);
    }

    /**
     * Sends a request that changes something.
     *
     * @param operation name of the operation in the statistics, as for {@link #read}
     * @param path also for error messages
     * @param purpose decides which exception the caller gets for an error
     */
    <T> T change(String operation, AbsolutePath path, Purpose purpose, Request<T> request) throws IOException {
        counts.count(operation);
        if (statistics != null) {
            statistics.incrementWriteOps(1);
        }
        return send(path, purpose, (client, target, shown) -> request.send(client, target));
    }

    private <T> T send(AbsolutePath path, Purpose purpose, ShownRequest<T> request) throws IOException {
        try {
            return SymbolicLinks.follow(path, false, at -> send(at, pathOf(at, purpose), purpose, request));
        } finally {
            // A shared mount is closed once no object refers to the mount. This call may hold the last reference.
            Reference.reachabilityFence(this);
        }
    }

    private <T> T send(AbsolutePath at, FsPath path, Purpose purpose, ShownRequest<T> request) throws IOException {
        try {
            return request.send(client, path, at);
        } catch (LinkException link) {
            throw link;
        } catch (FsException e) {
            throw HadoopErrors.translate(e, at.toString(), purpose);
        }
    }

    /** Asks the client for a cluster map. The statistics do not count this request. */
    ClusterMap map(MapRequest request) throws IOException {
        checkOpen();
        try {
            return request.send(client);
        } catch (FsException e) {
            throw HadoopErrors.translate(e, "cluster map", Purpose.LOOK_UP);
        }
    }

    /**
     * Converts a path and checks that this mount is open. For a bad path of a closed mount, the exception says that the
     * mount is closed.
     */
    FsPath pathOf(AbsolutePath path, Purpose purpose) throws IOException {
        try {
            return purpose == Purpose.MAKE_ENTRY ? PathNames.ofNew(path) : PathNames.of(path, purpose);
        } finally {
            checkOpen();
        }
    }

    /** Whether a file can have this path. Returns false if a name in the path is too long. */
    boolean isShortEnough(AbsolutePath path) throws IOException {
        try {
            pathOf(path, Purpose.LOOK_UP);
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** @throws IOException if this mount is closed */
    void checkOpen() throws IOException {
        if (closed) {
            // Programs look for these words of HDFS in the message.
            throw new IOException("Filesystem closed: " + counts.getName());
        }
    }

    /** Completes the files that are still open for writing, as HDFS does. Then ends the client's session. */
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            streams.close();
        } finally {
            client.close();
        }
    }
}
