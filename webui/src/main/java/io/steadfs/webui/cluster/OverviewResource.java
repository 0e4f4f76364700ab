package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.ServerStatus;
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

/** The cluster at a glance. */
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

    /** How many servers there are. */
    public record Servers(long serving, long total) {}

    /** Handles by class. */
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

    /** @param at milliseconds since 1970 */
    record Overview(
            String fileSystem,
            long epoch,
            int shards,
            String verdict,
            List<Verdict.Reason> reasons,
            Servers servers,
            long capacityBytes,
            long freeBytes,
            Map<String, Long> pending,
            Handles handles,
            long at) {}

    /** @param stepMillis between two points */
    public record Recent(long stepMillis, List<History.Point> points) {}

    /** Handles of one class. */
    public record LeakClass(
            String name,
            long handles,
            @Nullable Long oldestMillis,
            @Nullable Long bytes,
            String meaning) {}

    /** Where handles are that no file has, now and lately. */
    public record Leaks(List<LeakClass> classes, List<History.Point> trend, List<String> problems) {}

    @GET
    @Path("overview")
    public Object overview() throws FsException {
        ClusterStatus status = cluster.status();
        HandleAccount account = cluster.account();
        Verdict verdict = Verdict.of(status, account.problems());
        return new Overview(
                status.fileSystem(),
                status.epoch(),
                status.shards(),
                verdict.verdict(),
                verdict.reasons(),
                new Servers(
                        status.servers().stream().filter(ServerStatus::answers).count(),
                        status.servers().size()),
                status.servers().stream().mapToLong(ServerStatus::capacityBytes).sum(),
                status.servers().stream().mapToLong(ServerStatus::freeBytes).sum(),
                status.pending(),
                Handles.of(account),
                clock.wallMillis());
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
