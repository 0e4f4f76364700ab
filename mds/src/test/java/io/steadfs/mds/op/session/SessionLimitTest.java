package io.steadfs.mds.op.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many sessions there may be, whose they are, and what one says of its client. */
class SessionLimitTest {
    private static final Principal BERTA = new Principal("berta", Set.of(), false, 0);
    private static final Principal ROOT = new Principal("root", Set.of(), true, 0);
    private static final Principal ASKER = new Principal("anna", Set.of(), false, 0);
    private static final int MOST = 3;
    private static final int MOST_OF_USER = 2;

    private final SessionTimes times = new SessionTimes();
    private final SessionLimit limit = new SessionLimit(times, MOST, MOST_OF_USER);
    private final State state = State.of(new SessionPut(new Session(1, "spark", "anna", 1, 5, false)));

    private static OpenSessionRequest open(long session) {
        return OpenSessionRequest.newBuilder().setSession(session).build();
    }

    private Checked<OpenSessionRequest> check(long session) {
        return limit.check(open(session), ASKER, state.view(), FixedInputs.now());
    }

    private static Session session(long id, String user, boolean ended) {
        return new Session(id, "spark", user, 1, 5, ended);
    }

    private void begin(long id, String user) {
        times.heardOrBegin(session(id, user, false), true, 7);
    }

    @Test
    void nothingIsLookedAtBelowTheLimits() {
        begin(1, "anna");
        assertThat(limit.isNeeded(open(9), ASKER)).isFalse();
        begin(2, "anna");
        assertThat(limit.isNeeded(open(9), ASKER)).as("as many as a user may").isTrue();
        assertThat(limit.isNeeded(open(9), BERTA)).isFalse();
        begin(3, "berta");
        assertThat(limit.isNeeded(open(9), BERTA)).as("as many as all may").isTrue();
    }

    @Test
    void atTheLimitOnlyTheKnownOnesOpenAndOthersAreToldWhichItIs() {
        begin(1, "anna");
        begin(2, "anna");
        assertThat(check(1).refusal()).as("opened again").isEmpty();
        Reply refused = check(9).refusal().orElseThrow();
        assertThat(refused.error()).isEqualTo(FsError.BUSY);
        assertThat(refused.header().getMessage())
                .isEqualTo("user 'anna' has 2 sessions, open or ended lately, at shard 0; at most 2 are allowed"
                        + " (stead.session.user.max)");
        begin(3, "berta");
        Reply full = limit.check(open(9), BERTA, state.view(), FixedInputs.now())
                .refusal()
                .orElseThrow();
        assertThat(full.error()).isEqualTo(FsError.BUSY);
        assertThat(full.header().getMessage())
                .isEqualTo("there are 3 sessions, open or ended lately, at shard 0; at most 3 are allowed"
                        + " (stead.session.max)");
    }

    @Test
    void guestsAreNotCountedAndEndedOnesAreUntilTheyAreForgotten() {
        times.heardOrBegin(session(1, "anna", false), false, 7);
        assertThat(times.atHome("anna")).isZero();
        times.committed(
                List.of(new SessionPut(session(2, "anna", false)), new SessionPut(session(2, "anna", true))),
                0,
                FixedInputs.counts(1),
                7);
        assertThat(times.atHome("anna")).isEqualTo(1);
        times.retain(Set.of(1L), 7);
        assertThat(times.atHome("anna")).as("heard of since the rows were read").isEqualTo(1);
        times.retain(Set.of(1L), 8);
        assertThat(times.atHome("anna")).isZero();
        assertThat(times.atHome()).isZero();
    }

    @Test
    void oneUserOpensAsManyAsGoAndAnotherOneIsServed() {
        int mostOfUser = Integer.parseInt(SessionTimes.MOST_OF_USER.defaultText());
        SessionLimit usual = new SessionLimit(times, Long.parseLong(SessionTimes.MOST.defaultText()), mostOfUser);
        for (long id = 100; id < 100 + 101_000; id++) {
            openUnder(usual, id, ASKER);
        }
        assertThat(times.atHome("anna")).isEqualTo(mostOfUser);
        assertThat(Sessions.find(state.view(), 100 + mostOfUser - 1)).isPresent();
        assertThat(Sessions.find(state.view(), 100 + mostOfUser)).isEmpty();
        openUnder(usual, 9, BERTA);
        assertThat(Sessions.find(state.view(), 9)).isPresent();
    }

    private void openUnder(SessionLimit usual, long id, Principal principal) {
        if (usual.isNeeded(open(id), principal)
                && usual.check(open(id), principal, state.view(), FixedInputs.now())
                        .refusal()
                        .isPresent()) {
            return;
        }
        var decision = new OpenSession(1000).decide(open(id), principal, state.view(), FixedInputs.now());
        state.apply(decision);
        times.committed(decision.records(), 0, FixedInputs.counts(1), 7);
    }

    @Test
    void onlyItsUserMayNameASession() {
        Session its = session(1, "anna", false);
        for (Principal principal : List.of(ASKER, BERTA, ROOT)) {
            FsError expected = principal.equals(ASKER) ? FsError.OK : FsError.PERMISSION_DENIED;
            RenewSessionRequest renew =
                    RenewSessionRequest.newBuilder().setSession(1).build();
            CloseSessionRequest close =
                    CloseSessionRequest.newBuilder().setSession(1).build();
            List<Reply> replies = List.of(
                    new OpenSession(1000)
                            .decide(open(1), principal, state.view(), FixedInputs.now())
                            .answer(),
                    new RenewSession(1000, times, new SimulatedTime(1))
                            .answer(renew, principal, state.view(), FixedInputs.now()),
                    new CloseSession()
                            .decide(close, principal, state.view(), FixedInputs.now())
                            .answer());
            assertThat(replies).extracting(Reply::error).containsOnly(expected);
        }
        assertThat(Sessions.find(state.view(), 1)).contains(its);
        Reply refused = new CloseSession()
                .decide(CloseSessionRequest.newBuilder().setSession(1).build(), BERTA, state.view(), FixedInputs.now())
                .answer();
        assertThat(refused.header().getMessage())
                .isEqualTo("the session that the request names was not opened by user 'berta'");
    }

    @Test
    void onlyItsUserKeepsASessionAlive() {
        times.heardOrBegin(session(1, "anna", false), true, 7);
        times.heard(1, "berta", 9);
        assertThat(times.isHeardAfter(1, 7)).isFalse();
        times.heard(1, "anna", 9);
        assertThat(times.isHeardAfter(1, 7)).isTrue();
    }

    @Test
    void theNameOfASessionDoesNotTellItsId() {
        long id = 0x0123_4567_89ab_cdefL;
        assertThat(Session.name(id)).hasSize(8).isEqualTo(Session.name(id)).isNotEqualTo(Session.name(id + 1));
        assertThat(Long.toHexString(id)).doesNotContain(Session.name(id));
    }

    @ParameterizedTest(name = "{0} characters: {1}")
    @CsvSource({"1024, OK", "1025, TOO_LARGE"})
    void aClientsDescriptionHasItsLength(int characters, FsError expected) {
        OpenSessionRequest request =
                open(9).toBuilder().setClient("x".repeat(characters)).build();
        Reply reply = state.apply(new OpenSession(1000).decide(request, ASKER, state.view(), FixedInputs.now()));
        assertThat(reply.error()).isEqualTo(expected);
    }
}
