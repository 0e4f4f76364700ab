package io.steadfs.lab.bench.figure;

import io.steadfs.cli.protocol.Protocol;
import java.util.HashMap;
import java.util.Map;

/**
 * One line of a picture.
 *
 * @param settings of its clients
 */
record Series(String name, Map<String, String> settings) {
    /** Handles of a lease in the paper. */
    private static final String PAPER_LEASE = "20";

    Series {
        settings = Map.copyOf(settings);
    }

    /** With leases as long as the rate of creates wants, asked for ahead. */
    static Series usual(Protocol protocol) {
        return new Series(protocol.toString(), protocol.settings());
    }

    /** With leases of one length, asked for when no handle is left. */
    static Series ofPaper(Protocol protocol) {
        Map<String, String> settings = new HashMap<>(protocol.settings());
        settings.put("stead.client.lease.handles.min", PAPER_LEASE);
        settings.put("stead.client.lease.handles.max", PAPER_LEASE);
        settings.put("stead.client.lease.ahead", "false");
        return new Series(protocol + " L=" + PAPER_LEASE, settings);
    }
}
