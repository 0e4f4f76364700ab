package io.steadfs.cli.status;

import java.util.List;
import java.util.Map;

/**
 * One server as the cluster map and it itself tell.
 *
 * @param state one of the constants here
 * @param capacityBytes 0 for metadata servers, as is {@code freeBytes}
 */
record ServerStatus(
        String name,
        String address,
        String state,
        long uptimeMillis,
        long capacityBytes,
        long freeBytes,
        Map<String, Long> counters,
        Map<String, Long> gauges,
        List<String> problems) {
    static final String SERVES = "serves";
    /** It should answer and does not. */
    static final String SILENT = "silent";
    /** Neither ZooKeeper nor its address know of it. */
    static final String DOWN = "down";
    /** It was never announced. */
    static final String NEVER = "not announced";

    boolean answers() {
        return state.equals(SERVES);
    }
}
