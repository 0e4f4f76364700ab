package io.steadfs.admin;

import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.rpc.LatencyCounts;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The state of one server, taken from the cluster map and from the server's own answer.
 *
 * @param state {@link #SERVES}, {@link #SILENT}, {@link #DOWN} or {@link #NEVER}
 * @param space of an IO server's disk for datafiles, or of the disk under a metadata server's directory. A metadata
 *     server's used space is the size of its tables. If a server does not answer, its space comes from the last figures
 *     in the cluster map
 * @param latencies maps each kind of request to its latencies since the server started
 * @param ownProblems the server's problems, without the problem with ZooKeeper that several servers may report
 * @param zooKeeperProblem why the server gets no news of other servers from ZooKeeper; empty if it gets news
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
    /** The cluster map says that the server is alive, but the server does not answer. */
    public static final String SILENT = "silent";
    /** The cluster map says that the server is not alive, and the server does not answer. */
    public static final String DOWN = "down";
    /** The server was never announced. */
    public static final String NEVER = "not announced";

    public boolean answers() {
        return state.equals(SERVES);
    }

    /** One line for each problem of the server. */
    public List<String> problems() {
        return zooKeeperProblem.isEmpty()
                ? ownProblems
                : Stream.concat(ownProblems.stream(), Stream.of(name + ": " + zooKeeperProblem))
                        .toList();
    }
}
