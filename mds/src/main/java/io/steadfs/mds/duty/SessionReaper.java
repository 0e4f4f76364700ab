package io.steadfs.mds.duty;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends sessions that were not heard of for the duration of a session. Completes the ending of sessions that their
 * clients closed. Forgets an ended session after a delay, because late duplicates of its messages may arrive until
 * then.
 *
 * <p>A guest renews its session at its home shard, so its silence on this shard says nothing. If a guest is silent for
 * half the duration of a session, this duty asks the home shard about it. The duty asks again after each further half
 * duration. A guest ends after its home shard says that the session is not alive. An ended guest is forgotten only
 * after its home shard has said that the session is not alive. If the session is still alive at its home shard, a late
 * request could make the session a guest again.
 *
 * <p>The server itself may stand still, for example because its virtual machine was stopped. A server that stands still
 * hears of no session. So if a round comes late by more than the interval of the rounds, every session gets a full new
 * period.
 *
 * <p>The rounds also end the {@link ClaimGrace} after a start of the shard.
 */
public final class SessionReaper implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(SessionReaper.class);

    private static final int PAGE = 1000;

    /** The highest number of commands under way at a time. The next round submits the rest. */
    static final int MOST_AT_A_TIME = 256;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final SessionTimes times;
    private final Clock clock;
    private final long durationNanos;
    private final long intervalNanos;
    private final Ending ending;
    private final Grace grace;
    private final GuestSessions guests;
    private final Pacer pacer;
    private final GuestChecks guestChecks;

    /** Sessions that are being ended. This field and all fields below are owned by the scheduler's thread. */
    private final Set<Long> underWay = new HashSet<>();

    /** The times when this duty last asked the home shard of each guest. */
    private final Map<Long, Long> askedNanos = new HashMap<>();

    private long lastRoundNanos;

    /**
     * Tells which sessions are guests, and asks their home shards.
     *
     * @param shard number of this shard
     */
    public record GuestSessions(int shard, Supplier<ShardCounts> shards, HomeShards homes) {}

    /** Makes the command that ends a session by one step. */
    @FunctionalInterface
    public interface Ending {
        /**
         * Returns the command. The command answers whether the session needs another step.
         *
         * @param forget whether the command also removes the session's row
         * @param heardAgain whether the session was heard of again, so that it must not be ended
         */
        InternalCommand<Boolean> of(long session, boolean forget, BooleanSupplier heardAgain);
    }

    /** Ends the time in which sessions claim their files again, after a start of the shard. */
    @FunctionalInterface
    public interface Grace {
        /** @param stoodStill whether the server heard of nobody for a while; then the time begins anew */
        void round(long nowNanos, boolean stoodStill);
    }

    public SessionReaper(
            Supplier<ReadView> committed,
            Shard shard,
            SessionTimes times,
            long durationMillis,
            Scheduler scheduler,
            Clock clock,
            GuestSessions guests,
            Ending ending,
            Grace grace) {
        this.committed = committed;
        this.shard = shard;
        this.times = times;
        this.clock = clock;
        this.durationNanos = TimeUnit.MILLISECONDS.toNanos(durationMillis);
        long intervalMillis = Math.max(1, durationMillis / 8);
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        this.guests = guests;
        this.ending = ending;
        this.grace = grace;
        this.lastRoundNanos = clock.monotonicNanos();
        this.pacer = new Pacer(scheduler, intervalMillis, this::round);
        this.guestChecks = new GuestChecks(guests.homes(), pacer, this::guestIsGone);
    }

    @Override
    public void start() {
        lastRoundNanos = clock.monotonicNanos();
        pacer.start();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    private void round() {
        long now = clock.monotonicNanos();
        boolean stoodStill = now - lastRoundNanos > 2 * intervalNanos + TimeUnit.SECONDS.toNanos(1);
        if (stoodStill) {
            LOG.warn(
                    "stood still for {} ms; every session gets a full period",
                    TimeUnit.NANOSECONDS.toMillis(now - lastRoundNanos));
            times.allHeard(now);
        }
        lastRoundNanos = now;
        grace.round(now, stoodStill);
        ReadView view = committed.get();
        ShardCounts shards = guests.shards().get();
        Set<Long> met = new HashSet<>();
        Map<Integer, List<Long>> toAsk = new HashMap<>();
        long last = 0;
        List<Session> page;
        do {
            page = Sessions.after(view, last, PAGE);
            for (Session session : page) {
                last = session.id();
                met.add(last);
                if (!session.isGuest(guests.shard(), shards)) {
                    look(view, session, now);
                } else if (isGuestToAskAbout(view, session, now)) {
                    toAsk.computeIfAbsent(session.home(shards), home -> new ArrayList<>())
                            .add(last);
                }
            }
        } while (page.size() == PAGE);
        times.retain(met, now);
        askedNanos.keySet().retainAll(met);
        toAsk.forEach((home, sessions) -> ask(home, sessions, now));
    }

    private boolean isGuestToAskAbout(ReadView view, Session session, long now) {
        long silentNanos = now - times.heardOrBegin(session, false, now);
        if (session.ended() && hasRemains(view, session.id())) {
            end(session.id(), false, () -> false);
            return false;
        }
        long patienceNanos = session.ended() ? 2 * durationNanos : durationNanos / 2;
        Long asked = askedNanos.get(session.id());
        return silentNanos > patienceNanos && (asked == null || now - asked > durationNanos / 2);
    }

    private void ask(int home, List<Long> sessions, long now) {
        if (!guestChecks.isUnderWay(home)) {
            sessions.forEach(session -> askedNanos.put(session, now));
            guestChecks.ask(home, sessions);
        }
    }

    private void guestIsGone(long id) {
        Optional<Session> session = Sessions.find(committed.get(), id);
        if (session.isEmpty()) {
            return;
        }
        long now = clock.monotonicNanos();
        boolean forget =
                session.get().ended() && now - times.heardOrBegin(session.get(), false, now) > 2 * durationNanos;
        if (!session.get().ended()) {
            LOG.info(
                    "session {} of {} ({}), a guest, ends: it is not alive at its home shard",
                    Session.name(id),
                    session.get().user(),
                    session.get().client());
        }
        if (!end(id, forget, () -> false)) {
            askedNanos.remove(id);
        }
    }

    private void look(ReadView view, Session session, long now) {
        long heardNanos = times.heardOrBegin(session, true, now);
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
                || !Claims.of(view, session, 1).isEmpty()
                || !RecordedReplies.volatileLegs(view, session, 0, Long.MAX_VALUE, 1)
                        .isEmpty()
                || !RecordedReplies.legs(view, session, 0, Long.MAX_VALUE, 1).isEmpty();
    }

    /** Starts to end a session. Returns false if too many commands are under way. */
    private boolean end(long session, boolean forget, BooleanSupplier heardAgain) {
        if (underWay.size() >= MOST_AT_A_TIME) {
            return false;
        }
        if (underWay.add(session)) {
            Pacer.step(() -> step(session, forget, heardAgain), cause -> broke(session, cause));
        }
        return true;
    }

    private void broke(long session, Throwable cause) {
        LOG.error("ending session {} broke; it is tried again in a later round", Session.name(session), cause);
        underWay.remove(session);
    }

    private void step(long session, boolean forget, BooleanSupplier heardAgain) {
        InternalCommand<Boolean> command = ending.of(session, forget, heardAgain);
        pacer.when(
                command.outcome(),
                (more, failure) -> {
                    if (failure == null && more) {
                        step(session, forget, () -> false);
                    } else {
                        stepped(session, heardAgain, failure);
                    }
                },
                cause -> broke(session, cause));
        shard.submit(command);
    }

    private void stepped(long session, BooleanSupplier heardAgain, @Nullable Throwable failure) {
        if (failure != null && heardAgain.getAsBoolean()) {
            LOG.info("session {} was heard of again in time", Session.name(session));
        } else if (failure != null) {
            LOG.warn("session {} could not be ended: {}", Session.name(session), failure.toString());
        }
        underWay.remove(session);
    }
}
