package io.steadfs.client.call;

import io.steadfs.rpc.MessageCounters;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests that one client sent again and the bytes that it moved, since it was made. May be used from any thread. */
public final class ClientCounters {
    public final MessageCounters messages = new MessageCounters();
    /** Requests sent again. Each repetition counts. */
    public final LongAdder retries = new LongAdder();
    /** Bytes of files that IO servers acknowledged; a repeated request counts once. */
    public final LongAdder bytesWritten = new LongAdder();
    /** Bytes of files that IO servers sent and whose checksums were compared. Whole chunks, so more than was asked for. */
    public final LongAdder bytesFetched = new LongAdder();
    /** Bytes handed to readers. */
    public final LongAdder bytesRead = new LongAdder();

    /** All counters by dotted name. Only counters of messages are left out where they are zero. */
    public SortedMap<String, Long> snapshot() {
        SortedMap<String, Long> all = new TreeMap<>(messages.snapshot());
        messages.latencies().forEach((kind, times) -> {
            all.put("latency." + kind + ".count", times.count());
            all.put("latency." + kind + ".micros.total", times.sumMicros());
            all.put("latency." + kind + ".micros.p50", times.quantileMicros(0.5));
            all.put("latency." + kind + ".micros.p99", times.quantileMicros(0.99));
        });
        all.put("client.retries", retries.sum());
        all.put("client.bytes.written", bytesWritten.sum());
        all.put("client.bytes.fetched", bytesFetched.sum());
        all.put("client.bytes.read", bytesRead.sum());
        return all;
    }
}
