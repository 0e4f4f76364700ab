package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that pass through a shard, perhaps more than once, of sessions that are at home here or elsewhere. */
class LegsAndGuestsTest {
    private static final int SHARDS = 3;
    /** At home at shard 0, where everything here is decided. */
    private static final long OWN = sessionOf(0);
    /** At home at shard 2. */
    private static final long GUEST = sessionOf(2);

    private final State state = State.of(new SessionPut(new Session(OWN, "test", "anna", 1, 5, false)));
    private int executed;
    private PeerAnswers peerAnswers = PeerAnswers.none();
    private String user = "anna";

    private static long sessionOf(int home) {
        return LongStream.rangeClosed(1, 1000)
                .filter(id -> HomeShard.of(id, SHARDS) == home)
                .findFirst()
                .orElseThrow();
    }

    private static DeleteRequest delete(long start) {
        return DeleteRequest.newBuilder()
                .setLocation(Location.newBuilder().setStart(start).setPath("x"))
                .build();
    }

    private static RenameRequest rename(long source, long target) {
        return RenameRequest.newBuilder()
                .setSource(Location.newBuilder().setStart(source))
                .setTarget(Location.newBuilder().setStart(target))
                .build();
    }

    /** Answers with the error; changes something if asked to. */
    private Operation<MessageLite> answering(FsError error, boolean changes) {
        return (request, principal, view, inputs) -> {
            executed++;
            Reply reply = error == FsError.OK
                    ? Reply.ok(DeleteReply.getDefaultInstance())
                    : Reply.refused(Kind.DELETE, error, "run " + executed);
            return changes
                    ? Decision.of(reply, view9 -> view9.put(ShardTables.META, Keys.of(9), new byte[] {1}))
                    : Decision.of(reply);
        };
    }

    private Reply run(RequestHeader.Builder header, Kind kind, MessageLite request, Operation<MessageLite> operation) {
        RequestHeader full = header.build();
        Inputs inputs = new Inputs(
                        FixedInputs.WALL_MILLIS,
                        0,
                        FixedInputs.CLUSTER.toBuilder().setShardCount(SHARDS).build(),
                        0,
                        1000)
                .with(peerAnswers);
        return state.apply(new RecordedOperation(kind, full, operation, Optional.empty())
                .decide(request, new Principal(user, Set.of(), false, full.getSession()), state.view(), inputs));
    }

    private Reply run(long session, long id, long start, FsError error) {
        return run(header(session, id), Kind.DELETE, delete(start), answering(error, false));
    }

    private static RequestHeader.Builder header(long session, long id) {
        return RequestHeader.newBuilder().setSession(session).setRequestId(id).setLowestUnanswered(1);
    }

    private void homeSays(boolean alive) {
        SessionStatusReply.Status.Builder status =
                SessionStatusReply.Status.newBuilder().setSession(GUEST);
        if (alive) {
            status.setAlive(true).setUser("anna").setClient("spark");
        }
        homeSays(Reply.ok(SessionStatusReply.newBuilder().addSessions(status).build()));
    }

    private void homeSays(Reply reply) {
        peerAnswers = PeerAnswers.none().with(Map.of(need(), reply));
    }

    private static Need need() {
        return new Need.Ask(
                2,
                Kind.SESSION_STATUS,
                SessionStatusRequest.newBuilder().addSessions(GUEST).build());
    }

