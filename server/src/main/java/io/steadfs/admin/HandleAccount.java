package io.steadfs.admin;

import io.steadfs.cluster.ServerNames;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Counts the handles of a cluster by IO server, by holder and by class. The classes are in use, pooled, pending,
 * suspect and orphan. A handle whose lease has ended is pending if its file was deleted. Otherwise a handle whose lease
 * has ended is in use.
 */
public final class HandleAccount {
    /** An IO server's account of its handles, and the approximate number of all its datafiles. */
    public record Server(String name, AccountLeasesReply account, long datafilesAbout) {}

    private final List<Server> servers = new ArrayList<>();
    private final Map<String, Long> pending = new TreeMap<>();
    private final SortedMap<String, String> notAnswered = new TreeMap<>();

    private HandleAccount() {}

    /**
     * Asks all servers at the same time. Each server that does not answer gets a line in {@link #problems}.
     *
     * @param validate true if IO servers are to begin to sort the handles of expired leases into used and unused ones
     * @param timeoutMillis for each server
     */
    public static HandleAccount of(Transport transport, ClusterMap map, boolean validate, long timeoutMillis) {
        IoServers io = new IoServers(transport, map, timeoutMillis);
        List<Asked> asked = io.all().stream()
                .map(server -> new Asked(IoServers.name(server), io.account(server, validate), io.status(server)))
                .toList();
        List<AskedShards> shards = map.getServersList().stream()
                .filter(server -> server.getRole() == ClusterMap.Role.MDS && server.getPort() != 0)
                .map(server -> new AskedShards(ServerNames.of(server), io.status(server)))
                .toList();
        HandleAccount account = new HandleAccount();
        for (Asked each : asked) {
            try {
                account.servers.add(new Server(
                        each.name(),
                        each.account().await(),
                        each.status().await().getGaugesOrDefault("datafiles.about", 0)));
            } catch (FsException e) {
                account.notAnswered.put(each.name(), String.valueOf(e.getMessage()));
            }
        }
        for (AskedShards each : shards) {
            try {
                account.addPending(each.status().await());
            } catch (FsException e) {
                account.notAnswered.put(each.name(), String.valueOf(e.getMessage()));
            }
        }
        return account;
    }

    private record Asked(
            String name, DirectQuestion.Begun<AccountLeasesReply> account, DirectQuestion.Begun<StatusReply> status) {}

    private record AskedShards(String name, DirectQuestion.Begun<StatusReply> status) {}

    /**
     * Builds the account from answers that the caller already has.
     *
     * @param pending the number of datafiles that each IO server has yet to remove, by the server's name
     * @param notAnswered the reason for each server that did not answer, by the server's name
     */
    public static HandleAccount of(List<Server> servers, Map<String, Long> pending, Map<String, String> notAnswered) {
        HandleAccount account = new HandleAccount();
        account.servers.addAll(servers);
        account.pending.putAll(pending);
        account.notAnswered.putAll(notAnswered);
        return account;
    }

    private void addPending(StatusReply status) {
        status.getGaugesMap().forEach((name, value) -> {
            int at = name.indexOf("deletion.io-");
            if (at >= 0) {
                pending.merge(name.substring(at + "deletion.".length()), value, Long::sum);
            }
        });
    }

    public List<Server> servers() {
        return servers;
    }

    /** One line for each server that did not answer. */
    public List<String> problems() {
        return List.copyOf(notAnswered.values());
    }

    /** The reason for each server that did not answer, by the server's name. */
    public SortedMap<String, String> notAnswered() {
        return Collections.unmodifiableSortedMap(notAnswered);
    }

    /** The number of datafiles that the IO server has yet to remove because their files were deleted. */
    public long pending(String server) {
        return pending.getOrDefault(server, 0L);
    }

    /**
     * The approximate number of datafiles that belong to files: all datafiles minus the pooled, suspect and orphan
     * ones.
     */
    public static long inUseAbout(Server server) {
        Account sum = server.account().getSum();
        return Math.max(sum.getInUse(), server.datafilesAbout() - sum.getPooled() - sum.getSuspect() - sum.getOrphan());
    }

    public long sum(ToLongFunction<Account> what) {
        return servers.stream()
                .mapToLong(server -> what.applyAsLong(server.account().getSum()))
                .sum();
    }

    /** The reasons why expired leases have not ended yet. Each reason begins with the name of its IO server. */
    public List<String> waitsFor() {
        List<String> lines = new ArrayList<>();
        servers.forEach(
                server -> server.account().getWaitsForList().forEach(why -> lines.add(server.name() + ": " + why)));
        return lines;
    }

    public Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("servers", servers.stream().map(this::fields).toList());
        fields.put("pooled", sum(Account::getPooled));
        fields.put("suspect", sum(Account::getSuspect));
        fields.put("orphan", sum(Account::getOrphan));
        fields.put("waitsFor", waitsFor());
        fields.put("problems", problems());
        return fields;
    }

    private Map<String, ?> fields(Server server) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("server", server.name());
        fields.put("inUseAbout", inUseAbout(server));
        fields.put("pending", pending(server.name()));
        fields.putAll(classes(server.account().getSum()));
        fields.put("holders", server.account().getHolders());
        fields.put("bound", bound(server));
        fields.put(
                "accounts",
                server.account().getAccountsList().stream()
                        .map(HandleAccount::holder)
                        .toList());
        return fields;
    }

    private static Map<String, ?> holder(Account account) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("holder", Long.toHexString(account.getHolder()));
        fields.put("name", account.getName());
        fields.putAll(classes(account));
        return fields;
    }

    private static Map<String, ?> classes(Account account) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("leases", account.getLeases());
        fields.put("leasedInUse", account.getInUse());
        fields.put("pooled", account.getPooled());
        fields.put("suspect", account.getSuspect());
        fields.put("orphan", account.getOrphan());
        fields.put("oldestMillis", account.getOldestMillis());
        return fields;
    }

    /** The bound N x L: the number of holders times the most unused handles that one holder may have. */
    public static long bound(Server server) {
        return server.account().getHolders() * server.account().getHolderMost();
    }
}
