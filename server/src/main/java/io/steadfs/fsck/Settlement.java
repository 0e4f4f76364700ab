package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SettleReply;
import io.steadfs.wire.proto.SettleRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settles stores after a check. A store is unsettled after a salvage, or after an operator accepted an older copy of
 * the store. A check of the whole file system that finds nothing settles all stores. Before the check, each server
 * tells why its store is unsettled. After the check, the server settles the store only if the reason is still the same.
 * So a check never settles a store that lost data during the check.
 */
public final class Settlement {
    /**
     * A finding of this kind does not prevent settlement, because an unsettled store itself delays the end of leases.
     */
    private static final FindingKind HELD_UP = FindingKind.EXPIRED_LEASE;

    private final CheckedServers servers;
    private final Map<Integer, String> shards = new TreeMap<>();
    private final Map<Integer, String> ioServers = new TreeMap<>();
    private final boolean isContinued;

    private Settlement(CheckedServers servers, boolean isContinued) {
        this.servers = servers;
        this.isContinued = isContinued;
    }

    /**
     * Asks all servers why their stores are unsettled. Call this method before the check begins. If a server does not
     * answer, this check does not settle the server's store.
     *
     * @param isContinued true if the check continues the work of an earlier command or process. A continued check
     *     settles nothing, because a store may have lost data after the work began
     */
    public static Settlement before(CheckedServers servers, boolean isContinued) throws FsException {
        Settlement settlement = new Settlement(servers, isContinued);
        for (int shard = 0; shard < servers.shards(); shard++) {
            int number = shard;
            note(number, settlement.shards, () -> settlement.shard(number, ""));
        }
        for (int server : servers.ioServers()) {
            note(server, settlement.ioServers, () -> settlement.ioServer(server, ""));
        }
        return settlement;
    }

    private interface Question {
        String ask() throws FsException;
    }

    private static void note(int number, Map<Integer, String> reasons, Question question) {
        try {
            String why = question.ask();
            if (!why.isEmpty()) {
                reasons.put(number, why);
            }
        } catch (FsException e) {
            // The check itself reports that the server does not answer.
        }
    }

    /**
     * Settles the stores if the check found nothing. Call this method after the check.
     *
     * @param ended the result of the check
     * @param counts maps each kind to the number of its findings
     * @param scrubbed whether the check also compared all bytes with their checksums
     * @return one line for each store that was unsettled before the check. Each line says that a store is settled now,
     *     or why the store is not settled. The list is empty if the check found something or is incomplete
     */
    public List<String> after(Check.Result ended, Map<FindingKind, Long> counts, boolean scrubbed) {
        List<String> lines = new ArrayList<>();
        boolean isClean = counts.entrySet().stream().allMatch(each -> each.getKey() == HELD_UP || each.getValue() == 0);
        if (ended.isComplete() && isClean) {
            shards.forEach((number, why) -> end(Finding.shard(number), why, scrubbed, () -> shard(number, why), lines));
            ioServers.forEach(
                    (number, why) -> end(Finding.ioServer(number), why, scrubbed, () -> ioServer(number, why), lines));
        }
        return lines;
    }

    private void end(String server, String why, boolean scrubbed, Question question, List<String> lines) {
        if (isContinued) {
            lines.add(server + ", " + why
                    + ", is not settled by a check that was interrupted: check again from the beginning");
            return;
        }
        if (Unsettled.isSalvaged(why) && !scrubbed) {
            lines.add(server + ", " + why + ", is not settled by a check that compares no bytes (--scrub)");
            return;
        }
        try {
            var unused = question.ask();
            lines.add(server + ", " + why + ", is settled");
        } catch (FsException e) {
            lines.add(server + ", " + why + ", is not settled: " + e.getMessage());
        }
    }

    private String shard(int number, String settles) throws FsException {
        return servers.askShard(number, Kind.SETTLE_SHARD, request(settles), SettleReply.class)
                .getUnsettled();
    }

    private String ioServer(int number, String settles) throws FsException {
        return servers.askIo(number, Kind.SETTLE_IO_SERVER, request(settles), SettleReply.class)
                .getUnsettled();
    }

    private static SettleRequest request(String settles) {
        return SettleRequest.newBuilder().setSettles(settles).build();
    }
}
