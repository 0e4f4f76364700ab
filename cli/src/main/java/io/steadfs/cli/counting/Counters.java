package io.steadfs.cli.counting;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The counters of all servers of a cluster at one moment, or their growth between two moments.
 *
 * @param byServer counters by name of the server ("mds-1", "io-3"), then by dotted name of the counter
 */
public record Counters(SortedMap<String, SortedMap<String, Long>> byServer) {
    private static final String IN = "messages.in.";

    /**
     * Names of the counters of waits for a disk: in a metadata server's log, an IO server's rows, and data files with
     * their folders.
     */
    private static final Pattern FSYNCS = Pattern.compile("log\\.fsyncs|store\\.syncs|fsyncs\\..*");

    /** Kinds of requests that read the counters. The method {@link #messages()} does not count such requests. */
    private static final Set<String> ASKING = Set.of("STATUS", "RECENT_MESSAGES");

    public Counters {
        byServer = Collections.unmodifiableSortedMap(new TreeMap<>(byServer));
    }

    /**
     * The growth of the counters since an earlier reading.
     *
     * @throws IllegalStateException if a counter has fallen because its server was restarted in between; the message
     * names the counter
     */
    public Counters since(Counters before) {
        TreeMap<String, SortedMap<String, Long>> growth = new TreeMap<>();
        byServer.forEach((server, now) -> {
            SortedMap<String, Long> then = before.byServer.getOrDefault(server, new TreeMap<>());
            TreeMap<String, Long> grown = new TreeMap<>();
            now.forEach((name, value) -> {
                long change = value - then.getOrDefault(name, 0L);
                if (change < 0) {
                    throw new IllegalStateException("counter " + name + " of " + server + " fell by " + -change
                            + ": the server was started anew meanwhile");
                }
                if (change > 0) {
                    grown.put(name, change);
                }
            });
            growth.put(server, grown);
        });
        return new Counters(growth);
    }

    /** Adds the growth in another span of time to this growth. */
    public Counters plus(Counters more) {
        TreeMap<String, SortedMap<String, Long>> sum = new TreeMap<>();
        for (Counters each : List.of(this, more)) {
            each.byServer.forEach((server, counters) -> {
                SortedMap<String, Long> ofServer = sum.computeIfAbsent(server, name -> new TreeMap<>());
                counters.forEach((name, value) -> ofServer.merge(name, value, Long::sum));
            });
        }
        return new Counters(sum);
    }

    /**
     * The number of requests that arrived at all servers, by kind. Each message counts once, at the server where the
     * message arrived.
     */
    public SortedMap<String, Long> messages() {
        TreeMap<String, Long> byKind = new TreeMap<>();
        byServer.values()
                .forEach(counters -> counters.tailMap(IN).forEach((name, value) -> {
                    if (name.startsWith(IN) && !ASKING.contains(name.substring(IN.length()))) {
                        byKind.merge(name.substring(IN.length()), value, Long::sum);
                    }
                }));
        return byKind;
    }

    /** The number of requests of one kind that arrived at all servers. */
    public long messages(String kind) {
        return messages().getOrDefault(kind, 0L);
    }

    /**
     * How many times the servers of one role waited for their disks.
     *
     * @param role "mds" or "io"
     */
    public long fsyncs(String role) {
        long sum = 0;
        for (var server : byServer.entrySet()) {
            if (server.getKey().startsWith(role + "-")) {
                for (var counter : server.getValue().entrySet()) {
                    if (FSYNCS.matcher(counter.getKey()).matches()) {
                        sum += counter.getValue();
                    }
                }
            }
        }
        return sum;
    }
}
