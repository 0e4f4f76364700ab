package io.steadfs.lab.torture;

import io.steadfs.cli.protocol.Protocol;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a run.
 *
 * @param seed seed of all choices of the clients and of the faults
 * @param seconds time in which faults happen
 * @param clients number of client processes
 * @param threads number of threads of each client
 * @param wide number of directories that have the names of all threads; 0 = each thread has a directory of its own
 * @param protocol protocol by which clients create files
 * @param faultsPerMinute approximate number of faults that begin in a minute
 * @param without kinds of faults that do not happen
 * @param settings further configuration of the servers, by key; the run sets the keys that it needs itself
 * @param directory directory that keeps the servers' data, the logs and the histories
 */
record TorturePlan(
        long seed,
        int seconds,
        int mds,
        int shards,
        int io,
        int clients,
        int threads,
        int wide,
        Protocol protocol,
        int faultsPerMinute,
        Set<FaultKind> without,
        Map<String, String> settings,
        Path directory) {

    /** Within this time after healing, every operation must be answered and every server must be well. */
    static final int HEALED_SECONDS = 60;

    /** If ZooKeeper hears nothing from a metadata or IO server for this time, the server counts as not alive. */
    static final int ZOOKEEPER_SESSION_MILLIS = 4_000;

    /** If a client does not renew its session for this time, the client loses the session. */
    static final int CLIENT_SESSION_MILLIS = 6_000;

    /** If a holder of leased handles does not renew its lease for this time, the IO server takes the handles back. */
    static final int LEASE_MILLIS = 6_000;
}
