package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.rpc.LatencyCounts;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One server as the cluster map and it itself tell.
 *
 * @param state one of the constants here
 * @param space of an IO server its disk for datafiles; of a metadata server the disk under its directory, and as used the
 *     size of its tables. What the map last knew where the server does not answer
 * @param latencies of requests, by kind, since the server started
 * @param ownProblems what is wrong with the server, without what several servers tell of ZooKeeper
 * @param zooKeeperProblem what keeps it from hearing of the others; empty while nothing does
 */
public record ServerStatus(
        String name,
        String address,
        String state,
        long uptimeMillis,
        ServerSpace space,
        Map<String, Long> counters,
        Map<String, Long> gauges,
        Map<String, LatencyCounts> latencies,
        List<String> ownProblems,
        String zooKeeperProblem) {
    public static final String SERVES = "serves";
    /** It should answer and does not. */
    public static final String SILENT = "silent";
    /** Neither ZooKeeper nor its address know of it. */
    public static final String DOWN = "down";
    /** It was never announced. */
    public static final String NEVER = "not announced";

    public boolean answers() {
        return state.equals(SERVES);
    }

    /** Everything that is wrong with it, one line each. */
    public List<String> problems() {
        return zooKeeperProblem.isEmpty()
                ? ownProblems
                : Stream.concat(ownProblems.stream(), Stream.of(name + ": " + zooKeeperProblem))
                        .toList();
    }
}
