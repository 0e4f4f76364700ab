package io.steadfs.lab.bench.figure;

import io.steadfs.cli.protocol.Protocol;
import io.steadfs.lab.bench.word.Words;
import java.util.HashMap;
import java.util.Map;

/**
 * One series of a figure: what its clients do, with which settings. A picture shows a series as a line.
 *
 * @param settings configuration values of the clients
 */
record Series(String name, Work work, Map<String, String> settings) {
    private static final String EXPIRY = "stead.client.attributes.expiry";

    /** Number of handles in a lease in the paper. */
    private static final String PAPER_LEASE = "20";

    Series {
        settings = Map.copyOf(settings);
    }

    /**
     * A series whose clients adapt the size of leases to the rate of creates. The clients ask for the next lease in
     * advance.
     */
    static Series usual(Protocol protocol) {
        return new Series(protocol.toString(), Work.CREATE, protocol.settings());
    }

    /**
     * A series whose leases all have the size of the paper. A client asks for a new lease only when no handle is left.
     */
    static Series ofPaper(Protocol protocol) {
        Map<String, String> settings = new HashMap<>(protocol.settings());
        settings.put("stead.client.lease.handles.min", PAPER_LEASE);
        settings.put("stead.client.lease.handles.max", PAPER_LEASE);
        settings.put("stead.client.lease.ahead", "false");
        return new Series(protocol + " L=" + PAPER_LEASE, Work.CREATE, settings);
    }

    /** A series that makes no files, so that no create protocol matters. */
    static Series of(Work work) {
        return new Series(Words.of(work), work, Map.of());
    }

    /** The same series with clients that keep attributes for so long. */
    Series withExpiry(int millis) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(EXPIRY, Integer.toString(millis));
        return new Series(name + " item expiry " + millis + " ms", work, more);
    }

    /** How long clients keep attributes, in milliseconds; 0 = not at all. */
    long expiryMillis() {
        return Long.parseLong(settings.getOrDefault(EXPIRY, "0"));
    }

    /** The same series with clients that look up paths so. */
    Series with(Lookup lookup) {
        Map<String, String> more = new HashMap<>(settings);
        more.put("stead.lookup", lookup.toString());
        return new Series(lookup == Lookup.DIRECT ? name : name + " " + lookup, work, more);
    }
}
