package io.steadfs.lab.bench.figure.ground;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes the commits of servers take longer without use of a processor. So few processors do for many servers.
 *
 * @param delayMillis extra time in milliseconds for every synced commit of every server; 0 = none
 * @param batchRequests largest number of requests that a shard commits together; 0 = the default of the configuration
 */
public record SlowCommits(int delayMillis, int batchRequests) {
    public static final SlowCommits NONE = new SlowCommits(0, 0);

    private static final int MOST_DELAY_MILLIS = 1_000;
    private static final int MOST_BATCH_REQUESTS = 1_000_000;

    public SlowCommits {
        if (delayMillis < 0 || delayMillis > MOST_DELAY_MILLIS) {
            throw new IllegalArgumentException(
                    "--commit-delay-ms " + delayMillis + " is not in 0.." + MOST_DELAY_MILLIS);
        }
        Bounds.atLeast(0, batchRequests, "--batch-requests");
        Bounds.atMost(MOST_BATCH_REQUESTS, batchRequests, "--batch-requests");
    }

    /** The delay as servers are told. */
    public String delayMicros() {
        return Long.toString(delayMillis * 1000L);
    }

    /** Configuration values of the servers that differ from the defaults. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        if (delayMillis > 0) {
            settings.put("stead.store.commit.delay", delayMicros());
        }
        if (batchRequests > 0) {
            settings.put("stead.mds.batch.requests", Integer.toString(batchRequests));
        }
        return settings;
    }
}
