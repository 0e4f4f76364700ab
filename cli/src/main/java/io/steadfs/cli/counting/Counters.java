package io.steadfs.cli.counting;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Counters of all servers of a cluster at one moment, or their growth between two moments.
 *
 * @param byServer by server ("mds-1", "io-3"), then by dotted name
 */
public record Counters(SortedMap<String, SortedMap<String, Long>> byServer) {
    private static final String IN = "messages.in.";

    /** Counters of a metadata server's log, an IO server's rows, and its data files and their directories. */
    private static final Pattern FSYNCS = Pattern.compile("log\\.fsyncs|store\\.syncs|fsyncs\\..*");

    /** Requests that read the counters do not count themselves. */
    private static final Set<String> ASKING = Set.of("STATUS", "RECENT_MESSAGES");

    public Counters {
        byServer = Collections.unmodifiableSortedMap(new TreeMap<>(byServer));
    }

    /**
     * The growth since an earlier reading.
     *
     * @throws IllegalStateException naming the counter if one fell: its server was restarted in between
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

    /** The sum of the growth in two spans of time. */
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

    /** Requests that arrived at any server, by kind; each message is counted once, where it arrives. */
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

    /** Requests of one kind that arrived at any server. */
    public long messages(String kind) {
        return messages().getOrDefault(kind, 0L);
    }

    /**
     * How often servers of the role waited for their disks.
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
