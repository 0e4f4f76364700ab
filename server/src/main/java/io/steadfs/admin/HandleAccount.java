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
 * Where the handles of a cluster are, by IO server and holder. Each handle is in one class: in use, pooled, pending, suspect or orphan. A
 * handle that is no longer leased is in use, or pending if its file was deleted.
 */
public final class HandleAccount {
    /** An IO server's account, and about how many datafiles it has altogether. */
    public record Server(String name, AccountLeasesReply account, long datafilesAbout) {}

    private final List<Server> servers = new ArrayList<>();
    private final Map<String, Long> pending = new TreeMap<>();
    private final SortedMap<String, String> notAnswered = new TreeMap<>();

    private HandleAccount() {}

    /**
     * Asks all servers at once. Servers that do not answer are among the {@link #problems}.
     *
     * @param validate whether IO servers are to decide about the handles that ended leases left
     * @param timeoutMillis for each
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
     * @param pending datafiles to be removed, by IO server
     * @param notAnswered why, by server
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

    /** Servers that did not answer, one line each. */
    public List<String> problems() {
        return List.copyOf(notAnswered.values());
    }

    /** For each server that did not answer, the reason. */
    public SortedMap<String, String> notAnswered() {
        return Collections.unmodifiableSortedMap(notAnswered);
    }

    /** Datafiles of deleted files that the IO server has not removed yet. */
    public long pending(String server) {
        return pending.getOrDefault(server, 0L);
    }

    /** About how many datafiles belong to files: all datafiles less those that no file has. */
    public static long inUseAbout(Server server) {
        Account sum = server.account().getSum();
        return Math.max(sum.getInUse(), server.datafilesAbout() - sum.getPooled() - sum.getSuspect() - sum.getOrphan());
    }

    public long sum(ToLongFunction<Account> what) {
        return servers.stream()
                .mapToLong(server -> what.applyAsLong(server.account().getSum()))
                .sum();
    }

    /** Why leases that are over have not ended, with the name of the IO server. */
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

    /** The most handles without a file that the present holders can have: the N x L of the paper. */
    public static long bound(Server server) {
        return server.account().getHolders() * server.account().getHolderMost();
    }
}
