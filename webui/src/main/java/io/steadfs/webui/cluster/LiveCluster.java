package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.LeaseInfo;
import java.util.Comparator;
import java.util.List;

/** A real one. What was asked within the last second is not asked again. */
public final class LiveCluster implements Cluster {
    /** For people who look at a page. */
    private static final long TIMEOUT_MILLIS = 2_000;

    private final Transport transport;
    private final Fresh<ClusterMap> map;
    private final Fresh<ClusterStatus> status;
    private final Fresh<HandleAccount> account;

    public LiveCluster(Transport transport, SteadFs fs, Clock clock) {
        this.transport = transport;
        this.map = new Fresh<>(clock, () -> newest(fs));
        this.status = new Fresh<>(clock, () -> ClusterStatus.ask(transport, map.get(), TIMEOUT_MILLIS));
        this.account = new Fresh<>(clock, () -> HandleAccount.of(transport, map.get(), false, TIMEOUT_MILLIS));
    }

    /** The newest map, or the last one where no metadata server answers: so it can be told who does not. */
    private static ClusterMap newest(SteadFs fs) throws FsException {
        try {
            return fs.clusterMap();
        } catch (FsException e) {
            return fs.knownClusterMap();
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
    public IoServers.Ended endLeases(long holder) throws FsException {
        return new IoServers(transport, map.get(), TIMEOUT_MILLIS).end(holder, 0);
    }
}
