package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells {@link AwayServers} which servers answer one client, and which do not. Before the client has a cluster map,
 * this class reports no unanswered call. Without a map, operations fail soon anyway, and their errors name the servers
 * that did not answer.
 */
public final class TellingTransport implements Transport {
    private final Transport transport;
    private final AwayServers servers;
    private final Clock clock;
    private final AtomicBoolean reached;

    /** Closing this object closes the other transport. */
    public TellingTransport(Transport transport, AwayServers servers, Clock clock) {
        this(transport, servers, clock, new AtomicBoolean());
    }

    private TellingTransport(Transport transport, AwayServers servers, Clock clock, AtomicBoolean reached) {
        this.transport = transport;
        this.servers = servers;
        this.clock = clock;
        this.reached = reached;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        long sentNanos = clock.monotonicNanos();
        CompletableFuture<Reply> answer = transport.send(server, request, timeoutMillis);
        var unused = answer.whenComplete((reply, failure) -> {
            if (reply != null) {
                note(server, request.kind(), sentNanos, reply);
            }
        });
        return answer;
    }

    private void note(ServerAddress server, Kind kind, long sentNanos, Reply reply) {
        FsError error = reply.error();
        if (error.isSilence()) {
            if (reached.get()) {
                servers.missed(server, sentNanos, error, reply.header().getMessage());
            }
        } else if (error != FsError.CANCELLED && error != FsError.BUSY && error != FsError.TOO_LARGE) {
            servers.answered(server);
            if (kind == Kind.CLUSTER_MAP && reply.isOk() && !reached.get()) {
                reached.set(true);
            }
        }
    }

    @Override
    public Transport line() {
        Transport line = transport.line();
        return line == transport ? this : new TellingTransport(line, servers, clock, reached);
    }

    @Override
    public void close() {
        transport.close();
    }
}
