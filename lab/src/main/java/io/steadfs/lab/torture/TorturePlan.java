package io.steadfs.lab.torture;

import io.steadfs.cli.protocol.Protocol;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The plan of a torture run.
 *
 * @param seed seed of all random choices of the clients and the faults
 * @param seconds time in which faults happen, in seconds
 * @param clients number of client processes
 * @param threads number of threads of each client
 * @param protocol protocol by which clients create files
 * @param faultsPerMinute approximate number of faults that begin in a minute
 * @param without kinds of fault that are left out
 * @param settings settings of the servers by key, in addition to the settings that every run needs
 * @param directory directory for the servers' data, the logs and the histories
 */
record TorturePlan(
        long seed,
        int seconds,
        int mds,
        int shards,
        int io,
        int clients,
        int threads,
        Protocol protocol,
        int faultsPerMinute,
        Set<FaultKind> without,
        Map<String, String> settings,
        Path directory) {

    /**
     * Time after the healing in which every operation must be answered and every server must become well, in seconds.
     */
    static final int HEALED_SECONDS = 60;

    /** Time after which a server that ZooKeeper does not hear counts as not alive, in milliseconds. */
    static final int ZOOKEEPER_SESSION_MILLIS = 4_000;

    /** Time after which a client loses a session that was not renewed, in milliseconds. */
    static final int CLIENT_SESSION_MILLIS = 6_000;

    /** Time after which the servers take back handles whose lease was not renewed, in milliseconds. */
    static final int LEASE_MILLIS = 6_000;
}