    /** Whether an earlier try was done may be among what the shard lost. */
    @Test
    void aRepeatedTryOfAnUnknownGuestIsNotDoneWhileTheShardIsNotSettled() {
        homeSays(true);
        state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "with an older state")));
        Reply reply = run(header(GUEST, 7).setRepeatedTry(true), Kind.DELETE, delete(1), answering(FsError.OK, true));
        assertThat(reply.error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(reply.header().getMessage()).contains("with an older state");
        assertThat(executed).isZero();
        assertThat(run(GUEST, 8, 1, FsError.OK).error()).isEqualTo(FsError.OK);
        assertThat(executed).isEqualTo(1);
        // It has a row now, and what it asked for since is on record.
        assertThat(run(header(GUEST, 8).setRepeatedTry(true), Kind.DELETE, delete(1), answering(FsError.OK, true))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(executed).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0}, changes {1}, repeated try {2}: kept {3}")
    @CsvSource({
        "OK, true, false, true",
        "OK, false, false, true",
        "NOT_FOUND, false, false, true",
        "CONTINUE, false, false, false",
        "CONTINUE, true, false, true",
        "CONTINUE, false, true, true",
        "WRONG_PARTITION, false, false, false",
        "WRONG_PARTITION, false, true, true",
        "STALE_START, false, false, false",
        "STALE_START, false, true, true",
        "NOT_OWNER, false, true, false",
        "STALE_EPOCH, false, true, false",
        "BUSY, false, true, false",
        "UNAVAILABLE, false, false, false",
    })
    void whichAnswersAreKept(FsError error, boolean changes, boolean repeated, boolean kept) {
        Reply first = run(header(OWN, 1).setRepeatedTry(repeated), Kind.DELETE, delete(0), answering(error, changes));
        assertThat(first.error()).isEqualTo(error);
        Reply second = run(header(OWN, 1), Kind.DELETE, delete(0), answering(FsError.PERMISSION_DENIED, false));
        assertThat(second.error()).isEqualTo(kept ? error : FsError.PERMISSION_DENIED);
        assertThat(executed).isEqualTo(kept ? 1 : 2);
    }

    @Test
    void everyLegHasItsOwnAnswer() {
        run(header(OWN, 1).setRepeatedTry(true), Kind.DELETE, delete(0), answering(FsError.CONTINUE, false));
        assertThat(run(OWN, 1, 7, FsError.NOT_FOUND).error()).isEqualTo(FsError.NOT_FOUND);
        assertThat(run(OWN, 1, 8, FsError.OK).error()).isEqualTo(FsError.OK);
        assertThat(run(OWN, 1, 0, FsError.OK).error()).isEqualTo(FsError.CONTINUE);
        assertThat(run(OWN, 1, 7, FsError.OK).error()).isEqualTo(FsError.NOT_FOUND);
        assertThat(executed).isEqualTo(3);
    }

    @Test
    void aRenamesLegHasTwoStarts() {
        List<RenameRequest> legs = List.of(rename(0, 0), rename(5, 0), rename(0, 5), rename(5, 6));
        for (int round = 0; round < 2; round++) {
            for (RenameRequest leg : legs) {
                run(header(OWN, 1), Kind.RENAME, leg, (request, principal, view, inputs) -> {
                    executed++;
                    return Decision.of(Reply.ok(RenameReply.getDefaultInstance()));
                });
            }
        }
        assertThat(executed).isEqualTo(legs.size());
        assertThat(Leg.of(1, CloseRequest.getDefaultInstance())).isEqualTo(new Leg(1, 0, 0));
        assertThat(Leg.of(1, delete(3))).isEqualTo(new Leg(1, 3, 0));
    }

    @Test
    void allLegsOfASettledIdArePruned() {
        List<Leg> kept = new ArrayList<>();
        for (long id = 1; id <= RecordedOperation.PRUNE_EVERY; id++) {
            for (long start = 0; start < 3; start++) {
                run(OWN, id, start, FsError.OK);
                kept.add(new Leg(id, start, 0));
            }
        }
        assertThat(RecordedReplies.legs(state.view(), OWN, 0, Long.MAX_VALUE, 1000))
                .isEqualTo(kept);
        long next = RecordedOperation.PRUNE_EVERY + 1;
        run(header(OWN, next).setLowestUnanswered(next), Kind.DELETE, delete(0), answering(FsError.OK, false));
        assertThat(RecordedReplies.legs(state.view(), OWN, 0, Long.MAX_VALUE, 1000))
                .containsExactly(new Leg(next, 0, 0));
        assertThat(run(OWN, next - 1, 2, FsError.OK).error()).isEqualTo(FsError.SESSION_EXPIRED);
    }

    @Test
    void anIdWithMoreLegsThanOneStepPrunesLeavesNothing() {
        for (long start = 0; start < RecordedOperation.PRUNE_MOST + 5; start++) {
            run(OWN, 1, start, FsError.OK);
        }
        long next = 1 + RecordedOperation.PRUNE_EVERY;
        for (long id = next; id <= 2 * next; id += RecordedOperation.PRUNE_EVERY) {
            run(header(OWN, id).setLowestUnanswered(id), Kind.DELETE, delete(0), answering(FsError.OK, false));
        }
        assertThat(RecordedReplies.legs(state.view(), OWN, 0, 2, 10)).isEmpty();
        assertThat(run(OWN, 1, 0, FsError.OK).error()).isEqualTo(FsError.SESSION_EXPIRED);
    }

    @Test
    void whatTheOperationNeedsIsNotCaught() {
        assertThatThrownBy(() -> run(header(OWN, 1), Kind.DELETE, delete(0), (request, principal, view, inputs) -> {
                    throw new Missing(Set.of(need()));
                }))
                .isInstanceOfSatisfying(
                        Missing.class, missing -> assertThat(missing.needs()).containsExactly(need()));
    }

    @Test
    void aGuestsHomeIsAskedOnce() {
        assertThatThrownBy(() -> run(GUEST, 1, 0, FsError.OK))
                .isInstanceOfSatisfying(
                        Missing.class, missing -> assertThat(missing.needs()).containsExactly(need()));
        assertThat(executed).isZero();
        homeSays(true);
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.OK);
        assertThat(Sessions.find(state.view(), GUEST))
                .contains(new Session(GUEST, "spark", "anna", 1, FixedInputs.WALL_MILLIS, false));
        peerAnswers = PeerAnswers.none();
        assertThat(run(GUEST, 1, 0, FsError.NOT_FOUND).error()).isEqualTo(FsError.OK);
        assertThat(run(GUEST, 2, 0, FsError.OK).error()).isEqualTo(FsError.OK);
    }

    @Test
    void aGuestThatIsOnlySentOnIsKnownAfterwards() {
        homeSays(true);
        assertThat(run(GUEST, 1, 0, FsError.CONTINUE).error()).isEqualTo(FsError.CONTINUE);
        peerAnswers = PeerAnswers.none();
        assertThat(run(GUEST, 2, 0, FsError.OK).error()).isEqualTo(FsError.OK);
        assertThat(RecordedReplies.legs(state.view(), GUEST, 0, Long.MAX_VALUE, 10))
                .containsExactly(new Leg(2, 0, 0));
    }

    @Test
    void whoIsNotAliveAtHomeIsNotServed() {
        homeSays(false);
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.SESSION_EXPIRED);
        homeSays(true);
        user = "thief";
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.PERMISSION_DENIED);
        user = "anna";
        homeSays(Reply.refused(Kind.SESSION_STATUS, FsError.NOT_OWNER, "moved"));
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.BUSY);
        homeSays(Reply.ok(SessionStatusReply.getDefaultInstance()));
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.FAULT);
        assertThat(executed).isZero();
        assertThat(Sessions.find(state.view(), GUEST)).isEmpty();
    }

    @Test
    void aGuestWithAnEndedRowIsRefusedWhateverItsHomeSays() {
        state.replay(List.of(new SessionPut(new Session(GUEST, "", "", 1, 5, true))));
        homeSays(true);
        assertThat(run(GUEST, 1, 0, FsError.OK).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(executed).isZero();
    }

    @Test
    void anUnknownSessionAtItsHomeAsksNobody() {
        long unknown = LongStream.rangeClosed(OWN + 1, 1000)
                .filter(id -> HomeShard.of(id, SHARDS) == 0)
                .findFirst()
                .orElseThrow();
        assertThat(run(unknown, 1, 0, FsError.OK).error()).isEqualTo(FsError.SESSION_EXPIRED);
    }
}
