package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.Fault;
import io.steadfs.admin.HandleAccount;
import io.steadfs.cluster.ClusterSpace;
import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.error.FsException;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves a summary of the cluster. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public final class OverviewResource {
    private final Cluster cluster;
    private final History history;
    private final Clock clock;

    public OverviewResource(Cluster cluster, History history, Clock clock) {
        this.cluster = cluster;
        this.history = history;
        this.clock = clock;
    }

    /** Number of servers that serve, and number of all servers. */
    public record Servers(long serving, long total) {}

    /** Number of handles of each class. */
    public record Handles(long inUse, long pooled, long pending, long suspect, long orphan) {
        static Handles of(HandleAccount account) {
            return new Handles(
                    account.servers().stream()
                            .mapToLong(HandleAccount::inUseAbout)
                            .sum(),
                    account.sum(Account::getPooled),
                    account.servers().stream()
                            .mapToLong(server -> account.pending(server.name()))
                            .sum(),
                    account.sum(Account::getSuspect),
                    account.sum(Account::getOrphan));
        }
    }

    /**
     * An IO server that does not answer, and its last known figures. The totals of the cluster include these figures.
     *
     * @param asOf time of the figures, in milliseconds since 1970; null if no figures are known
     */
    public record Away(
            String server,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            @Nullable Long asOf) {
        static Away of(ServerSpace space) {
            return new Away(
                    space.server(),
                    space.capacityBytes(),
                    space.usedBytes(),
                    space.freeBytes(),
                    space.asOfMillis() == 0 ? null : space.asOfMillis());
        }
    }

    /**
     * A summary of the cluster. The totals include the last known figures of servers that do not answer. Only the total
     * {@code freeBytes} excludes servers that do not answer, because nobody can write to such servers.
     *
     * @param at milliseconds since 1970
     */
    record Overview(
            String fileSystem,
            long epoch,
            int shards,
            String verdict,
            List<Verdict.Reason> reasons,
            Servers servers,
            Servers ioServers,
            long capacityBytes,
            long usedBytes,
            long freeBytes,
            long otherBytes,
            List<Away> away,
            Map<String, Long> pending,
            Handles handles,
            long at) {}

    /** @param stepMillis milliseconds between two points */
    public record Recent(long stepMillis, List<History.Point> points) {}

    /** The handles of one class. */
    public record LeakClass(
            String name,
            long handles,
            @Nullable Long oldestMillis,
            @Nullable Long bytes,
            String meaning) {}

    /** The number of handles that no file uses, by class, now and in the last minutes. */
    public record Leaks(List<LeakClass> classes, List<History.Point> trend, List<String> problems) {}

    @GET
    @Path("overview")
    public Object overview() throws FsException {
        ClusterStatus status = cluster.status();
        HandleAccount account = account();
        Verdict verdict = Verdict.of(status, account.notAnswered(), history::faultySince);
        ClusterSpace space = status.space();
        return new Overview(
                status.fileSystem(),
                status.epoch(),
                status.shards(),
                verdict.verdict(),
                verdict.reasons(),
                new Servers(status.answered(), status.servers().size()),
                new Servers(space.reached(), space.servers()),
                space.capacityBytes(),
                space.usedBytes(),
                space.freeBytes(),
                space.otherBytes(),
                space.away().stream().map(Away::of).toList(),
                status.pending(),
                Handles.of(account),
                clock.wallMillis());
    }

    /** The account of handles. If this process has never reached a server of the cluster, the account is empty. */
    private HandleAccount account() {
        try {
            return cluster.account();
        } catch (FsException e) {
            return HandleAccount.of(List.of(), Map.of(), Map.of(Fault.CLUSTER, String.valueOf(e.getMessage())));
        }
    }

    @GET
    @Path("overview/history")
    public Recent recent() {
        return new Recent(History.STEP_MILLIS, history.points());
    }

    @GET
    @Path("leaks")
    public Leaks leaks() throws FsException {
        HandleAccount account = cluster.account();
        Handles handles = Handles.of(account);
        Long oldest = account.servers().stream()
                .mapToLong(server -> server.account().getSum().getOldestMillis())
                .max()
                .orElse(0);
        return new Leaks(
                List.of(
                        new LeakClass("inUse", handles.inUse(), null, null, "a file has the handle, about"),
                        new LeakClass(
                                "pooled", handles.pooled(), oldest, 0L, "leased, and no file is known to have it yet"),
                        new LeakClass(
                                "pending",
                                handles.pending(),
                                null,
                                null,
                                "its file was deleted, its datafile is still to be removed"),
                        new LeakClass(
                                "suspect",
                                handles.suspect(),
                                null,
                                0L,
                                "its lease is over, and it is being found out whether a file has it"),
                        new LeakClass("orphan", handles.orphan(), null, 0L, "no file has it; it is being taken back")),
                history.points(),
                account.problems());
    }
}
