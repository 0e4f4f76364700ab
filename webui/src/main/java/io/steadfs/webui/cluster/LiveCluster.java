package io.steadfs.webui.cluster;

import com.google.protobuf.ByteString;
import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.admin.OpenFileLists;
import io.steadfs.cluster.ServerNames;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.ClusterMapRequest;
import io.steadfs.wire.proto.ConfigurationReply;
import io.steadfs.wire.proto.ConfigurationRequest;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Asks a real cluster. If a user asks the same question again within one second, the object returns the last answer.
 */
public final class LiveCluster implements Cluster {
    /** The timeout for one request in milliseconds. The timeout is short because a user waits for the page. */
    private static final long TIMEOUT_MILLIS = 2_000;

    private final Transport transport;
    private final KnownCluster known;
    private final Fresh<ClusterMap> map;
    private final Fresh<ClusterStatus> status;
    private final Fresh<HandleAccount> account;

    public LiveCluster(Transport transport, KnownCluster known, Clock clock) {
        this.transport = transport;
        this.known = known;
        this.map = new Fresh<>(clock, this::newest);
        this.status = new Fresh<>(clock, this::ask);
        this.account = new Fresh<>(clock, () -> HandleAccount.of(transport, map.get(), false, TIMEOUT_MILLIS));
    }

    /**
     * Asks all known metadata servers at the same time, and returns the newest cluster map. So the method need not wait
     * for a server that does not answer before it asks the next server. If no server answers, the method returns the
     * last known map. The interface can then name the servers that do not answer.
     */
    private ClusterMap newest() throws FsException {
        List<DirectQuestion.Begun<ClusterMapReply>> asked = known.metadataServers().stream()
                .map(server -> DirectQuestion.begin(
                        transport,
                        "metadata server",
                        server,
                        Kind.CLUSTER_MAP,
                        RequestHeader.newBuilder().setStep("cluster map"),
                        ClusterMapRequest.getDefaultInstance(),
                        ClusterMapReply.class,
                        TIMEOUT_MILLIS))
                .toList();
        Optional<FsException> failure = Optional.empty();
        boolean heard = false;
        for (DirectQuestion.Begun<ClusterMapReply> each : asked) {
            try {
                known.heard(each.await().getMap());
                heard = true;
            } catch (FsException e) {
                failure = Optional.of(e);
            }
        }
        Optional<ClusterMap> last = known.map();
        if (!heard && last.isEmpty() && failure.isPresent()) {
            throw failure.get();
        }
        return last.orElse(ClusterMap.getDefaultInstance());
    }

    private ClusterStatus ask() {
        try {
            return ClusterStatus.ask(transport, map.get(), TIMEOUT_MILLIS);
        } catch (FsException e) {
            return ClusterStatus.unknown(
                    known.told() + " was never reached, so nothing is known of the cluster: " + e.getMessage());
        }
    }

    @Override
    public ClusterStatus status() throws FsException {
        return status.get();
    }

    @Override
    public HandleAccount account() throws FsException {
        return account.get();
    }

    @Override
    public HandleAccount validate() throws FsException {
        return HandleAccount.of(transport, map.get(), true, TIMEOUT_MILLIS);
    }

    @Override
    public List<ClusterMap.Server> ioServers() throws FsException {
        return new IoServers(transport, map.get(), TIMEOUT_MILLIS)
                .all().stream()
                        .sorted(Comparator.comparingInt(ClusterMap.Server::getId))
                        .toList();
    }

    @Override
    public List<LeaseInfo> leases(ClusterMap.Server server, long after, int limit) throws FsException {
        return new IoServers(transport, map.get(), TIMEOUT_MILLIS).leases(server, after, limit);
    }

    @Override
    public int shards() throws FsException {
        return ShardCounts.of(map.get()).all();
    }

    @Override
    public ListOpenFilesReply openFiles(int shard, ByteString cursor, int limit) throws FsException {
        return new OpenFileLists(transport, map.get(), TIMEOUT_MILLIS).page(shard, cursor, limit);
    }

    @Override
    public Optional<List<ConfigurationReply.Value>> configuration(String name) throws FsException {
        ClusterMap present = map.get();
        for (ClusterMap.Server server : present.getServersList()) {
            if (ServerNames.of(server).equals(name) && server.getPort() != 0) {
                return Optional.of(DirectQuestion.ask(
                                transport,
                                name,
                                ShardAddresses.of(present, server),
                                Kind.CONFIGURATION,
                                RequestHeader.newBuilder().setStep("configuration"),
                                ConfigurationRequest.getDefaultInstance(),
                                ConfigurationReply.class,
                                TIMEOUT_MILLIS)
                        .getValuesList());
            }
        }
        return Optional.empty();
    }

    @Override
    public IoServers.Ended endLeases(long holder) throws FsException {
        return new IoServers(transport, map.get(), TIMEOUT_MILLIS).end(holder, 0);
    }
}
