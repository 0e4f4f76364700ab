package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.rpc.LatencyCounts;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The state of one server, from the cluster map and from the server itself.
 *
 * @param state one of the constants here
 * @param space of an IO server, its disk for datafiles; of a metadata server, the disk under its directory, with the size of its tables as
 *     the used space. If the server does not answer, what the map last knew
 * @param latencies of requests, by kind, since the server started
 * @param ownProblems what is wrong with the server, without the problems with ZooKeeper that several servers report
 * @param zooKeeperProblem why the server does not hear of the others through ZooKeeper; empty while it does
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
    /** The server should answer and does not. */
    public static final String SILENT = "silent";
    /** Neither ZooKeeper nor the server's address shows it alive. */
    public static final String DOWN = "down";
    /** The server was never announced. */
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
