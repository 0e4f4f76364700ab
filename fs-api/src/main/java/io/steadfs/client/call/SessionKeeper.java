package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.OpenSessionReply;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionReply;
import io.steadfs.wire.proto.RenewSessionRequest;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the client's session open. The keeper opens a session for the client's first change, and renews the session at
 * a third of its duration. If the session expires, the next change opens another session. The duration counts from the
 * moment before the keeper sends the request to open or renew the session. Thread-safe.
 */
public final class SessionKeeper {
    /** Milliseconds between a failed renewal and the next renewal. */
    private static final long RENEW_AGAIN_MILLIS = 1_000;

    private final Courier courier;
    private final LongSupplier randomIds;
    private final LongSupplier traceIds;
    private final String clientName;

    private @Nullable Session session;
    private @Nullable CompletableFuture<Session> opening;
    private Scheduler.@Nullable Cancellable renewal;
    private Scheduler.@Nullable Cancellable beside;
    private boolean closed;
    private volatile Consumer<Session> besideRenewals = open -> {};

    /**
     * @param randomIds makes random session ids, which differ between all clients
     * @param traceIds makes trace ids for the messages about sessions
     * @param clientName name of the client for people: host, process and purpose
     */
    public SessionKeeper(Courier courier, LongSupplier randomIds, LongSupplier traceIds, String clientName) {
        this.courier = courier;
        this.randomIds = randomIds;
        this.traceIds = traceIds;
        this.clientName = clientName;
    }

    /**
     * Sets what else happens to an open session at each third of its duration, whether or not the session's home shard
     * answers. Must not wait.
     */
    public void besideRenewals(Consumer<Session> task) {
        besideRenewals = task;
    }

    /** The open session. If no session is open, the keeper opens a new session. */
    public CompletableFuture<Session> current() {
        CompletableFuture<Session> begun;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(new FsException(FsError.CANCELLED, Courier.CLOSED));
            }
            if (session != null && !session.isEnded()) {
                return CompletableFuture.completedFuture(session);
            }
            if (opening != null) {
                return opening.copy();
            }
            begun = new CompletableFuture<>();
            opening = begun;
        }
        // The map says how many shards there are. All tries to open the session must go to one home.
        Futures.whenDone(KnownMap.of(courier), (cluster, failure) -> {
            if (failure == null) {
                open(new Session(randomId(), cluster.shards()), begun);
            } else {
                synchronized (this) {
                    opening = null;
                }
                begun.completeExceptionally(Futures.unwrap(failure));
            }
        });
        return begun.copy();
    }

    private long randomId() {
        long id = randomIds.getAsLong();
        while (id == 0) {
            id = randomIds.getAsLong();
        }
        return id;
    }

    private void open(Session fresh, CompletableFuture<Session> begun) {
        Question question = Question.shard(
                Kind.OPEN_SESSION,
                "open session",
                fresh.home(),
                OpenSessionRequest.newBuilder()
                        .setSession(fresh.id())
                        .setHome(fresh.namedHome())
                        .setClient(clientName)
                        .build());
        long askedNanos = courier.clock().monotonicNanos();
        var unused = courier.ask(operation(fresh), question).whenComplete((reply, failure) -> {
            boolean kept;
            synchronized (this) {
                opening = null;
                kept = reply != null && !closed;
                if (kept) {
                    session = fresh;
                }
            }
            if (reply != null) {
                reply.payload().release();
                if (kept) {
                    long durationMillis = ((OpenSessionReply) reply.body()).getDurationMillis();
                    renewIn(fresh, durationMillis, askedNanos);
                    scheduleBeside(fresh, Math.max(1, durationMillis / 3));
                } else {
                    fresh.end(); // the client was closed meanwhile, and nobody renews the session
                }
                begun.complete(fresh);
            } else {
                begun.completeExceptionally(Futures.unwrap(failure));
            }
        });
    }

    private Operation operation(Session about) {
        return new Operation(traceIds.getAsLong(), "session " + about);
    }

    private void renewIn(Session kept, long durationMillis, long askedNanos) {
        long passedMillis = (courier.clock().monotonicNanos() - askedNanos) / 1_000_000;
        schedule(kept, Math.max(1, durationMillis / 3 - passedMillis));
    }

    private synchronized void schedule(Session kept, long delayMillis) {
        if (!closed && !kept.isEnded()) {
            renewal = courier.scheduler().after(delayMillis, () -> renew(kept));
        }
    }

    private synchronized void scheduleBeside(Session kept, long everyMillis) {
        if (!closed && !kept.isEnded()) {
            beside = courier.scheduler().after(everyMillis, () -> {
                besideRenewals.accept(kept);
                scheduleBeside(kept, everyMillis);
            });
        }
    }

    private void renew(Session kept) {
        if (kept.isEnded()) {
            return;
        }
        Question question = Question.shard(
                Kind.RENEW_SESSION,
                "renew session",
                kept.home(),
                RenewSessionRequest.newBuilder()
                        .setSession(kept.id())
                        .setHome(kept.namedHome())
                        .build());
        long askedNanos = courier.clock().monotonicNanos();
        var unused = courier.settle(operation(kept), question, kept.stamp()).whenComplete((settled, failure) -> {
            if (settled == null) {
                return;
            }
            settled.reply().payload().release();
            if (settled.isOk()) {
                renewIn(kept, ((RenewSessionReply) settled.reply().body()).getDurationMillis(), askedNanos);
            } else if (settled.reply().error() == FsError.SESSION_EXPIRED) {
                expired(kept);
            } else {
                schedule(kept, RENEW_AGAIN_MILLIS);
            }
        });
    }

    /** Notes that the servers no longer know the session. The next change opens another session. */
    public void expired(Session gone) {
        gone.end();
    }

    /**
     * Ends the session at its home shard and at all other shards that the client asked for changes. Each shard gets one
     * try. The future always completes normally, even if tries fail.
     */
    public CompletableFuture<Void> close() {
        Session last;
        synchronized (this) {
            closed = true;
            if (renewal != null) {
                renewal.cancel();
            }
            if (beside != null) {
                beside.cancel();
            }
            last = session;
            session = null;
        }
        if (last == null || last.isEnded()) {
            return CompletableFuture.completedFuture(null);
        }
        last.end();
        Set<Integer> shards = new TreeSet<>(last.shardsAsked());
        shards.add(last.home());
        Operation closing = operation(last);
        return CompletableFuture.allOf(
                shards.stream().map(shard -> close(last, closing, shard)).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> close(Session last, Operation closing, int shard) {
        Question question = Question.shard(
                Kind.CLOSE_SESSION,
                "close session",
                shard,
                CloseSessionRequest.newBuilder().setSession(last.id()).build());
        return courier.tryOnce(closing, question, header -> header.setSession(last.id()))
                .handle((reply, failure) -> {
                    if (reply != null) {
                        reply.payload().release();
                    }
                    return null;
                });
    }
}
