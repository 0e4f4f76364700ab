package io.steadfs.mds.op.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sessions that were opened after shards were added have a named home. */
class NamedHomeTest {
    private static final Principal ANNA = new Principal("anna", Set.of(), false, 0);
    private static final ClusterMap FOUR_OF_ONE = FixedInputs.CLUSTER.toBuilder()
            .setShardCount(1)
            .setServingShards(4)
            .setAllShards(4)
            .build();
    private static final ShardCounts COUNTS = ShardCounts.of(FOUR_OF_ONE);

    /** A session that shard 2 of four is the home of; by its id alone shard 0 would be. */
    private static final long SESSION = LongStream.iterate(1, id -> id + 1)
            .filter(id -> COUNTS.homeOfNew(id) == 2)
            .findFirst()
            .orElseThrow();

    private static final int NAMED = COUNTS.nameOfNew(SESSION);

    private final State state = State.of();

    private static Inputs at(int shard) {
        return new Inputs(FixedInputs.WALL_MILLIS, shard, FOUR_OF_ONE, 0, 1000);
    }

    private Reply open(int shard, int home) {
        return state.apply(new OpenSession(1000)
                .decide(
                        OpenSessionRequest.newBuilder()
                                .setSession(SESSION)
                                .setHome(home)
                                .build(),
                        ANNA,
                        state.view(),
                        at(shard)));
    }

    private Reply renew(int shard, int home) {
        return new RenewSession(1000, new SessionTimes(), new SimulatedTime(1))
                .answer(
                        RenewSessionRequest.newBuilder()
                                .setSession(SESSION)
                                .setHome(home)
                                .build(),
                        ANNA,
                        state.view(),
                        at(shard));
    }

    private Reply status(int shard, int home) {
        return new SessionStatus()
                .answer(
                        SessionStatusRequest.newBuilder()
                                .addSessions(SESSION)
                                .setHome(home)
                                .build(),
                        ANNA,
                        state.view(),
                        at(shard));
    }

    @Test
    void theNamedHomeOpensRenewsAndTells() {
        assertThat(NAMED).isEqualTo(3);
        assertThat(open(0, NAMED).error()).isEqualTo(FsError.NOT_OWNER);
        assertThat(open(2, 0).error()).as("by its id shard 0 is its home").isEqualTo(FsError.NOT_OWNER);
        assertThat(open(2, NAMED).error()).isEqualTo(FsError.OK);
        assertThat(renew(2, NAMED).error()).isEqualTo(FsError.OK);
        assertThat(renew(1, NAMED).error()).isEqualTo(FsError.NOT_OWNER);
        assertThat(status(2, NAMED).error()).isEqualTo(FsError.OK);
        assertThat(status(0, NAMED).error())
                .as("who is not the home must not say that a session has ended")
                .isEqualTo(FsError.NOT_OWNER);
    }

    @Test
    void theRowKeepsTheHome() {
        open(2, NAMED);
        Session session = Sessions.find(state.view(), SESSION).orElseThrow();
        assertThat(session.home(COUNTS)).isEqualTo(2);
        assertThat(session.isGuest(2, COUNTS)).isFalse();
        assertThat(session.withEnd().withFloor(7).home(COUNTS)).isEqualTo(2);
        assertThat(session.isGuest(0, COUNTS)).isTrue();
    }

    /** A shard that has never heard of the session asks its home later, before it forgets the row. */
    @Test
    void aFenceTellsTheHome() {
        state.apply(new FenceSessions()
                .decide(
                        FenceSessionsRequest.newBuilder()
                                .addSessions(SESSION)
                                .setHome(NAMED)
                                .build(),
                        ANNA,
                        state.view(),
                        at(1)));
        Session fenced = Sessions.find(state.view(), SESSION).orElseThrow();
        assertThat(fenced.ended()).isTrue();
        assertThat(fenced.home(COUNTS)).isEqualTo(2);
    }

    @Test
    void sessionsFromBeforeTheFirstAdditionHaveTheHomeOfTheirId() {
        assertThat(open(0, 0).error()).isEqualTo(FsError.OK);
        assertThat(Sessions.find(state.view(), SESSION).orElseThrow().home(COUNTS))
                .isZero();
    }
}
