package io.steadfs.cli.counting;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WriteRequest;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what one client sends through another transport: messages by kind, and the steps of one operation.
 *
 * <p>A step is a wait that nothing else hides. A message sent when {@code n} steps have been answered belongs to step
 * {@code n + 1}; so messages sent together are one step, and one that needs an earlier answer begins the next. A write needs
 * answers of its own column only: one that happens to be sent after another column was answered did not wait for it.
 * Retries count like any message. What keeps the session and the cluster map fresh is counted as a message but is no step.
 *
 * <p>Operations must follow one another; the messages of one may be sent and answered on any thread.
 */
public final class MeteredTransport implements Transport {
    private static final Set<Kind> UPKEEP = EnumSet.of(
            Kind.CLUSTER_MAP,
            Kind.STATUS,
            Kind.OPEN_SESSION,
            Kind.RENEW_SESSION,
            Kind.CLOSE_SESSION,
            Kind.RENEW_LEASES,
            Kind.END_LEASES);

    private final Transport transport;
    private final Map<Kind, LongAdder> sent = new ConcurrentHashMap<>();

    /** Highest step answered, but for writes. */
    private final AtomicLong answered = new AtomicLong();

    /** Highest step of a write answered, by column. */
    private final Map<Integer, Long> answeredWrites = new ConcurrentHashMap<>();

    /** Closing this closes the other transport. */
    public MeteredTransport(Transport transport) {
        this.transport = transport;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        sent.computeIfAbsent(request.kind(), kind -> new LongAdder()).increment();
        if (UPKEEP.contains(request.kind())) {
            return transport.send(server, request, timeoutMillis);
        }
        long step = 1 + answeredBefore(request);
        CompletableFuture<Reply> answer = transport.send(server, request, timeoutMillis);
        CompletableFuture<Reply> metered = answer.thenApply(reply -> {
            answered(request, step);
            return reply;
        });
        CompletableFuture<Reply> unused = metered.whenComplete((reply, failure) -> {
            if (metered.isCancelled()) {
                answer.cancel(false);
            }
        });
        return metered;
    }

    private long answeredBefore(Request request) {
        if (request.body() instanceof WriteRequest write) {
            return Math.max(answered.get(), answeredWrites.getOrDefault(write.getIndex(), 0L));
        }
        return steps();
    }

    private void answered(Request request, long step) {
        if (request.body() instanceof WriteRequest write) {
            answeredWrites.merge(write.getIndex(), step, Math::max);
        } else {
            answered.accumulateAndGet(step, Math::max);
        }
    }

    /** Begins to count steps from zero: an operation begins. */
    public void beginOperation() {
        answered.set(0);
        answeredWrites.clear();
    }

    /** Steps of the operation so far. */
    public long steps() {
        return answeredWrites.values().stream().reduce(answered.get(), Math::max);
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
}
