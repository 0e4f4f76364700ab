package io.steadfs.client.create;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the files that one client has made by one protocol, and the messages and steps of these creates. Thread-safe.
 */
public final class CreateCounters {
    private final ProtocolName protocol;
    private final LongAdder files = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder steps = new LongAdder();

    CreateCounters(ProtocolName protocol) {
        this.protocol = protocol;
    }

    /** Adds the messages and steps that one new file took. */
    public void add(CreateMeter meter) {
        files.increment();
        messages.add(meter.messages());
        steps.add(meter.steps());
    }

    /**
     * Adds the counters {@code create.PROTOCOL.files}, {@code create.PROTOCOL.messages} and
     * {@code create.PROTOCOL.steps}.
     */
    void addTo(Map<String, Long> counters) {
        counters.put("create." + protocol + ".files", files.sum());
        counters.put("create." + protocol + ".messages", messages.sum());
        counters.put("create." + protocol + ".steps", steps.sum());
    }
}
