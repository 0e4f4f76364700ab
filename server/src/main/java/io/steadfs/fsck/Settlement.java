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
 * Settles stores after a check. A store is unsettled if it was salvaged, or if an operator accepted an older state of it. A check of the
 * whole file system that finds nothing ends that. Each server is asked for its reason before the check begins. At the end it is told that
 * same reason, so that a check never settles anything that arose while it ran.
 */
public final class Settlement {
    /** Findings that an unsettled store itself causes: its leases end only once it is settled. */
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
     * To be called before a check begins. A server that does not answer is left to be settled by another check.
     *
     * @param isContinued whether the check continues the work of another command or process; as the stores may have had another state when
     *     that one began, the check settles nothing
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
     * To be called after the check.
     *
     * @param ended how the check ended
     * @param counts of what it found
     * @param scrubbed whether bytes were compared too
     * @return what is settled now, and what is not and why, one line each; empty if the check found something, or did not see everything
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
