package io.steadfs.cli.counting;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.StepMeter;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WriteRequest;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the messages that one client sends through another transport: by kind, and as {@link StepMeter steps} of one operation. Writes
 * that follow each other directly count as one line for each column: a write that happens to be sent after another column was answered did
 * not wait for it. Retries count like any message. Messages that keep the session and the cluster map fresh are counted, but are no steps.
 *
 * <p>Operations must follow one another; the messages of one operation may be sent and answered on any thread.
 */
public final class MeteredTransport implements Transport {
    private static final Set<Kind> UPKEEP = EnumSet.of(
            Kind.CLUSTER_MAP,
            Kind.STATUS,
            Kind.RECENT_MESSAGES,
            Kind.CONFIGURATION,
            Kind.OPEN_SESSION,
            Kind.RENEW_SESSION,
            Kind.CLOSE_SESSION,
            Kind.RENEW_LEASES,
            Kind.END_LEASES);

    private final Transport transport;
    private final StepMeter meter;
    private final Map<Kind, LongAdder> sent = new ConcurrentHashMap<>();

    /** The beginning of the columns' lines: the answers that had come when the first of the writes was sent. */
    private Optional<Transport> writes = Optional.empty();

    private final Map<Integer, Transport> columns = new HashMap<>();

    /** Closing this closes the other transport. */
    public MeteredTransport(Transport transport) {
        this.transport = transport;
        this.meter = new StepMeter(transport);
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        return send(meter, server, request, timeoutMillis);
    }

    private CompletableFuture<Reply> send(Transport by, ServerAddress server, Request request, long timeoutMillis) {
        sent.computeIfAbsent(request.kind(), kind -> new LongAdder()).increment();
        return way(by, request).send(server, request, timeoutMillis);
    }

    private synchronized Transport way(Transport by, Request request) {
        if (UPKEEP.contains(request.kind())) {
            return transport;
        }
        if (request.body() instanceof WriteRequest write) {
            Transport begin = writes.orElseGet(meter::line);
            writes = Optional.of(begin);
            return columns.computeIfAbsent(write.getIndex(), index -> begin.line());
        }
        forgetWrites();
        return by;
    }

    private void forgetWrites() {
        writes = Optional.empty();
        columns.clear();
    }

    @Override
    public Transport line() {
        return new Line(meter.line());
    }

    /** Starts an operation: steps are counted from zero. */
    public synchronized void beginOperation() {
        meter.beginOperation();
        forgetWrites();
    }

    /** Steps of the operation so far. */
    public long steps() {
        return meter.steps();
    }

    /** Messages sent since this was made, by kind. */
    public SortedMap<String, Long> sent() {
        TreeMap<String, Long> byKind = new TreeMap<>();
        sent.forEach((kind, count) -> byKind.put(kind.name(), count.sum()));
        return byKind;
    }

    @Override
    public void close() {
        transport.close();
    }

    private final class Line implements Transport {
        private final Transport way;

        Line(Transport way) {
            this.way = way;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            return MeteredTransport.this.send(way, server, request, timeoutMillis);
        }

        @Override
        public Transport line() {
            return new Line(way.line());
        }

        @Override
        public void close() {}
    }
}
