package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions that are at home at another shard, which is simulated, and how they end at this one. */
class GuestSessionsTest {
    private static final int SHARDS = 3;
    private static final long DURATION = 8_000;
    private static final long OWN = sessions(0).get(0);
    private static final long FIRST = sessions(1).get(0);
    private static final long SECOND = sessions(1).get(1);
    private static final long OTHER_HOME = sessions(2).get(0);

    private record Question(int home, long atMillis, List<Long> sessions) {}

    private final SimulatedTime time = new SimulatedTime(1);
    private final SessionTimes times = new SessionTimes();
    private final State state = new State();
    private final Set<Long> alive = new HashSet<>();
    private final Set<Integer> unreachable = new HashSet<>();
    private final List<Question> asked = new ArrayList<>();
    private final Shard shard = this::run;
    private final SessionReaper reaper = new SessionReaper(
            state::view,
            shard,
            times,
            DURATION,
            time,
            time,
            new SessionReaper.GuestSessions(0, () -> FixedInputs.counts(SHARDS), this::ask),
            ExpireSession::new,
            (now, stoodStill) -> {});

    private static List<Long> sessions(int home) {
        return LongStream.rangeClosed(1, 10_000)
                .filter(id -> HomeShard.of(id, SHARDS) == home)
                .boxed()
                .toList();
    }

    private <A> void run(Command<A> command) {
        if (command.isCancelled()) {
            command.dropped(FsError.CANCELLED, "cancelled");
        } else {
            command.answered(state.apply(command.decide(state.view(), FixedInputs.now())));
        }
    }

    private CompletableFuture<Reply> ask(int home, SessionStatusRequest request) {
        asked.add(new Question(home, time.monotonicNanos() / 1_000_000, request.getSessionsList()));
        Reply reply;
        if (unreachable.contains(home)) {
            reply = Reply.refused(Kind.SESSION_STATUS, FsError.UNREACHABLE, "down");
        } else {
            SessionStatusReply.Builder answer = SessionStatusReply.newBuilder();
            for (long session : request.getSessionsList()) {
                answer.addSessionsBuilder().setSession(session).setAlive(alive.contains(session));
            }
            reply = Reply.ok(answer.build());
        }
        CompletableFuture<Reply> later = new CompletableFuture<>();
        time.after(10, () -> later.complete(reply));
        return later;
    }

    private void open(long... sessions) {
        for (long session : sessions) {
            state.replay(List.of(new SessionPut(new Session(session, "test", "anna", 1, 5, false))));
        }
    }

    private boolean isEnded(long session) {
        return Sessions.find(state.view(), session).map(Session::ended).orElse(true);
    }

    @AfterEach
    void stop() {
        reaper.stop();
    }

    @Test
    void aSilentGuestLivesAsLongAsItsHomeSays() {
        open(OWN, FIRST, OTHER_HOME);
        alive.addAll(List.of(FIRST, OTHER_HOME));
        reaper.start();
        time.runFor(5 * DURATION);
        assertThat(isEnded(OWN)).as("an own session expires").isTrue();
        assertThat(isEnded(FIRST)).isFalse();
        assertThat(asked).extracting(Question::home).containsOnly(1, 2);
        List<Long> times = asked.stream()
                .filter(each -> each.home() == 1)
                .map(Question::atMillis)
                .toList();
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isBetween(DURATION / 2, DURATION);
        }
        alive.remove(FIRST);
        time.runUntil("the guest ends", () -> isEnded(FIRST), DURATION);
        assertThat(isEnded(OTHER_HOME)).isFalse();
    }

    @Test
    void aGuestThatIsHeardOfIsNotAskedAbout() {
        open(FIRST, SECOND);
        alive.addAll(List.of(FIRST, SECOND));
        reaper.start();
        for (int i = 0; i < 20; i++) {
            time.runFor(DURATION / 4);
            times.heard(FIRST, "anna", time.monotonicNanos());
        }
        assertThat(asked).isNotEmpty();
        assertThat(asked).allSatisfy(each -> assertThat(each.sessions()).containsExactly(SECOND));
    }

    @Test
    void aHomeThatDoesNotAnswerEndsNobodyAndHoldsUpNoOther() {
        open(FIRST, OTHER_HOME);
        unreachable.add(1);
        reaper.start();
        time.runUntil("the other home's guest ends", () -> isEnded(OTHER_HOME), 2 * DURATION);
        time.runFor(10 * DURATION);
        assertThat(isEnded(FIRST)).isFalse();
        unreachable.clear();
        time.runUntil("its home says that it is not alive", () -> isEnded(FIRST), 2 * DURATION);
    }

    @Test
    void anEndedGuestIsForgottenOnlyAfterItsHomeForgotIt() {
        state.replay(List.of(new SessionPut(new Session(FIRST, "fenced", "", 1, 5, true))));
        alive.add(FIRST);
        reaper.start();
        time.runFor(10 * DURATION);
        assertThat(Sessions.find(state.view(), FIRST)).map(Session::ended).contains(true);
        assertThat(asked.get(0).atMillis()).isGreaterThan(2 * DURATION);
        alive.clear();
        time.runUntil(
                "it is forgotten", () -> Sessions.find(state.view(), FIRST).isEmpty(), 2 * DURATION);
    }

    @Test
    void aToldEndLingersForTwoDurations() {
        open(FIRST);
        reaper.start();
        time.runUntil("it ends", () -> isEnded(FIRST), 2 * DURATION);
        assertThat(Sessions.find(state.view(), FIRST)).isPresent();
        time.runFor(DURATION);
        assertThat(Sessions.find(state.view(), FIRST)).isPresent();
        time.runUntil(
                "it is forgotten", () -> Sessions.find(state.view(), FIRST).isEmpty(), 3 * DURATION);
    }

    @Test
    void manyGuestsAreAskedAboutInBoundedMessages() {
        List<Long> many = sessions(1).subList(0, GuestChecks.MOST_IN_A_MESSAGE + 500);
        many.forEach(session -> open(session));
        reaper.start();
        time.runUntil("all end", () -> many.stream().allMatch(this::isEnded), 10 * DURATION);
        assertThat(asked)
                .allSatisfy(
                        each -> assertThat(each.sessions()).hasSizeLessThanOrEqualTo(GuestChecks.MOST_IN_A_MESSAGE));
        assertThat(Optional.of(asked.get(0).sessions().size())).contains(GuestChecks.MOST_IN_A_MESSAGE);
    }
}
