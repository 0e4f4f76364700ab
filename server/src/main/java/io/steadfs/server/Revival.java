package io.steadfs.server;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.rpc.ForwardedCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Life}, and the next one after it. A life may end because its store failed, mostly of a full disk. Then it is kept for
 * reading until the disk has space again. After that it is closed, and the store is opened anew. That is a restart in place: everything
 * acknowledged is there, and whatever was in doubt is decided by what the disk kept.
 *
 * <p>The space needed is {@value #LEAST_FREE_BYTES} bytes, because opening a store writes to it. It is not the reserve: a life that begins
 * below the reserve stores nothing new, but it removes, and so helps to clean up the disk. A store that goes on failing is opened again at
 * once, then after 1 s, 2 s, ... {@value #MOST_PAUSE_MILLIS} ms; after a minute without failure it counts as healthy. A life that ended by
 * a broken invariant stays as it is.
 *
 * <p>The checks run on the scheduler, closing and opening on the executor; {@link #handle} is for any thread.
 */
public final class Revival implements RequestHandler, AutoCloseable {
    /** The most that opening a store may write: its unflushed rows, a new log, a manifest. */
    static final long LEAST_FREE_BYTES = 8L << 20;

    static final long LOOK_MILLIS = 250;
    static final long LEAST_PAUSE_MILLIS = 1_000;
    static final long MOST_PAUSE_MILLIS = 60_000;
    static final long HEALTH_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(Revival.class);

    private final Name name;
    private final Birth birth;
    private final Space space;
    private final Scheduler scheduler;
    private final Executor executor;
    private final Clock clock;

    private volatile Optional<Life> life;
    private volatile Optional<String> trouble = Optional.empty();
    private volatile boolean closed;
    private final AtomicLong revived = new AtomicLong();

    /** Checks, and the steps that follow from them, run one after the other. Fields that {@link #close} uses too are guarded by this. */
    private int failures;

    private long bornNanos;
    private long notBeforeNanos;

    /** Opens the store and begins to serve from it. It runs on the caller's thread the first time, then on the executor. */
    @FunctionalInterface
    public interface Birth {
        /** @throws IOException naming what cannot be used; then nothing is left open */
        Life begin() throws IOException;
    }

    /**
     * Names the server in messages, and in a status while there is no other.
     *
     * @param server such as "IO server 3"
     */
    public record Name(ClusterMap.Role role, int id, String server) {}

    /** Begins the first life. @throws IOException as the birth did */
    public Revival(Name name, Birth birth, Space space, Scheduler scheduler, Executor executor, Clock clock)
            throws IOException {
        this.name = name;
        this.birth = birth;
        this.space = space;
        this.scheduler = scheduler;
        this.executor = executor;
        this.clock = clock;
        this.life = Optional.of(birth.begin());
        this.bornNanos = clock.monotonicNanos();
        this.notBeforeNanos = bornNanos;
        lookLater();
    }

    @Override
    public void handle(Call call) {
        boolean status = call.request().kind() == Kind.STATUS;
        Optional<Life> present = life;
        if (present.isPresent()) {
            present.get()
                    .door()
                    .handle(status ? new ForwardedCall(call, reply -> call.reply(withReport(reply))) : call);
            return;
        }
        Request request = call.request();
        request.payload().release();
        call.reply(
                status
                        ? Reply.ok(withReport(
                                StatusReply.newBuilder().setRole(name.role()).setId(name.id())))
                        : Reply.refused(request.kind(), FsError.UNAVAILABLE, whyNobody()));
    }

    /** Why it does not serve all that it should; empty if it does. */
    public Optional<String> trouble() {
        return trouble;
    }

    /** The number of lives after the first one. */
    public long revived() {
        return revived.get();
    }

    /** Its own status, as in the answer to STATUS. */
    public StatusReply status() {
        return withReport(life.flatMap(Life::account)
                .map(StatusReply::toBuilder)
                .orElseGet(() -> StatusReply.newBuilder().setRole(name.role()).setId(name.id())));
    }

    /** Adds the problem, if any, and the figures of the life; not those of the disk. */
    public void report(StatusReply.Builder status) {
        trouble.ifPresent(status::addProblems);
        status.putCounters("store.reopened", revived.get());
        Optional<Life> present = life;
        if (present.isPresent()) {
            try {
                present.get().report(status);
            } catch (RuntimeException e) {
                LOG.debug("{} is being closed while it reports", name.server(), e);
            }
        }
    }

    /** Completes a life's status with what is known only here. */
    private Reply withReport(Reply reply) {
        return reply.isOk() && reply.body() instanceof StatusReply status
                ? new Reply(reply.error(), reply.header(), withReport(status.toBuilder()), reply.payload())
                : reply;
    }

    private StatusReply withReport(StatusReply.Builder status) {
        report(status);
        space.report(name.server(), status);
        return status.build();
    }

    private String whyNobody() {
        return name.server() + " serves nothing now: " + trouble.orElse("it is stopping");
    }

    private void lookLater() {
        scheduler.after(LOOK_MILLIS, this::look);
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            lookAtLife();
        } catch (RuntimeException | Error e) {
            LOG.error("{} could not be looked at; it is again in {} ms", name.server(), LOOK_MILLIS, e);
            lookLater();
        }
    }

    private void lookAtLife() {
        Optional<Life.End> end = life.flatMap(Life::end);
        if (life.isPresent() && end.isEmpty()) {
            lookLater();
        } else if (end.isPresent() && !end.get().storeFailed()) {
            trouble = Optional.of(
                    name.server() + " has stopped for good: " + end.get().why());
        } else {
            try {
                executor.execute(this::revive);
            } catch (RejectedExecutionException e) {
                LOG.debug("{} is not opened again: it is closing", name.server(), e);
            }
        }
    }

    private synchronized void revive() {
        if (closed) {
            return;
        }
        try {
            if (isTime()) {
                reopen();
            }
        } catch (IOException e) {
            failed(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            failed(e.toString(), e);
        } finally {
            lookLater();
        }
    }

    private void failed(@Nullable String why, Throwable cause) {
        trouble = Optional.of(name.server() + " cannot open its store again, try " + failures + ": " + why);
        LOG.error("{}", trouble.get(), cause);
    }

    private boolean isTime() throws IOException {
        String why = life.flatMap(Life::end).map(Life.End::why).orElseGet(() -> trouble.orElse("its store failed"));
        long now = clock.monotonicNanos();
        space.measure();
        if (space.freeBytes() < LEAST_FREE_BYTES) {
            if (life.isPresent()) {
                trouble = Optional.of(name.server() + " waits for space in " + space.place() + ", which has "
                        + space.freeBytes() + " bytes free and needs " + LEAST_FREE_BYTES + ": " + why);
            }
            return false;
        }
        if (life.isPresent() && now - bornNanos >= TimeUnit.MILLISECONDS.toNanos(HEALTH_MILLIS)) {
            failures = 0;
            notBeforeNanos = now;
        }
        if (now < notBeforeNanos) {
            if (life.isPresent()) {
                trouble = Optional.of(name.server() + " failed again after it was opened " + failures
                        + " times, and is opened again soon: " + why);
            }
            return false;
        }
        trouble = Optional.of(name.server() + " opens its store again: " + why);
        return true;
    }

    private void reopen() throws IOException {
        LOG.warn("{}", trouble.orElse(""));
        long pauseMillis = Math.min(MOST_PAUSE_MILLIS, LEAST_PAUSE_MILLIS << Math.min(failures, 10));
        failures++;
        notBeforeNanos = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        Optional<Life> before = life;
        life = Optional.empty();
        before.ifPresent(this::closeFailed);
        life = Optional.of(birth.begin());
        revived.incrementAndGet();
        bornNanos = clock.monotonicNanos();
        trouble = Optional.empty();
        LOG.warn("{} serves again", name.server());
    }

    private void closeFailed(Life failed) {
        try {
            failed.close();
        } catch (RuntimeException | Error e) {
            LOG.info("{} did not close its failed store in order: {}", name.server(), e.toString());
        }
    }

    /** Waits for an opening in progress, then closes the life. Closing twice is harmless. */
    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            Optional<Life> last = life;
            life = Optional.empty();
            last.ifPresent(Life::close);
        }
    }
}
