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
 * The newest cluster map that this process knows. It is fetched when first needed, from any metadata server. It is fetched again when a
 * reply shows a newer epoch or a server refuses because it is not the owner. There is one fetch at a time, and a caller that asks meanwhile
 * joins it. A fetch asks each known metadata server once, in turn. Whether to repeat it is the caller's decision. Thread-safe.
 */
public final class ClusterMapCache {
    /** A reply may hint at a newer epoch that the servers cannot serve yet. Such hints start at most one fetch in this time. */
    private static final long HINT_PAUSE_NANOS = 500_000_000L;

    /** The free space in a map counts as recent for this time. */
    private static final long RECENT_NANOS = 10_000_000_000L;

    private final Transport transport;
    private final Clock clock;
    private final List<ServerAddress> seeds;
    private final Caller caller;
    private final long timeoutMillis;
    private final long firstTimeoutMillis;

    /** Changed only under the monitor. Every request reads it. */
    private volatile @Nullable ClusterView present;

    /** Whether a server ever gave an answer of its own, even a refusal. */
    private volatile boolean reached;

    /** Answers of the present round. Servers that have not answered in it keep their answers of the rounds before. */
    private MapTries tries;

    private long fetchedNanos;
    private @Nullable CompletableFuture<ClusterView> underWay;
    private long lastHintNanos;
    private boolean hinted;
    private int turn;

    /**
     * @param seeds metadata servers known from the start, at least one
     * @param timeoutMillis for one server's answer
     * @param firstTimeoutMillis for the answers of all of them together, until a first one came
     */
    public ClusterMapCache(
            Transport transport,
            Clock clock,
            List<ServerAddress> seeds,
            Caller caller,
            long timeoutMillis,
            long firstTimeoutMillis) {
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("no metadata server named");
        }
        this.transport = transport;
        this.clock = clock;
        this.seeds = List.copyOf(seeds);
        this.caller = caller;
        this.timeoutMillis = timeoutMillis;
        // Two rounds fit into this time, so that one lost message is no failure.
        this.firstTimeoutMillis = Math.min(timeoutMillis, Math.max(1, firstTimeoutMillis / 10 * 4 / this.seeds.size()));
        this.tries = new MapTries(this.seeds);
    }

    /** The map known now. Sends no request. */
    public Optional<ClusterView> present() {
        return Optional.ofNullable(present);
    }

    /** Epoch of the map known now; 0 where there is none. */
    public long epoch() {
        ClusterView known = present;
        return known == null ? 0 : known.epoch();
    }

    /** Whether a metadata server ever gave an answer. */
    public boolean isReached() {
        return reached;
    }

    /** The error so far, for a caller that no longer waits: the same as that of {@link #refresh}. */
    public synchronized FsException failure() {
        return tries.failure();
    }

    /** Whether an error of {@link #refresh} stays, however often it is repeated. */
    public static boolean isFinal(FsError error) {
        return MapTries.isFinal(error);
    }

    /** The map known now, or the first one fetched. Fails as {@link #refresh}. */
    public CompletableFuture<ClusterView> get() {
        ClusterView known = present;
        return known == null ? refresh() : CompletableFuture.completedFuture(known);
    }

    /** The map known now if it was fetched in the last ten seconds, so that its free space is about right. Otherwise a new one. */
    public CompletableFuture<ClusterView> recent() {
        synchronized (this) {
            if (present != null && clock.monotonicNanos() - fetchedNanos < RECENT_NANOS) {
                return CompletableFuture.completedFuture(present);
            }
        }
        return refresh();
    }

    /** Notes the epoch of a reply. If it is newer than ours, a fetch starts in the background. */
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
     * Fetches the map. Completes with the newest map known after that.
     *
     * @return fails with {@link FsException} where no server gave a map; the message names every server that was asked, with its answer.
     *     After any such error it is certain that nothing was done. The error is UNREACHABLE where servers did not answer. Where
     *     {@link #isFinal} holds for the error, it holds for all servers
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
            tries = new MapTries(servers, tries);
        }
        ask(servers, 0, fetch);
        return fetch.copy();
    }

    /** Every known metadata server once. After each failed round the next one begins with another server. */
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
        long patienceMillis = reached ? timeoutMillis : firstTimeoutMillis;
        var unused = transport.send(server, request, patienceMillis).whenComplete((reply, broken) -> {
            FsException failure;
            if (reply == null) {
                failure = new FsException(FsError.UNREACHABLE, server + ": " + broken);
            } else {
                reached |= !reply.error().isSilence() && reply.error() != FsError.CANCELLED;
                if (reply.isOk()) {
                    accept(reply, server, fetch);
                    return;
                }
                failure = new FsException(reply.error(), reply.header().getMessage());
                reply.payload().release();
            }
            if (index + 1 < servers.size()) {
                note(server, failure);
                ask(servers, index + 1, fetch);
            } else {
                fail(fetch, server, failure);
            }
        });
    }

    private synchronized void note(ServerAddress server, FsException failure) {
        tries.failed(server, failure);
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
            fail(
                    fetch,
                    server,
                    new FsException(FsError.UNAVAILABLE, "its cluster map cannot be used: " + e.getMessage()));
            return;
        }
        fetch.complete(newest);
    }

    private void fail(CompletableFuture<ClusterView> fetch, ServerAddress server, FsException last) {
        FsException failure;
        synchronized (this) {
            underWay = null;
            turn++;
            tries.failed(server, last);
            failure = tries.failure();
        }
        fetch.completeExceptionally(failure);
    }
}
