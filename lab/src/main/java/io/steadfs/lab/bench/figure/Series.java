package io.steadfs.lab.bench.figure;

import io.steadfs.cli.protocol.Protocol;
import java.util.HashMap;
import java.util.Map;

/**
 * A series of measured points, which is one line of a picture.
 *
 * @param settings settings of the clients in the series
 */
record Series(String name, Map<String, String> settings) {
    /** Number of handles of a lease in the paper. */
    private static final String PAPER_LEASE = "20";

    Series {
        settings = Map.copyOf(settings);
    }

    /**
     * Makes a series with the default leases. The rate of creates decides the size of a lease, and clients ask for
     * leases in advance.
     */
    static Series usual(Protocol protocol) {
        return new Series(protocol.toString(), protocol.settings());
    }

    /**
     * Makes a series with the leases of the paper. All leases have the same size, and a client asks for a lease when no
     * handle is left.
     */
    static Series ofPaper(Protocol protocol) {
        Map<String, String> settings = new HashMap<>(protocol.settings());
        settings.put("stead.client.lease.handles.min", PAPER_LEASE);
        settings.put("stead.client.lease.handles.max", PAPER_LEASE);
        settings.put("stead.client.lease.ahead", "false");
        return new Series(protocol + " L=" + PAPER_LEASE, settings);
    }
}
