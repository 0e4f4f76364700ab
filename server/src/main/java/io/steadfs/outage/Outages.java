package io.steadfs.outage;

import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Logs outages of services, such as ZooKeeper. An outage is logged by one line at its beginning, one line each minute,
 * and one line at its end. The caller regularly tells this class which services are away. Thread-safe.
 */
public final class Outages {
    static final long AGAIN_MILLIS = 60_000;

    private final String teller;
    private final Clock clock;
    private final Consumer<String> log;
    private final Map<String, Outage> present = new TreeMap<>();

    private static final class Outage {
        final long sinceNanos;
        final long sinceWallMillis;
        long toldNanos;

        Outage(long nanos, long wallMillis) {
            this.sinceNanos = nanos;
            this.sinceWallMillis = wallMillis;
            this.toldNanos = nanos;
        }
    }

    /**
     * @param teller the name of the reporting server, which begins each line
     * @param log receives each line
     */
    public Outages(String teller, Clock clock, Consumer<String> log) {
        this.teller = teller;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Compares the services that are away now with the services that were away before, and logs the difference.
     *
     * @param away a description of each service that is away now, by the service's name. A service that is not in this
     *     map counts as back
     */
    public synchronized void look(Map<String, String> away) {
        long now = clock.monotonicNanos();
        List<String> back = new ArrayList<>(present.keySet());
        back.removeAll(away.keySet());
        for (String name : back) {
            Outage ended = present.remove(name);
            if (ended != null) {
                log.accept(teller + ": " + name + " is well again after " + seconds(ended, now) + " s");
            }
        }
        away.forEach((name, text) -> {
            Outage outage = present.get(name);
            if (outage == null) {
                present.put(name, new Outage(now, clock.wallMillis()));
                log.accept(teller + ": " + text);
            } else if (now - outage.toldNanos >= AGAIN_MILLIS * 1_000_000) {
                outage.toldNanos = now;
                log.accept(teller + ": for " + seconds(outage, now) + " s: " + text);
            }
        });
    }

    private static long seconds(Outage outage, long now) {
        return (now - outage.sinceNanos) / 1_000_000_000;
    }

    /** The beginning of the service's present outage, in milliseconds since 1970; empty if the service is not away. */
    public synchronized OptionalLong since(String name) {
        Outage outage = present.get(name);
        return outage == null ? OptionalLong.empty() : OptionalLong.of(outage.sinceWallMillis);
    }
}
