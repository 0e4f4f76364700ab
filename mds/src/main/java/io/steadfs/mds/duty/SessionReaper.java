package io.steadfs.mds.duty;

import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions that were not heard of for their duration, finishes ending those that were closed, and forgets ended
 * ones after they have lingered long enough for late duplicates of their messages to be gone.
 *
 * <p>A server that itself stood still (a stopped virtual machine, a long pause) has heard nobody meanwhile; when a round
 * comes late by more than a round's interval, everybody gets a full period anew.
 */
public final class SessionReaper {
    private static final Logger LOG = LoggerFactory.getLogger(SessionReaper.class);

    private static final int PAGE = 1000;

    /** Commands under way at a time; the rest comes with the next round. */
    static final int MOST_AT_A_TIME = 256;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final SessionTimes times;
    private final Clock clock;
    private final long durationNanos;
    private final long intervalNanos;
    private final Ending ending;
    private final Pacer pacer;

    /** Owned by the scheduler's thread, as the rest. */
    private final Set<Long> underWay = new HashSet<>();

    private long lastRoundNanos;

    /** Makes the command that ends a session by one step. */
    @FunctionalInterface
    public interface Ending {
        /**
         * @param forget also drop what shows that it was there; the command answers whether it needs another step
         * @param heardAgain it must not be ended after all
         */
        InternalCommand<Boolean> of(long session, boolean forget, BooleanSupplier heardAgain);
    }

    public SessionReaper(
            Supplier<ReadView> committed,
            Shard shard,
            SessionTimes times,
            long durationMillis,
            Scheduler scheduler,
            Clock clock,
            Ending ending) {
        this.committed = committed;
        this.shard = shard;
        this.times = times;
        this.clock = clock;
        this.durationNanos = TimeUnit.MILLISECONDS.toNanos(durationMillis);
        long intervalMillis = Math.max(1, durationMillis / 8);
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        this.ending = ending;
        this.lastRoundNanos = clock.monotonicNanos();
        this.pacer = new Pacer(scheduler, intervalMillis, this::round);
    }

    public void start() {
        lastRoundNanos = clock.monotonicNanos();
        pacer.start();
    }

    public void stop() {
        pacer.stop();
    }

    private void round() {
        long now = clock.monotonicNanos();
        if (now - lastRoundNanos > 2 * intervalNanos + TimeUnit.SECONDS.toNanos(1)) {
            LOG.warn(
                    "stood still for {} ms; every session gets a full period",
                    TimeUnit.NANOSECONDS.toMillis(now - lastRoundNanos));
            times.allHeard(now);
        }
        lastRoundNanos = now;
        ReadView view = committed.get();
        Set<Long> met = new HashSet<>();
        long last = 0;
        List<Session> page;
        do {
            page = Sessions.after(view, last, PAGE);
            for (Session session : page) {
                last = session.id();
                met.add(last);
                look(view, session, now);
            }
        } while (page.size() == PAGE);
        times.retain(met);
    }

    private void look(ReadView view, Session session, long now) {
        long heardNanos = times.heardOrBegin(session.id(), now);
        long silentNanos = now - heardNanos;
        if (session.ended()) {
            boolean forget = silentNanos > 2 * durationNanos;
            if (forget || hasRemains(view, session.id())) {
                end(session.id(), forget, () -> false);
            }
        } else if (silentNanos > durationNanos) {
            LOG.info(
                    "session {} of {} ({}) expires: not heard of for {} ms",
                    Session.name(session.id()),
                    session.user(),
                    session.client(),
                    TimeUnit.NANOSECONDS.toMillis(silentNanos));
            end(session.id(), false, () -> times.isHeardAfter(session.id(), heardNanos));
        }
    }

    private static boolean hasRemains(ReadView view, long session) {
        return !OpenFiles.of(view, session, 1).isEmpty()
                || !RecordedReplies.ids(view, session, 0, Long.MAX_VALUE, 1).isEmpty();
    }

    private void end(long session, boolean forget, BooleanSupplier heardAgain) {
        if (underWay.size() < MOST_AT_A_TIME && underWay.add(session)) {
            step(session, forget, heardAgain);
        }
    }

    private void step(long session, boolean forget, BooleanSupplier heardAgain) {
        InternalCommand<Boolean> command = ending.of(session, forget, heardAgain);
        pacer.when(command.outcome(), (more, failure) -> {
            if (failure == null && more) {
                step(session, forget, () -> false);
                return;
            }
            if (failure != null && heardAgain.getAsBoolean()) {
                LOG.info("session {} was heard of again in time", Session.name(session));
            } else if (failure != null) {
                LOG.warn("session {} could not be ended: {}", Session.name(session), failure.toString());
            }
            underWay.remove(session);
        });
        shard.submit(command);
    }
}
