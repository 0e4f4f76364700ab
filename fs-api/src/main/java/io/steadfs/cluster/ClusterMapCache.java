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
 * Keeps the newest cluster map that this process knows. The cache fetches the map from any metadata server when a
 * caller first needs the map. The cache fetches a new map after a reply with a newer epoch. Callers also fetch a new
 * map after a server has refused a request because another server owns the object. At any time at most one fetch is
 * under way, and later callers join that fetch. A fetch asks the known metadata servers one after the other, each once,
 * until one server gives a map. The caller decides whether to repeat a failed fetch. Thread-safe.
 */
public final class ClusterMapCache {
    /**
     * Shortest time between two fetches that are caused by newer epochs in replies. Without this limit, clients could
     * fetch in vain while metadata servers do not have the newer map yet.
     */
    private static final long HINT_PAUSE_NANOS = 500_000_000L;

    /** Age up to which the free space in a map counts as recent. */
    private static final long RECENT_NANOS = 10_000_000_000L;

    private final Transport transport;
    private final Clock clock;
    private final List<ServerAddress> seeds;
    private final Caller caller;
    private final long timeoutMillis;
    private final long firstTimeoutMillis;

    /** The newest map. Changed only under the monitor, and read by every request. */
    private volatile @Nullable ClusterView present;

    /** Whether a metadata server has ever answered, even with a refusal. */
    private volatile boolean reached;

    /**
     * The last error of each server. If a server has not answered in the present round, its error is from an earlier
     * round.
     */
    private MapTries tries;

    private long fetchedNanos;
    private @Nullable CompletableFuture<ClusterView> underWay;
    private long lastHintNanos;
    private boolean hinted;
    private int turn;

    /**
     * @param seeds addresses of metadata servers that are known from the start, at least one
     * @param timeoutMillis longest wait for the answer of one server, in milliseconds
     * @param firstTimeoutMillis longest wait for a first answer from any server, in milliseconds
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
        // Two rounds fit into this time, so that one lost message does not make the operation fail.
        this.firstTimeoutMillis = Math.min(timeoutMillis, Math.max(1, firstTimeoutMillis / 10 * 4 / this.seeds.size()));
        this.tries = new MapTries(this.seeds);
    }

    /** The newest known map. Sends no request. */
    public Optional<ClusterView> present() {
        return Optional.ofNullable(present);
    }

    /** Epoch of the newest known map; 0 if no map is known. */
    public long epoch() {
        ClusterView known = present;
        return known == null ? 0 : known.epoch();
    }

    /** Whether a metadata server has ever answered, even with a refusal. */
    public boolean isReached() {
        return reached;
    }

    /** The error for a caller that no longer waits for a fetch, the same as the error of {@link #refresh}. */
    public synchronized FsException failure() {
        return tries.failure();
    }

    /** Whether an error of {@link #refresh} would stay the same after more tries. */
    public static boolean isFinal(FsError error) {
        return MapTries.isFinal(error);
    }

    /** The newest known map, or a first map if no map is known yet. Fails with the errors of {@link #refresh}. */
    public CompletableFuture<ClusterView> get() {
        ClusterView known = present;
        return known == null ? refresh() : CompletableFuture.completedFuture(known);
    }

    /**
     * A map that is less than ten seconds old, so that its free space is about right. If the newest known map is older,
     * fetches a new map.
     */
    public CompletableFuture<ClusterView> recent() {
        synchronized (this) {
            if (present != null && clock.monotonicNanos() - fetchedNanos < RECENT_NANOS) {
                return CompletableFuture.completedFuture(present);
            }
        }
        return refresh();
    }

    /**
     * Compares the epoch of a reply with the newest known map. If the reply's epoch is newer, a fetch starts in the
     * background.
     */
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
     * Fetches the map, and completes with the newest map that is known after the fetch.
     *
     * <p>If no server gives a map, the future fails with {@link FsException}. The message names each server with its
     * answer. The error is UNREACHABLE if servers did not answer. If {@link #isFinal} is true for the error, every
     * server gave such a final error. A failed fetch has certainly changed nothing at any server.
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

    /**
     * Every known metadata server once, in the order of the next round. After a failed round, the next round begins
     * with another server.
     */
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

    /**
     * Begins to connect to the server that the first fetch asks first, and returns at once. Asks the server for the map, but
     * does not keep the answer: a map may be old when the first operation comes, and errors are those of an
     * operation.
     */
    public void connect() {
        ServerAddress first;
        synchronized (this) {
            first = serversInTurn().get(0);
        }
        var unused = transport
                .send(first, request(), firstTimeoutMillis)
                .thenAccept(reply -> reply.payload().release());
    }

    private Request request() {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.CLUSTER_MAP.number())
                .setCaller(caller)
                .setEpoch(epoch())
                .setStep("cluster map")
                .build();
        return new Request(Kind.CLUSTER_MAP, header, ClusterMapRequest.getDefaultInstance(), Payload.EMPTY);
    }

    private void ask(List<ServerAddress> servers, int index, CompletableFuture<ClusterView> fetch) {
        Request request = request();
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
