package io.steadfs.lab.torture;

import io.steadfs.cli.protocol.Protocol;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * What to run.
 *
 * @param seed of all choices of the clients and of the faults
 * @param seconds that faults happen in
 * @param clients processes
 * @param threads of each client
 * @param protocol by which clients create files
 * @param faultsPerMinute begun, about
 * @param without kinds of fault that are left out
 * @param settings of servers, by key, beside those that torture itself needs
 * @param directory keeps servers' data, logs and histories
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

    /** After healing every operation must be answered, and every server well, in this time. */
    static final int HEALED_SECONDS = 60;

    /** A metadata or IO server that ZooKeeper does not hear of for so long counts as not alive. */
    static final int ZOOKEEPER_SESSION_MILLIS = 4_000;

    /** A client that does not renew its session for so long has lost it. */
    static final int CLIENT_SESSION_MILLIS = 6_000;

    /** Handles whose holder does not renew its lease for so long are taken back. */
    static final int LEASE_MILLIS = 6_000;
}
