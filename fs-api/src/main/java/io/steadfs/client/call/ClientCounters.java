package io.steadfs.client.call;

import io.steadfs.rpc.MessageCounters;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the messages, the repeated requests and the transferred bytes of one client. Thread-safe. */
public final class ClientCounters {
    public final MessageCounters messages = new MessageCounters();
    /** Number of repetitions of requests. Every repetition counts. */
    public final LongAdder retries = new LongAdder();
    /** Requests that were sent to the shard of a directory that the client knew. */
    public final LongAdder lookupsKnown = new LongAdder();
    /** Requests whose directories the client did not know. */
    public final LongAdder lookupsCold = new LongAdder();
    /** Answers that sent a whole path on to another shard. */
    public final LongAdder lookupsSentOn = new LongAdder();
    /** Stats that were answered from what the client was told before. */
    public final LongAdder attributesKept = new LongAdder();
    /** Bytes of files that IO servers have acknowledged. The bytes of a repeated request count once. */
    public final LongAdder bytesWritten = new LongAdder();
    /**
     * Bytes of files that IO servers have sent and that the client has compared with checksums. Servers send whole
     * chunks, and so more bytes than readers asked for.
     */
    public final LongAdder bytesFetched = new LongAdder();
    /** Bytes of files that programs have read. */
    public final LongAdder bytesRead = new LongAdder();

    /**
     * All counters by dotted name. A counter of messages is left out if its value is 0; other counters are always
     * present.
     */
    public SortedMap<String, Long> snapshot() {
        SortedMap<String, Long> all = new TreeMap<>(messages.snapshot());
        messages.latencies().forEach((kind, times) -> {
            all.put("latency." + kind + ".count", times.count());
            all.put("latency." + kind + ".micros.total", times.sumMicros());
            all.put("latency." + kind + ".micros.p50", times.quantileMicros(0.5));
            all.put("latency." + kind + ".micros.p99", times.quantileMicros(0.99));
        });
        all.put("client.retries", retries.sum());
        all.put("client.lookups.known", lookupsKnown.sum());
        all.put("client.lookups.cold", lookupsCold.sum());
        all.put("client.lookups.sent.on", lookupsSentOn.sum());
        all.put("client.attributes.kept", attributesKept.sum());
        all.put("client.bytes.written", bytesWritten.sum());
        all.put("client.bytes.fetched", bytesFetched.sum());
        all.put("client.bytes.read", bytesRead.sum());
        return all;
    }
}
