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

/** The source of all lists: the servers of a cluster, asked when a user looks at a page. Thread-safe. */
public interface Cluster {
    /** @throws FsException if no metadata server answers */
    ClusterStatus status() throws FsException;

    /** The account of handles; at most a second old. */
    HandleAccount account() throws FsException;

    /** Has the IO servers begin to decide about the handles that ended leases left. */
    HandleAccount validate() throws FsException;

    /** The IO servers by id. */
    List<ClusterMap.Server> ioServers() throws FsException;

    /**
     * Leases of an IO server in handle order.
     *
     * @param after first handle of the last lease of the previous page; 0 = from the beginning
     * @param limit at most; fewer only at the end
     * @throws FsException naming the server if it does not answer
     */
    List<LeaseInfo> leases(ClusterMap.Server server, long after, int limit) throws FsException;

    /** How many shards there are. */
    int shards() throws FsException;

    /**
     * Files of a shard that are open for writing.
     *
     * @param cursor the next cursor of the previous page; empty = from the beginning
     * @param limit at most; there may be fewer even if more follow
     * @throws FsException naming the shard if it does not answer; INVALID_ARGUMENT if it never gave out the cursor since its start
     */
    ListOpenFilesReply openFiles(int shard, ByteString cursor, int limit) throws FsException;

    /**
     * The configuration of a server.
     *
     * @param server its name; the result is empty if there is no such server
     * @throws FsException naming the server if it does not answer
     */
    Optional<List<ConfigurationReply.Value>> configuration(String server) throws FsException;

    /** Ends all leases of a holder at all IO servers that answer. */
    IoServers.Ended endLeases(long holder) throws FsException;
}
