package io.steadfs.admin;

import java.util.List;
import java.util.Map;

/**
 * One server as the cluster map and it itself tell.
 *
 * @param state one of the constants here
 * @param capacityBytes 0 for metadata servers, as is {@code freeBytes}
 */
public record ServerStatus(
        String name,
        String address,
        String state,
        long uptimeMillis,
        long capacityBytes,
        long freeBytes,
        Map<String, Long> counters,
        Map<String, Long> gauges,
        List<String> problems) {
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
}
