package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.OpenSessionRequest;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many sessions there may be, and what one says of its client. */
class SessionLimitTest {
    private static final Asker ASKER = new Asker("anna", Set.of(), false, 0);
    private static final int MOST = 3;

    private final SessionTimes times = new SessionTimes();
    private final SessionLimit limit = new SessionLimit(times, MOST);
    private final State state = State.of(new SessionPut(new Session(1, "spark", "anna", 1, 5, false)));

    private static OpenSessionRequest open(long session) {
        return OpenSessionRequest.newBuilder().setSession(session).build();
    }

    private Checked<OpenSessionRequest> check(long session) {
        return limit.check(open(session), ASKER, state.view(), FixedInputs.now());
    }

    @Test
    void nothingIsLookedAtBelowTheLimit() {
        for (long session = 1; session < MOST; session++) {
            times.heardOrBegin(session, 7);
        }
        assertThat(limit.isNeeded(open(9), ASKER)).isFalse();
        times.heardOrBegin(MOST, 7);
        assertThat(limit.isNeeded(open(9), ASKER)).isTrue();
    }

    @Test
    void atTheLimitOnlyTheKnownOnesOpen() {
        assertThat(check(1).refusal()).as("opened again").isEmpty();
        Reply refused = check(9).refusal().orElseThrow();
        assertThat(refused.error()).isEqualTo(FsError.BUSY);
        assertThat(refused.header().getMessage()).contains("3 sessions");
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
