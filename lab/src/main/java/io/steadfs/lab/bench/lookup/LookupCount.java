package io.steadfs.lab.bench.lookup;

import io.steadfs.cli.counting.Counters;
import java.util.Set;
import java.util.SortedMap;

/**
 * Messages of one operation, counted at the servers where they arrived.
 *
 * @param client from the client
 * @param shards from one shard to another
 * @param first from the client to the shard of the root
 */
record LookupCount(long client, long shards, long first) {
    private static final String IN = "messages.in.";

    /** The server of shard 0. */
    private static final String FIRST = "mds-1";

    private static final Set<String> OF_CLIENT = Set.of("STAT", "LIST", "CREATE", "RENAME", "SET_ATTRIBUTES");

    private static final Set<String> OF_SHARDS = Set.of(
            "GIVE_COPIES", "RECALL_COPIES", "PREPARE", "FINISH", "STAT_HANDLES", "ANCESTORS", "LOOK_UP", "NOTIFY");

    static LookupCount of(Counters grown) {
        return new LookupCount(
                sum(grown.messages(), OF_CLIENT, ""),
                sum(grown.messages(), OF_SHARDS, ""),
                sum(grown.byServer().getOrDefault(FIRST, grown.messages()), OF_CLIENT, IN));
    }

    private static long sum(SortedMap<String, Long> counters, Set<String> kinds, String prefix) {
        return kinds.stream()
                .mapToLong(kind -> counters.getOrDefault(prefix + kind, 0L))
                .sum();
    }

    /** As the table shows it. */
    String text() {
        return client + (shards > 0 ? " + " + shards : "");
    }
}
