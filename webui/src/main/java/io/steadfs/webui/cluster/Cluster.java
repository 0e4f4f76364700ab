package io.steadfs.webui.cluster;

import com.google.protobuf.ByteString;
import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.error.FsException;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ConfigurationReply;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListOpenFilesReply;
import java.util.List;
import java.util.Optional;

/**
 * The source of all lists on the page: the servers of a cluster. Each method asks the servers when a user looks at a
 * page. Thread-safe.
 */
public interface Cluster {
    /** @throws FsException if no metadata server answers */
    ClusterStatus status() throws FsException;

    /** The account of all handles. The account is at most one second old. */
    HandleAccount account() throws FsException;

    /** Asks the IO servers to begin to decide about the handles of ended leases. */
    HandleAccount validate() throws FsException;

    /** The IO servers, ordered by id. */
    List<ClusterMap.Server> ioServers() throws FsException;

    /**
     * The leases of an IO server, ordered by handle.
     *
     * @param after first handle of the last lease on the previous page; 0 = from the beginning
     * @param limit largest number of leases; the result has fewer leases only at the end
     * @throws FsException if the server does not answer; the message names the server
     */
    List<LeaseInfo> leases(ClusterMap.Server server, long after, int limit) throws FsException;

    /** Number of shards of the file system. */
    int shards() throws FsException;

    /**
     * The files of a shard that are open for writing.
     *
     * @param cursor cursor that the previous page returned; empty = from the beginning
     * @param limit largest number of files; a page may have fewer files even if more pages follow
     * @throws FsException if the shard does not answer; the message names the shard. INVALID_ARGUMENT if the shard has
     * not returned this cursor since the shard's start.
     */
    ListOpenFilesReply openFiles(int shard, ByteString cursor, int limit) throws FsException;

    /**
     * The configuration of a server.
     *
     * @param server name of the server; the result is empty if no server has this name
     * @throws FsException if the server does not answer; the message names the server
     */
    Optional<List<ConfigurationReply.Value>> configuration(String server) throws FsException;

    /** Ends all leases of a holder at every IO server that answers. */
    IoServers.Ended endLeases(long holder) throws FsException;
}
