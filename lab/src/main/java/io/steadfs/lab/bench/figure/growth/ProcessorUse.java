package io.steadfs.lab.bench.figure.growth;

import io.steadfs.lab.bench.pace.Rest;
import java.time.Duration;
import java.util.List;

/** How many processors this process uses on average. It has all servers and clients. Thread-safe. */
final class ProcessorUse {
    private volatile Reading begin = Reading.now();

    private record Reading(long atNanos, Duration used) {
        static Reading now() {
            return new Reading(
                    System.nanoTime(), Rest.used(List.of(ProcessHandle.current().pid())));
        }

        double since(Reading before) {
            return (double) used.minus(before.used).toNanos() / (atNanos - before.atNanos);
        }
    }

    /** Forgets what was used until now. */
    void restart() {
        begin = Reading.now();
    }

    /** Since the last restart; since this object was made if there was none. */
    double average() {
        return Reading.now().since(begin);
    }
}
