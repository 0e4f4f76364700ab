package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesRequest;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListLeasesReply;
import io.steadfs.wire.proto.ListLeasesRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks for wrong leases of one IO server. Two leases are wrong if they have handles in common. A lease is wrong if it
 * ended too long ago and still exists.
 *
 * <p>The server lists leases in the order of their last handles, and never grants a handle twice. So two neighbouring
 * leases that overlap are always a finding. A change of leases between two pages of the list never makes two
 * neighbouring leases overlap.
 *
 * <p>A lease ends because it expired or because it was revoked. An ended lease still exists until the IO server has
 * taken back its unused handles. Taking back handles takes a while, and longer if a shard does not answer. So an ended
 * lease becomes a finding only after a given time. Some seconds later, the scan looks at overdue leases a second time.
 * Only a lease without any progress becomes a finding.
 */
final class LeaseScan implements Stage {
    private static final int PAGE = 1_000;
    private static final int MOST_REASONS = 3;
    private static final long SECOND_LOOK_MILLIS = 5_000;

    private final CheckedServers servers;
    private final int ioServer;
    private final long overdueMillis;

    /** @param overdueMillis time after which an ended lease is overdue, in milliseconds */
    LeaseScan(CheckedServers servers, int ioServer, long overdueMillis) {
        this.servers = servers;
        this.ioServer = ioServer;
        this.overdueMillis = overdueMillis;
    }

    @Override
    public String name() {
        return "leases of io-" + ioServer;
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        if (!ScanProgress.of(work, name()).more()) {
            return;
        }
        List<Finding> findings = new ArrayList<>();
        Map<Long, LeaseInfo> overdue = new LinkedHashMap<>();
        Optional<LeaseInfo> before = Optional.empty();
        for (LeaseInfo lease : leases(servers, ioServer)) {
            before.filter(each -> overlap(each, lease)).ifPresent(each -> findings.add(overlapping(each, lease)));
            before = Optional.of(lease);
            if (isOverdue(lease)) {
                overdue.put(lease.getFirst(), lease);
            }
            pace.did(1, 0);
        }
        if (!overdue.isEmpty()) {
            servers.pause(Math.min(overdueMillis, SECOND_LOOK_MILLIS));
            findings.addAll(stillOverdue(overdue));
        }
        try (WorkBatch batch = work.batch()) {
            findings.forEach(batch::found);
            batch.progress(name(), new ScanProgress(false, ByteString.EMPTY).encode());
            batch.commit();
        }
        pace.did(0, 1);
    }

    private boolean isOverdue(LeaseInfo lease) {
        return lease.getLeftMillis() == 0 && lease.getUnused() > 0 && lease.getOverMillis() >= overdueMillis;
    }

    private static long lastOf(LeaseInfo lease) {
        return lease.getFirst() + lease.getCount() - 1;
    }

    /** Whether two neighbouring leases have handles in common. */
    static boolean overlap(LeaseInfo before, LeaseInfo lease) {
        return Long.compareUnsigned(lastOf(before), lease.getFirst()) >= 0;
    }

    private Finding overlapping(LeaseInfo before, LeaseInfo lease) {
        return Finding.of(
                FindingKind.OVERLAPPING_LEASES,
                Finding.ioServer(ioServer),
                new Handle(lease.getFirst()),
                new Handle(before.getFirst()),
                "the leases " + words(before) + " and " + words(lease) + " have handles in common");
    }

    private static String words(LeaseInfo lease) {
        return new Handle(lease.getFirst()) + " of " + lease.getCount() + " handles of holder "
                + Long.toHexString(lease.getHolder());
    }

    private List<Finding> stillOverdue(Map<Long, LeaseInfo> overdue) throws FsException {
        Map<Long, LeaseInfo> now = leases(servers, ioServer).stream()
                .filter(this::isOverdue)
                .filter(lease -> overdue.containsKey(lease.getFirst()))
                .collect(Collectors.toMap(LeaseInfo::getFirst, lease -> lease));
        boolean isAtWork = overdue.values().stream()
                .anyMatch(lease -> !isAsItWas(lease, Optional.ofNullable(now.get(lease.getFirst()))));
        if (isAtWork) {
            return List.of();
        }
        String reasons = servers
                .askIo(
                        ioServer,
                        Kind.ACCOUNT_LEASES,
                        AccountLeasesRequest.getDefaultInstance(),
                        AccountLeasesReply.class)
                .getWaitsForList()
                .stream()
                .limit(MOST_REASONS)
                .collect(Collectors.joining("; "));
        return now.values().stream()
                .map(lease -> Finding.of(
                        FindingKind.EXPIRED_LEASE,
                        Finding.ioServer(ioServer),
                        new Handle(lease.getFirst()),
                        Handle.NONE,
                        "the lease " + words(lease) + " is over for " + lease.getOverMillis() / 1_000
                                + " s, and " + lease.getUnused() + " of them that no file has are not taken back"
                                + (reasons.isEmpty() ? "" : ": " + reasons)))
                .toList();
    }

    /** Whether the IO server took back no handle of an overdue lease between two looks. */
    private static boolean isAsItWas(LeaseInfo lease, Optional<LeaseInfo> now) {
        return now.filter(
                        each -> each.getOverMillis() >= lease.getOverMillis() && each.getUnused() == lease.getUnused())
                .isPresent();
    }

    /** All leases of the server, in the order of their last handles. */
    static List<LeaseInfo> leases(CheckedServers servers, int ioServer) throws FsException {
        List<LeaseInfo> leases = new ArrayList<>();
        boolean more = true;
        while (more) {
            long after = leases.isEmpty() ? 0 : lastOf(leases.get(leases.size() - 1));
            ListLeasesReply page = servers.askIo(
                    ioServer,
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
}
