package io.steadfs.client.create;

import io.steadfs.layout.ProtocolName;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Sums of the messages and steps of one client's creates, by protocol. May be used from any thread. */
public final class CreateCounters {
    private final ProtocolName protocol;
    private final LongAdder files = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final LongAdder steps = new LongAdder();

    CreateCounters(ProtocolName protocol) {
        this.protocol = protocol;
    }

    /** Adds the counts of a file that was made. */
    public void add(CreateMeter meter) {
        files.increment();
        messages.add(meter.messages());
        steps.add(meter.steps());
    }

    /** {@code create.PROTOCOL.files}, {@code .messages} and {@code .steps}. */
    void addTo(Map<String, Long> counters) {
        counters.put("create." + protocol + ".files", files.sum());
        counters.put("create." + protocol + ".messages", messages.sum());
        counters.put("create." + protocol + ".steps", steps.sum());
    }
}
