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
 * Stores that are not settled, since they were salvaged or are an older state: a check of the whole file system that finds nothing ends that. Each server is asked for its
 * reason before the check begins, and told that very reason at its end, so that a check settles nothing that came to be while it ran.
 */
public final class Settlement {
    /** Leases that such a store holds up: they end once it is settled. */
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
     * Before a check begins. A server that does not answer is settled by another check.
     *
     * @param isContinued whether the check goes on where another command or process ended: it began when another state may have been
     *     there, so it settles nothing
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
            // The check itself tells that it does not answer.
        }
    }

    /**
     * After the check.
     *
     * @param ended how it ended
     * @param counts of what it found
     * @param scrubbed whether bytes were compared too
     * @return what is settled now, and what is not and why, one line each; none where the check found something, or did not see all
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
