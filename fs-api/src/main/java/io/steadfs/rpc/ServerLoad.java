package io.steadfs.rpc;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the present load of a process's server: open connections, requests in work, and the bytes of those requests.
 * May be used from any thread.
 */
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

    /**
     * Counts a connection that the server refused with BUSY, because a limit on the number of connections was reached.
     */
    public void connectionRefused() {
        refused.increment();
    }

    /**
     * Counts a request that arrived.
     *
     * @param requestBytes number of bytes of the request
     */
    public void begun(long requestBytes) {
        requests.increment();
        bytes.add(requestBytes);
    }

    /**
     * Notes the end of a request. Either the reply was sent, or nobody waits for the reply any more.
     *
     * @param requestBytes number of bytes of the request, as given to {@link #begun}
     */
    public void ended(long requestBytes) {
        requests.decrement();
        bytes.add(-requestBytes);
    }

    /** Number of connections that the server has refused so far. */
    public long refusedConnections() {
        return refused.sum();
    }

    /**
     * The present values of {@code connections.open}, {@code requests.working} and {@code requests.working.bytes}, by
     * name.
     */
    public Map<String, Long> gauges() {
        Map<String, Long> gauges = new TreeMap<>();
        gauges.put("connections.open", connections.sum());
        gauges.put("requests.working", requests.sum());
        gauges.put("requests.working.bytes", bytes.sum());
        return gauges;
    }
}
