package io.steadfs.client;

import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The client of one file system for one caller. Connecting sends nothing: the first operation fetches the cluster map
 * from any of the given metadata servers, the first change opens a session.
 */
public final class SteadClient implements SteadFs {
    private SteadClient() {}

    /**
     * A client over the given seams; closing it closes none of them.
     *
     * @param servers metadata servers to ask for the cluster map, at least one
     * @param caller user and groups that every request names
     */
    public static SteadClient connect(
            Transport transport,
            Clock clock,
            Scheduler scheduler,
            Settings settings,
            List<ServerAddress> servers,
            Caller caller) {
        return new SteadClient();
    }

    /** A client over the network, with connections of its own on threads that all clients of the process share. */
    public static SteadClient connect(Settings settings, List<ServerAddress> servers, Caller caller) {
        return new SteadClient();
    }

    /** Messages, retries and bytes of this client since it was made, by dotted name. */
    public Map<String, Long> counters() {
        return Map.of();
    }

    private static FsException notYet() {
        return new FsException(FsError.NOT_SUPPORTED, "not built yet");
    }

    @Override
    public FileInfo stat(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public Optional<FileInfo> find(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public FileWriter create(FsPath path, CreateOptions options) throws FsException {
        throw notYet();
    }

    @Override
    public FileReader open(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public FileReader open(FsPath path, FileInfo known) throws FsException {
        throw notYet();
    }

    @Override
    public FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException {
        throw notYet();
    }

    @Override
    public Iterator<Entry> list(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public List<Entry> listSorted(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException {
        throw notYet();
    }

    @Override
    public void delete(FsPath path, boolean recursive) throws FsException {
        throw notYet();
    }

    @Override
    public boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException {
        throw notYet();
    }

    @Override
    public FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException {
        throw notYet();
    }

    @Override
    public void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException {
        throw notYet();
    }

    @Override
    public Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException {
        throw notYet();
    }

    @Override
    public void removeXattr(FsPath path, String name) throws FsException {
        throw notYet();
    }

    @Override
    public ContentSummary contentSummary(FsPath path) throws FsException {
        throw notYet();
    }

    @Override
    public ClusterMap clusterMap() throws FsException {
        throw notYet();
    }

    @Override
    public void close() {}
}
