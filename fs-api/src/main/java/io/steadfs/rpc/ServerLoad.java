package io.steadfs.rpc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The present load of the server of a process: connections, requests and their bytes. May be used from any thread. */
public final class ServerLoad {
    private final LongAdder connections = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder bytes = new LongAdder();

    public void connected() {
        connections.increment();
    }

    public void disconnected() {
        connections.decrement();
    }

    /** A connection was told BUSY and closed, because a limit on the number of connections was met. */
    public void connectionRefused() {
        refused.increment();
    }

    /** A request arrived. */
    public void begun(long requestBytes) {
        requests.increment();
        bytes.add(requestBytes);
    }

    /** The reply to a request was sent, or nobody waits for it any more. */
    public void ended(long requestBytes) {
        requests.decrement();
        bytes.add(-requestBytes);
    }

    /** Connections that were refused so far. */
    public long refusedConnections() {
        return refused.sum();
    }

    /** {@code connections.open}, {@code requests.working}, {@code requests.working.bytes}. */
    public Map<String, Long> gauges() {
        Map<String, Long> gauges = new TreeMap<>();
        gauges.put("connections.open", connections.sum());
        gauges.put("requests.working", requests.sum());
        gauges.put("requests.working.bytes", bytes.sum());
        return gauges;
    }
}
