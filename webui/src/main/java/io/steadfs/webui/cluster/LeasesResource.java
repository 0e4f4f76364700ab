package io.steadfs.webui.cluster;

import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.webui.list.Asked;
import io.steadfs.webui.list.Filter;
import io.steadfs.webui.list.Page;
import io.steadfs.webui.login.Changes;
import io.steadfs.webui.problem.Refusal;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.LeaseInfo;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves a list of all leases, and accounts of the leases by IO server and by holder. */
@Path("leases")
@Produces(MediaType.APPLICATION_JSON)
public final class LeasesResource {
    private static final Pattern CURSOR = Pattern.compile("io-(?<server>[0-9]{1,5})/(?<first>[0-9a-f]{1,16})");
    private static final Pattern IO_SERVER = Pattern.compile("io-[0-9]{1,5}");
    private static final Pattern HOLDER = Pattern.compile("[0-9a-f]{1,16}");
    private static final String OPEN = "open";
    private static final String OVER = "over";
    private static final String REVOKING = "revoking";
    private static final List<String> STATES = List.of(OPEN, OVER, REVOKING);
    private static final Comparator<HolderAccount> HOLDERS = Comparator.comparing(
                    HolderAccount::server, ServerOrder.BY_NUMBER)
            .thenComparing(each -> Long.parseUnsignedLong(each.holder(), 16), Long::compareUnsigned);
    private static final int PAGE = 1_000;
    /**
     * The longest time for which one request may wait for servers that do not answer. If a server has failed and this
     * time is over, the method asks no further server.
     */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);
    /**
     * The largest number of rows that one answer looks at. If a search reaches this limit, the answer contains a cursor
     * for the next request.
     */
    private static final int MOST_LOOKED = 20_000;

    private final Cluster cluster;
    private final Changes changes;

    public LeasesResource(Cluster cluster, Changes changes) {
        this.cluster = cluster;
        this.changes = changes;
    }

    /** @param grantedAt milliseconds since 1970 */
    public record Lease(
            String server,
            String lease,
            long handles,
            long unused,
            String holder,
            String name,
            long grantedAt,
            long leftMillis,
            String state) {
        static Lease of(String server, LeaseInfo info) {
            return new Lease(
                    server,
                    new Handle(info.getFirst()).toString(),
                    info.getCount(),
                    info.getUnused(),
                    Long.toHexString(info.getHolder()),
                    info.getName(),
                    info.getGrantedMillis(),
                    info.getLeftMillis(),
                    info.getRevoking() ? REVOKING : info.getLeftMillis() == 0 ? OVER : OPEN);
        }
    }

    /** A page of a list, and the names of the servers that did not answer. */
    public record Told<T>(
            List<T> items, @Nullable String next, @Nullable Long total, List<String> problems) {}

    /** Number of handles of an IO server, by class. */
    public record ServerAccount(
            String server,
            long inUseAbout,
            long pending,
            long leases,
            long leasedInUse,
            long pooled,
            long suspect,
            long orphan,
            long oldestMillis,
            long holders,
            long bound,
            List<String> waitsFor) {
        static ServerAccount of(HandleAccount all, HandleAccount.Server server) {
            Account sum = server.account().getSum();
            return new ServerAccount(
                    server.name(),
                    HandleAccount.inUseAbout(server),
                    all.pending(server.name()),
                    sum.getLeases(),
                    sum.getInUse(),
                    sum.getPooled(),
                    sum.getSuspect(),
                    sum.getOrphan(),
                    sum.getOldestMillis(),
                    server.account().getHolders(),
                    HandleAccount.bound(server),
                    List.copyOf(server.account().getWaitsForList()));
        }
    }

    /** Number of leases and handles of a holder at one IO server. */
    public record HolderAccount(
            String server,
            String holder,
            String name,
            long leases,
            long leasedInUse,
            long pooled,
            long suspect,
            long orphan,
            long oldestMillis) {
        static HolderAccount of(String server, Account account) {
            return new HolderAccount(
                    server,
                    Long.toHexString(account.getHolder()),
                    account.getName(),
                    account.getLeases(),
                    account.getInUse(),
                    account.getPooled(),
                    account.getSuspect(),
                    account.getOrphan(),
                    account.getOldestMillis());
        }
    }

    /** A request to end all leases of a holder. */
    public record Revocation(
            @Nullable String holder, @Nullable String confirm) {}

    /** The result of a request to end leases. */
    public record Revoked(String holder, int ended, List<String> problems) {}

    /** A request to decide now about the handles of ended leases. */
    public record Validation(@Nullable String confirm) {}

    /** The handles about which the IO servers still have to decide. */
    public record Validated(long suspect, long orphan, List<String> waitsFor, List<String> problems) {}

    @GET
    public Told<Lease> list(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search,
            @QueryParam("server") @Nullable String server,
            @QueryParam("holder") @Nullable String holder,
            @QueryParam("state") @Nullable String state)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        Filter ofServer = Filter.like("server", server, IO_SERVER, "the name of an IO server");
        Filter ofHolder = Filter.like("holder", holder, HOLDER, "a holder, of 1 to 16 hexadecimal digits");
        Filter inState = Filter.oneOf("state", state, STATES);
        int fromServer = 0;
        long after = 0;
        if (!asked.cursor().isEmpty()) {
            Matcher matcher = matched(asked.cursor());
            fromServer = Integer.parseInt(matcher.group("server"));
            after = Long.parseUnsignedLong(matcher.group("first"), 16);
        }
        List<Lease> items = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int looked = 0;
        long began = System.nanoTime();
        for (ClusterMap.Server each : cluster.ioServers()) {
            String name = IoServers.name(each);
            if (each.getId() < fromServer || !ofServer.passes(name)) {
                continue;
            }
            if (!problems.isEmpty() && System.nanoTime() - began > MOST_NANOS) {
                problems.add(name + " was not asked: those before it took too long to say nothing");
                continue;
            }
            long behind = each.getId() == fromServer ? after : 0;
            boolean more = true;
            try {
                while (more) {
                    List<LeaseInfo> page = cluster.leases(each, behind, PAGE);
                    for (LeaseInfo info : page) {
                        Lease lease = Lease.of(name, info);
                        if (items.size() == asked.limit() || looked == MOST_LOOKED) {
                            return new Told<>(items, name + "/" + Long.toHexString(behind), null, problems);
                        }
                        looked++;
                        behind = info.getFirst();
                        if (ofHolder.passes(lease.holder())
                                && inState.passes(lease.state())
                                && asked.finds(name, lease.lease(), lease.holder(), lease.name())) {
                            items.add(lease);
                        }
                    }
                    more = page.size() == PAGE;
                }
            } catch (FsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return new Told<>(items, null, null, problems);
    }

    @GET
    @Path("accounts")
    public Told<ServerAccount> accounts(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        ServerOrder.check(asked.cursor());
        HandleAccount account = cluster.account();
        return told(
                asked.page(
                        account.servers().stream()
                                .map(server -> ServerAccount.of(account, server))
                                .sorted(Comparator.comparing(ServerAccount::server, ServerOrder.BY_NUMBER))
                                .filter(each -> ServerOrder.isBehind(each.server(), asked.cursor()))
                                .iterator(),
                        each -> asked.finds(each.server()),
                        ServerAccount::server),
                account.problems());
    }

    private static <T> Told<T> told(Page<T> page, List<String> problems) {
        return new Told<>(page.items(), page.next(), page.total(), problems);
    }

    @GET
    @Path("holders")
    public Told<HolderAccount> holders(
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("cursor") @Nullable String cursor,
            @QueryParam("q") @Nullable String search,
            @QueryParam("server") @Nullable String server)
            throws FsException {
        Asked asked = Asked.of(limit, cursor, search);
        Filter ofServer = Filter.like("server", server, IO_SERVER, "the name of an IO server");
        Optional<HolderAccount> behind = behind(asked.cursor());
        HandleAccount account = cluster.account();
        return told(
                asked.page(
                        account.servers().stream()
                                .filter(each -> ofServer.passes(each.name()))
                                .flatMap(each -> each.account().getAccountsList().stream()
                                        .map(holder -> HolderAccount.of(each.name(), holder)))
                                .sorted(HOLDERS)
                                .filter(each -> behind.isEmpty() || HOLDERS.compare(each, behind.get()) > 0)
                                .iterator(),
                        each -> asked.finds(each.server(), each.holder(), each.name()),
                        each -> each.server() + "/" + each.holder()),
                account.problems());
    }

    /** Reads a cursor. The result is a holder account that has only the server and the holder of the cursor. */
    private static Optional<HolderAccount> behind(String cursor) {
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = matched(cursor);
        Account holder = Account.newBuilder()
                .setHolder(Long.parseUnsignedLong(matcher.group("first"), 16))
                .build();
        return Optional.of(HolderAccount.of("io-" + matcher.group("server"), holder));
    }

    private static Matcher matched(String cursor) {
        Matcher matcher = CURSOR.matcher(cursor);
        if (!matcher.matches()) {
            throw Refusal.badRequest("cursor: '" + cursor + "' is none of this list");
        }
        return matcher;
    }

    @POST
    @Path("revocations")
    @Consumes(MediaType.APPLICATION_JSON)
    public Revoked revoke(
            @Nullable Revocation body, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        String holder = body == null || body.holder() == null ? "" : body.holder();
        if (!holder.matches("[0-9a-f]{1,16}") || holder.matches("0+")) {
            throw Refusal.badRequest("holder: '" + holder + "' is no hexadecimal number of 64 bits other than 0");
        }
        if (body == null || !holder.equals(body.confirm())) {
            throw Refusal.badRequest("confirm: must be the holder, '" + holder + "'");
        }
        return changes.make(request, raw, "revoke leases", holder, () -> {
            IoServers.Ended ended = cluster.endLeases(Long.parseUnsignedLong(holder, 16));
            return new Revoked(holder, ended.leases(), ended.problems());
        });
    }

    @POST
    @Path("validations")
    @Consumes(MediaType.APPLICATION_JSON)
    public Validated validate(
            @Nullable Validation body, @Context ContainerRequestContext request, @Context HttpServletRequest raw)
            throws IOException {
        if (body == null || !"validate".equals(body.confirm())) {
            throw Refusal.badRequest("confirm: must be 'validate'");
        }
        return changes.make(request, raw, "validate leases", "all", () -> {
            HandleAccount account = cluster.validate();
            return new Validated(
                    account.sum(Account::getSuspect),
                    account.sum(Account::getOrphan),
                    account.waitsFor(),
                    account.problems());
        });
    }
}
