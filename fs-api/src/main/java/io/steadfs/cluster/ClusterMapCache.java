package io.steadfs.cluster;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.ClusterMapRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The newest cluster map that this process knows. Fetched at first need from any metadata server, then again when a
 * reply shows a newer epoch or a server refuses as not the owner. One fetch at a time: who asks meanwhile joins it. A
 * fetch asks each known metadata server once, in turn; repeating it is the asker's decision. Thread-safe.
 */
public final class ClusterMapCache {
    /** A hint of a newer epoch that the servers cannot serve yet starts no more fetches than one in this time. */
    private static final long HINT_PAUSE_NANOS = 500_000_000L;

    /** What a map says of free space is good for so long. */
    private static final long RECENT_NANOS = 10_000_000_000L;

    private final Transport transport;
    private final Clock clock;
    private final List<ServerAddress> seeds;
    private final Caller caller;
    private final long timeoutMillis;

    /** Changed by whoever holds the monitor; every request reads it. */
    private volatile @Nullable ClusterView present;

    private long fetchedNanos;
    private @Nullable CompletableFuture<ClusterView> underWay;
    private long lastHintNanos;
    private boolean hinted;
    private int turn;

    /**
     * @param seeds metadata servers known from the start, at least one
     * @param timeoutMillis for one server's answer
     */
    public ClusterMapCache(
            Transport transport, Clock clock, List<ServerAddress> seeds, Caller caller, long timeoutMillis) {
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("no metadata server named");
        }
        this.transport = transport;
        this.clock = clock;
        this.seeds = List.copyOf(seeds);
        this.caller = caller;
        this.timeoutMillis = timeoutMillis;
    }

    /** What is known now, without asking. */
    public Optional<ClusterView> present() {
        return Optional.ofNullable(present);
    }

    /** Epoch of the map known now; 0 where there is none. */
    public long epoch() {
        ClusterView known = present;
        return known == null ? 0 : known.epoch();
    }

    /** The map known now, or the first one fetched. Fails with UNREACHABLE as {@link #refresh}. */
    public CompletableFuture<ClusterView> get() {
        ClusterView known = present;
        return known == null ? refresh() : CompletableFuture.completedFuture(known);
    }

    /** The map known now if it was fetched in the last ten seconds, so that its free space is about right; else a new one. */
    public CompletableFuture<ClusterView> recent() {
        synchronized (this) {
            if (present != null && clock.monotonicNanos() - fetchedNanos < RECENT_NANOS) {
                return CompletableFuture.completedFuture(present);
            }
        }
        return refresh();
    }

    /** Notes the epoch of a reply; a newer one than ours starts a fetch in the background. */
    public void seen(long epoch) {
        ClusterView known = present;
        if (known == null || epoch <= known.epoch()) {
            return;
        }
        synchronized (this) {
            long now = clock.monotonicNanos();
            if (hinted && now - lastHintNanos < HINT_PAUSE_NANOS) {
                return;
            }
            hinted = true;
            lastHintNanos = now;
        }
        var unused = refresh();
    }

    /**
     * Fetches the map. Completes with the newest known after that.
     *
     * @return fails with {@link FsException} UNREACHABLE where no metadata server answered
     */
    public CompletableFuture<ClusterView> refresh() {
        CompletableFuture<ClusterView> fetch;
        List<ServerAddress> servers;
        synchronized (this) {
            if (underWay != null) {
                return underWay.copy();
            }
            fetch = new CompletableFuture<>();
            underWay = fetch;
            servers = serversInTurn();
        }
        ask(servers, 0, fetch);
        return fetch.copy();
    }

    /** Every known metadata server once; the one to begin with changes with each failed round. */
    private List<ServerAddress> serversInTurn() {
        LinkedHashSet<ServerAddress> known = new LinkedHashSet<>();
        if (present != null) {
            known.addAll(present.metadataServers());
        }
        PeerName meant = present == null
                ? PeerName.ANYBODY
                : PeerName.anyOf(present.map().getFileSystem());
        seeds.forEach(seed -> known.add(seed.of(meant)));
        List<ServerAddress> servers = new java.util.ArrayList<>(known);
        java.util.Collections.rotate(servers, -(turn % servers.size()));
        return servers;
    }

    private void ask(List<ServerAddress> servers, int index, CompletableFuture<ClusterView> fetch) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.CLUSTER_MAP.number())
                .setCaller(caller)
                .setEpoch(epoch())
                .setStep("cluster map")
                .build();
        Request request = new Request(Kind.CLUSTER_MAP, header, ClusterMapRequest.getDefaultInstance(), Payload.EMPTY);
        ServerAddress server = servers.get(index);
        var unused = transport.send(server, request, timeoutMillis).whenComplete((reply, broken) -> {
            if (reply != null && reply.isOk()) {
                accept(reply, server, fetch);
            } else if (index + 1 < servers.size()) {
                ask(servers, index + 1, fetch);
            } else {
                String why = reply == null ? String.valueOf(broken) : reply.error() + " " + message(reply);
                fail(fetch, "no metadata server of " + servers + " gave a cluster map; " + server + ": " + why);
            }
        });
    }

    private static String message(Reply reply) {
        return reply.header().getMessage();
    }

    private void accept(Reply reply, ServerAddress server, CompletableFuture<ClusterView> fetch) {
        reply.payload().release();
        ClusterView newest;
        try {
            ClusterView fetched = new ClusterView(((ClusterMapReply) reply.body()).getMap());
            synchronized (this) {
                if (present != null && !fetched.isOfSameFileSystem(present)) {
                    throw new IllegalArgumentException("it is of file system "
                            + fetched.map().getFileSystem() + ", not of "
                            + present.map().getFileSystem());
                }
                if (present == null || fetched.epoch() >= present.epoch()) {
                    present = fetched;
                    fetchedNanos = clock.monotonicNanos();
                }
                newest = present;
                underWay = null;
            }
        } catch (IllegalArgumentException e) {
            fail(fetch, "cluster map of " + server + " cannot be used: " + e.getMessage());
            return;
        }
        fetch.complete(newest);
    }

    private void fail(CompletableFuture<ClusterView> fetch, String message) {
        synchronized (this) {
            underWay = null;
            turn++;
        }
        fetch.completeExceptionally(new FsException(FsError.UNREACHABLE, message));
    }
}
