package io.steadfs.lab.bench.jobs;

import io.steadfs.cli.counting.Counters;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What servers counted while a job ran.
 *
 * @param messages of clients, by kind
 * @param names of directories that went, got other meanings or were held; of a rename between shards each step
 * @param rows of directories whose owner, group or mode changed
 */
record JobCount(SparkJob job, SortedMap<Kind, Long> messages, long names, long rows) {
    static JobCount of(SparkJob job, Counters grown) {
        TreeMap<Kind, Long> messages = new TreeMap<>();
        grown.messages().forEach((name, count) -> {
            Kind kind = Kind.valueOf(name);
            if (kind.audience() == Audience.USER) {
                messages.put(kind, count);
            }
        });
        return new JobCount(job, messages, sum(grown, "copies.changes.names"), sum(grown, "copies.changes.rows"));
    }

    private static long sum(Counters grown, String counter) {
        return grown.byServer().values().stream()
                .mapToLong(ofServer -> ofServer.getOrDefault(counter, 0L))
                .sum();
    }

    long all() {
        return messages.values().stream().mapToLong(Long::longValue).sum();
    }

    long of(Kind kind) {
        return messages.getOrDefault(kind, 0L);
    }

    /** Changes after which paths lead elsewhere, or to nobody who was let through before, and new symbolic links. */
    long hierarchical() {
        return names + rows + of(Kind.CREATE_SYMLINK);
    }
}
