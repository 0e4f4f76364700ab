package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesRequest;
import io.steadfs.wire.proto.EndLeasesReply;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseInfo;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Has an IO server take back the handles of leases in the usual way: first, every shard fences the handles. The repair
 * never takes back a handle without these fences.
 */
final class LeaseRepair {
    private static final long PAUSE_MILLIS = 200;
    private static final int MOST_PAUSES = 150;

    private final CheckedServers servers;

    LeaseRepair(CheckedServers servers) {
        this.servers = servers;
    }

    /** Ends an expired lease. Returns a description of the repair. @throws FsException if the lease still exists */
    String expired(Finding finding) throws FsException {
        awaitEnd(finding.ioServer(), List.of(finding.object().value()));
        return "its handles were sorted out, those that no file has are taken back";
    }

    /**
     * Ends two overlapping leases. Returns a description of the repair.
     *
     * @throws FsException if one of the leases still exists
     */
    String overlapping(Finding finding) throws FsException {
        int server = finding.ioServer();
        List<Long> both = List.of(finding.object().value(), finding.other().value());
        List<LeaseInfo> found = LeaseScan.leases(servers, server).stream()
                .filter(lease -> both.contains(lease.getFirst()))
                .toList();
        if (found.size() < 2 || !LeaseScan.overlap(found.get(0), found.get(1))) {
            throw new FsException(FsError.STALE_VERSION, "one of them has ended; check again");
        }
        for (LeaseInfo lease : found) {
            var unused = servers.askIo(
                    server,
                    Kind.END_LEASES,
                    EndLeasesRequest.newBuilder()
                            .setHolder(lease.getHolder())
                            .setLease(lease.getFirst())
                            .build(),
                    EndLeasesReply.class);
        }
        awaitEnd(server, both);
        return "both ended; files keep their datafiles, holders lease others";
    }

    private void awaitEnd(int server, List<Long> firsts) throws FsException {
        AccountLeasesRequest validate =
                AccountLeasesRequest.newBuilder().setValidate(true).build();
        AccountLeasesReply account = servers.askIo(server, Kind.ACCOUNT_LEASES, validate, AccountLeasesReply.class);
        for (int i = 0; i < MOST_PAUSES; i++) {
            if (LeaseScan.leases(servers, server).stream().noneMatch(lease -> firsts.contains(lease.getFirst()))) {
                return;
            }
            servers.pause(PAUSE_MILLIS);
            account = servers.askIo(server, Kind.ACCOUNT_LEASES, validate, AccountLeasesReply.class);
        }
        throw new FsException(
                FsError.BUSY,
                "the IO server has not ended the lease yet"
                        + account.getWaitsForList().stream().limit(3).collect(Collectors.joining("; ", ": ", "")));
    }
}
