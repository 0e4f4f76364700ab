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
 * Counts the messages that one client sends through another transport. This class counts messages by kind, and counts
 * the {@link StepMeter steps} of one operation. If an operation sends several writes in a row, all writes to one column
 * form one chain of steps. The chain of one column does not depend on the other columns. So a write does not count as
 * waiting for another column's answer, even if the answer arrived before the write was sent. Retries count like other
 * messages. Messages that only keep the session or the cluster map fresh are counted by kind, but not as steps.
 *
 * <p>Only one operation may run at a time. Any thread may send the messages of an operation and receive the answers.
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

    /**
     * The common start of the chains of all columns: the answers that had arrived when the client sent the first write.
     */
    private Optional<Transport> writes = Optional.empty();

    private final Map<Integer, Transport> columns = new HashMap<>();

    /** If a caller closes this object, the other transport is closed too. */
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

    /** Starts an operation. The number of steps begins at zero. */
    public synchronized void beginOperation() {
        meter.beginOperation();
        forgetWrites();
    }

    /** The number of steps of the operation so far. */
    public long steps() {
        return meter.steps();
    }

    /** The number of messages sent through this object, by kind. */
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
