package io.steadfs.cli.leases;

import com.google.protobuf.MessageLite;
import io.steadfs.cli.connect.Connection;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesRequest;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.EndLeasesReply;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListLeasesReply;
import io.steadfs.wire.proto.ListLeasesRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.util.ArrayList;
import java.util.List;

/** The IO servers of a cluster, asked about their leases. */
final class IoServers {
    private static final long TIMEOUT_MILLIS = 10_000;
    private static final int PAGE = 1000;

    private final Transport transport;
    private final List<ClusterMap.Server> servers;

    /** @throws FsException if no metadata server answers */
    IoServers(Connection connection) throws FsException {
        transport = connection.transport();
        servers = connection.fs().clusterMap().getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.IO && server.getPort() != 0)
                .toList();
    }

    List<ClusterMap.Server> all() {
        return servers;
    }

    static String name(ClusterMap.Server server) {
        return "io-" + server.getId();
    }

    /** All leases of the server, in handle order. @throws FsException naming it if it does not answer */
    List<LeaseInfo> leases(ClusterMap.Server server) throws FsException {
        List<LeaseInfo> leases = new ArrayList<>();
        boolean more = true;
        while (more) {
            long after = leases.isEmpty() ? 0 : leases.get(leases.size() - 1).getFirst();
            ListLeasesReply page = ask(
                    server,
                    Kind.LIST_LEASES,
                    ListLeasesRequest.newBuilder()
                            .setAfter(after)
                            .setLimit(PAGE)
                            .build(),
                    ListLeasesReply.class);
            leases.addAll(page.getLeasesList());
            more = page.getMore() && page.getLeasesCount() > 0;
        }
        return leases;
    }

    /**
     * Counts by holder.
     *
     * @param validate to begin to sort out what is over
     */
    AccountLeasesReply account(ClusterMap.Server server, boolean validate) throws FsException {
        return ask(
                server,
                Kind.ACCOUNT_LEASES,
                AccountLeasesRequest.newBuilder().setValidate(validate).build(),
                AccountLeasesReply.class);
    }

    /** What the server says of itself. */
    StatusReply status(ClusterMap.Server server) throws FsException {
        return ask(server, Kind.STATUS, StatusRequest.getDefaultInstance(), StatusReply.class);
    }

    /** Leases of the holder that are over now; only the one where that is named. */
    int end(ClusterMap.Server server, long holder, long lease) throws FsException {
        return ask(
                        server,
                        Kind.END_LEASES,
                        EndLeasesRequest.newBuilder()
                                .setHolder(holder)
                                .setLease(lease)
                                .build(),
                        EndLeasesReply.class)
                .getEnded();
    }

    private <T extends MessageLite> T ask(ClusterMap.Server server, Kind kind, MessageLite body, Class<T> reply)
            throws FsException {
        ServerAddress address = new ServerAddress(server.getHost(), server.getPort());
        RequestHeader.Builder header = RequestHeader.newBuilder().setStep("leases");
        return DirectQuestion.ask(transport, name(server), address, kind, header, body, reply, TIMEOUT_MILLIS);
    }
}
