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
 * Runs a {@link Life}, and a new life after each failure of the store. A store usually fails because its disk is full.
 * The failed life still answers reads until the disk has space again. After that the failed life is closed, and the
 * store is opened again. After such a restart in place, all acknowledged changes are there. The disk decides about
 * changes whose outcome was unknown.
 *
 * <p>A store is opened again only if {@value #LEAST_FREE_BYTES} bytes are free, because the opening writes. The bound
 * for opening a store is smaller than the usual reserve. A life that begins below the reserve stores nothing new, but
 * removes data, and so helps to clean up the disk.
 *
 * <p>After the first failure the store is opened again at once. After further failures there are pauses of 1 s, 2 s,
 * and so on, up to {@value #MOST_PAUSE_MILLIS} ms. A store without a failure for a minute counts as healthy. A life
 * that ended by a broken invariant is not replaced.
 *
 * <p>The scheduler's thread checks the life. The executor's thread closes and opens stores. Any thread may call
 * {@link #handle}.
 */
public final class Revival implements RequestHandler, AutoCloseable {
    /**
     * The most bytes that the opening of a store may write. The opening writes unflushed rows, a new log and a
     * manifest.
     */
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

    /**
     * The number of openings since the store was last healthy. Checks and openings run one after the other, so this
     * field and the next two need no lock. Fields that {@link #close} also uses are guarded by this object.
     */
    private int failures;

    private long bornNanos;
    private long notBeforeNanos;

    /**
     * Opens the store and begins to serve from it. The constructor's thread runs the first birth. The executor runs all
     * later births.
     */
    @FunctionalInterface
    public interface Birth {
        /**
         * Begins a life. If the life cannot begin, nothing stays open.
         *
         * @throws IOException naming the file or directory that cannot be used
         */
        Life begin() throws IOException;
    }

    /**
     * Names the server in messages, and in the status while no life can give a status.
     *
     * @param server the name for people, such as "IO server 3"
     */
    public record Name(ClusterMap.Role role, int id, String server) {}

    /** Begins the first life. @throws IOException if the birth fails */
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

    /** Why the server does not serve all requests; empty if it does. */
    public Optional<String> trouble() {
        return trouble;
    }

    /** The number of lives after the first one. */
    public long revived() {
        return revived.get();
    }

    /** The server's own status, as in the reply to STATUS. */
    public StatusReply status() {
        return withReport(life.flatMap(Life::account)
                .map(StatusReply::toBuilder)
                .orElseGet(() -> StatusReply.newBuilder().setRole(name.role()).setId(name.id())));
    }

    /** Adds the present trouble, if any, and the figures of the life. The figures of the disk are not added. */
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

    /** Adds the trouble, and the figures of the life and of the disk, to a reply to STATUS. */
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
            LOG.error("{} could not be checked; the check is repeated in {} ms", name.server(), LOOK_MILLIS, e);
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

    /** Waits for an opening in progress, then closes the life. A second call does nothing. */
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
