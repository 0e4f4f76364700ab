package io.steadfs.admin;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ServerNames;
import io.steadfs.cluster.ShardAddresses;
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

/** Asks the IO servers of a cluster about their leases. */
public final class IoServers {
    /** The timeout in milliseconds for commands whose user waits at a terminal. */
    public static final long USUAL_TIMEOUT_MILLIS = 10_000;

    private static final int PAGE = 1000;

    private final Transport transport;
    private final ClusterMap map;
    private final List<ClusterMap.Server> servers;
    private final long timeoutMillis;

    public IoServers(Transport transport, ClusterMap map, long timeoutMillis) {
        this.transport = transport;
        this.map = map;
        this.timeoutMillis = timeoutMillis;
        servers = map.getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.IO && server.getPort() != 0)
                .toList();
    }

    public List<ClusterMap.Server> all() {
        return servers;
    }

    public static String name(ClusterMap.Server server) {
        return ServerNames.of(server);
    }

    /** All leases of the server, in handle order. @throws FsException naming the server if it does not answer */
    public List<LeaseInfo> leases(ClusterMap.Server server) throws FsException {
        List<LeaseInfo> leases = new ArrayList<>();
        boolean more = true;
        while (more) {
            long after = leases.isEmpty() ? 0 : leases.get(leases.size() - 1).getFirst();
            List<LeaseInfo> page = leases(server, after, PAGE);
            leases.addAll(page);
            more = page.size() == PAGE;
        }
        return leases;
    }

    /**
     * One page of the server's leases, in handle order. Only the last page has fewer leases than the limit.
     *
     * @param after the first handle of the last lease of the previous page; 0 = from the beginning
     * @param limit the most leases of the page, from 1 to 1000
     * @throws FsException naming the server if it does not answer
     */
    public List<LeaseInfo> leases(ClusterMap.Server server, long after, int limit) throws FsException {
        ListLeasesRequest request =
                ListLeasesRequest.newBuilder().setAfter(after).setLimit(limit).build();
        return ask(server, Kind.LIST_LEASES, request, ListLeasesReply.class).getLeasesList();
    }

    /**
     * Asks the server how many handles each holder has.
     *
     * @param validate true if the server is to begin to sort the handles of expired leases into used and unused ones
     */
    DirectQuestion.Begun<AccountLeasesReply> account(ClusterMap.Server server, boolean validate) {
        return begin(
                server,
                Kind.ACCOUNT_LEASES,
                AccountLeasesRequest.newBuilder().setValidate(validate).build(),
                AccountLeasesReply.class);
    }

    /** Asks for the server's own status. */
    DirectQuestion.Begun<StatusReply> status(ClusterMap.Server server) {
        return begin(server, Kind.STATUS, StatusRequest.getDefaultInstance(), StatusReply.class);
    }

    /**
     * Ends leases of a holder at all servers.
     *
     * @param lease the first handle of the only lease to end; 0 = all leases of the holder
     */
    public Ended end(long holder, long lease) {
        EndLeasesRequest request =
                EndLeasesRequest.newBuilder().setHolder(holder).setLease(lease).build();
        List<DirectQuestion.Begun<EndLeasesReply>> begun = servers.stream()
                .map(server -> begin(server, Kind.END_LEASES, request, EndLeasesReply.class))
                .toList();
        int ended = 0;
        List<String> problems = new ArrayList<>();
        for (DirectQuestion.Begun<EndLeasesReply> each : begun) {
            try {
                ended += each.await().getEnded();
            } catch (FsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return new Ended(ended, List.copyOf(problems));
    }

    /**
     * The result of ending leases.
     *
     * @param leases the number of leases that ended
     * @param problems one message for each server that did not answer
     */
    public record Ended(int leases, List<String> problems) {}

    private <T extends MessageLite> T ask(ClusterMap.Server server, Kind kind, MessageLite body, Class<T> reply)
            throws FsException {
        return begin(server, kind, body, reply).await();
    }

    private <T extends MessageLite> DirectQuestion.Begun<T> begin(
            ClusterMap.Server server, Kind kind, MessageLite body, Class<T> reply) {
        ServerAddress address = ShardAddresses.of(map, server);
        RequestHeader.Builder header = RequestHeader.newBuilder().setStep("leases");
        return DirectQuestion.begin(transport, name(server), address, kind, header, body, reply, timeoutMillis);
    }
}
