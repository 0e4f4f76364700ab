package io.steadfs.cli.status;

import java.util.List;
import java.util.Map;

/**
 * One server as the cluster map and it itself tell.
 *
 * @param state "serves"; "not alive" where ZooKeeper misses it; "silent" where it should answer and does not
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
        List<String> problems) {}
