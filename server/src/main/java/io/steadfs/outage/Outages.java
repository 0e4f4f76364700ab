package io.steadfs.outage;

import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Logs outages of things: one line when something goes away, one each minute while it is away, and one when it is back. The caller looks
 * again and again, and reports what is away now. Thread-safe.
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
     * @param teller name at the beginning of each line
     * @param log takes one line each
     */
    public Outages(String teller, Clock clock, Consumer<String> log) {
        this.teller = teller;
        this.clock = clock;
        this.log = log;
    }

    /** @param away a description of each thing that is away now, by its name; a name that is missing is back */
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

    /** When it was first seen away, in milliseconds since 1970; empty if it is not away. */
    public synchronized OptionalLong since(String name) {
        Outage outage = present.get(name);
        return outage == null ? OptionalLong.empty() : OptionalLong.of(outage.sinceWallMillis);
    }
}
