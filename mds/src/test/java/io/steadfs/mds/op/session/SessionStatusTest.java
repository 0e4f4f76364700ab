package io.steadfs.mds.op.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What shards tell each other about sessions. */
class SessionStatusTest {
    private static final List<Long> HERE = sessions(0);
    private static final List<Long> ELSEWHERE = sessions(1);
    private static final long ALIVE = HERE.get(0);
    private static final long ENDED = HERE.get(1);
    private static final long UNKNOWN = HERE.get(2);
    private static final long GUEST = ELSEWHERE.get(0);
    private static final Principal ASKER = new Principal("", Set.of(), false, 0);
    private static final Inputs INPUTS = new Inputs(
            FixedInputs.WALL_MILLIS,
            0,
            FixedInputs.CLUSTER.toBuilder().setShardCount(2).build(),
            0,
            1000);

    private final State state = State.of(
            new SessionPut(new Session(ALIVE, "spark", "anna", 1, 5, false)),
            new SessionPut(new Session(ENDED, "spark", "anna", 1, 5, true)),
            new SessionPut(new Session(GUEST, "spark", "anna", 1, 5, false)));

    private static List<Long> sessions(int home) {
        return LongStream.rangeClosed(1, 5000)
                .filter(id -> HomeShard.of(id, 2) == home)
                .boxed()
                .toList();
    }

    private Reply status(Iterable<Long> sessions) {
        return new SessionStatus()
                .answer(
                        SessionStatusRequest.newBuilder()
                                .addAllSessions(sessions)
                                .build(),
                        ASKER,
                        state.view(),
                        INPUTS);
    }

    private Reply fence(FenceSessionsRequest request) {
        return state.apply(new FenceSessions().decide(request, ASKER, state.view(), INPUTS));
    }

    private boolean isEnded(long session) {
        return Sessions.find(state.view(), session).orElseThrow().ended();
    }

    @Test
    void theHomeSaysWhoIsAlive() {
        SessionStatusReply reply =
                (SessionStatusReply) status(List.of(UNKNOWN, ALIVE, ENDED)).body();
        assertThat(reply.getSessionsList())
                .extracting(SessionStatusReply.Status::getSession)
                .containsExactly(UNKNOWN, ALIVE, ENDED);
        assertThat(reply.getSessionsList())
                .extracting(SessionStatusReply.Status::getAlive)
                .containsExactly(false, true, false);
        assertThat(reply.getSessions(1).getUser()).isEqualTo("anna");
        assertThat(reply.getSessions(1).getClient()).isEqualTo("spark");
    }

    @Test
    void onlyTheHomeSays() {
        assertThat(status(List.of(ALIVE, GUEST)).error()).isEqualTo(FsError.NOT_OWNER);
        assertThat(status(HERE.subList(0, SessionStatus.MAX_SESSIONS)).error()).isEqualTo(FsError.OK);
        assertThat(status(HERE.subList(0, SessionStatus.MAX_SESSIONS + 1)).error())
                .isEqualTo(FsError.TOO_LARGE);
        OpenSessionRequest open =
                OpenSessionRequest.newBuilder().setSession(GUEST).build();
        assertThat(new OpenSession(1000)
                        .decide(open, ASKER, state.view(), INPUTS)
                        .answer()
                        .error())
                .isEqualTo(FsError.NOT_OWNER);
        RenewSessionRequest renew =
                RenewSessionRequest.newBuilder().setSession(GUEST).build();
        assertThat(new RenewSession(1000, new SessionTimes(), new SimulatedTime(1))
                        .answer(renew, ASKER, state.view(), INPUTS)
                        .error())
                .isEqualTo(FsError.NOT_OWNER);
    }

    @Test
    void aFenceEndsKnownAndUnknownSessionsAndMayComeAgain() {
        FenceSessionsRequest fence = FenceSessionsRequest.newBuilder()
                .addSessions(ALIVE)
                .addSessions(UNKNOWN)
                .addSessions(GUEST)
                .addSessions(ENDED)
                .build();
        assertThat(fence(fence).error()).isEqualTo(FsError.OK);
        for (long session : fence.getSessionsList()) {
            assertThat(isEnded(session)).isTrue();
        }
        assertThat(new FenceSessions()
                        .decide(fence, ASKER, state.view(), INPUTS)
                        .records())
                .isEmpty();
        SessionStatusReply after = (SessionStatusReply) status(List.of(ALIVE)).body();
        assertThat(after.getSessions(0).getAlive()).isFalse();
    }

    @Test
    void whatAFenceRefuses() {
        assertThat(fence(FenceSessionsRequest.newBuilder().addSessions(0).build())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(fence(FenceSessionsRequest.newBuilder()
                                .addSessions(ALIVE)
                                .addMetafiles(7)
                                .build())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(fence(FenceSessionsRequest.newBuilder()
                                .addAllSessions(HERE.subList(0, FenceSessions.MAX_SESSIONS + 1))
                                .build())
                        .error())
                .isEqualTo(FsError.TOO_LARGE);
        assertThat(fence(FenceSessionsRequest.newBuilder()
                                .addSessions(ALIVE)
                                .addAllMetafiles(metafiles(FenceSessions.MAX_METAFILES + 1))
                                .build())
                        .error())
                .isEqualTo(FsError.TOO_LARGE);
        assertThat(isEnded(ALIVE)).isFalse();
    }

    @Test
    void aFenceNamesAsManyAsGo() {
        assertThat(fence(FenceSessionsRequest.newBuilder()
                                .addAllSessions(HERE.subList(0, FenceSessions.MAX_SESSIONS))
                                .addAllMetafiles(metafiles(FenceSessions.MAX_METAFILES))
                                .build())
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(isEnded(HERE.get(FenceSessions.MAX_SESSIONS - 1))).isTrue();
    }

    private static List<Long> metafiles(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(
                        sequence -> Handle.of(Handle.shardOwner(1), 0, sequence).value())
                .toList();
    }
}
