package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecordedOperationTest {
    private static final long SESSION = 0xfedc_ba98_7654_3210L;
    private static final Principal ASKER = new Principal("anna", Set.of(), false, SESSION);

    private MemoryStore disk = new MemoryStore(ShardTables.ALL);
    private Store store = new VolatileTables(disk, LifeTables.ALL);
    private int executed;

    @BeforeEach
    void openSession() throws IOException {
        apply(List.of(new SessionPut(new Session(SESSION, "test", "anna", 1, 5, false))));
    }

    private void crash() {
        disk = disk.crash();
        store = new VolatileTables(disk, LifeTables.ALL);
    }

    private void apply(List<LogRecord> records) throws IOException {
        try (Overlay overlay = store.overlay()) {
            records.forEach(each -> each.replay(overlay));
            store.commit(overlay, true);
        }
    }

    /** Succeeds the first time that it runs and finds nothing afterwards, as a delete does. */
    private Decision<Reply> deleteOnce(MessageLite request, Principal principal, ReadView view, Inputs inputs) {
        executed++;
        if (view.get(ShardTables.META, Keys.of(9)).isPresent()) {
            return Decision.of(Reply.refused(Kind.DELETE, FsError.NOT_FOUND, "nothing at /a"));
        }
        return Decision.of(
                Reply.ok(DeleteReply.newBuilder().setType(FileType.FILE).build()),
                view9 -> view9.put(ShardTables.META, Keys.of(9), new byte[] {1}));
    }

    private Reply run(long session, long id, long lowest) throws IOException {
        return run(session, id, lowest, this::deleteOnce, Optional.empty(), Kind.DELETE);
    }

    private Reply run(
            long session, long id, long lowest, Operation<MessageLite> operation, Optional<Reply> refusal, Kind kind)
            throws IOException {
        RequestHeader header = RequestHeader.newBuilder()
                .setSession(session)
                .setRequestId(id)
                .setLowestUnanswered(lowest)
                .build();
        Decision<Reply> decision = new RecordedOperation(kind, header, operation, refusal)
                .decide(DeleteRequest.getDefaultInstance(), ASKER, store.committed(), FixedInputs.now());
        apply(decision.records());
        return decision.answer();
    }

    @Test
    void aRetryHearsTheFirstAnswerAndIsNotDoneAgain() throws IOException {
        Reply first = run(SESSION, 1, 1);
        assertThat(first.body())
                .isEqualTo(DeleteReply.newBuilder().setType(FileType.FILE).build());
        assertThat(run(SESSION, 1, 1)).isEqualTo(first);
        assertThat(executed).isEqualTo(1);
        assertThat(run(SESSION, 2, 1).error()).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void aRetryAfterARestartHearsTheFirstAnswer() throws IOException {
        Reply first = run(SESSION, 1, 1);
        Reply refused = run(SESSION, 2, 1);
        crash();
        assertThat(run(SESSION, 1, 1)).isEqualTo(first);
        assertThat(run(SESSION, 2, 1)).isEqualTo(refused);
        assertThat(refused.header().getMessage()).isEqualTo("nothing at /a");
        assertThat(executed).isEqualTo(2);
    }

    /** Changes nothing durable, each time that it runs. */
    private Decision<Reply> early(MessageLite request, Principal principal, ReadView view, Inputs inputs) {
        executed++;
        return new Decision<>(List.of(), Reply.ok(DeleteReply.getDefaultInstance()), true);
    }

    private int keptInTheHeap() {
        return RecordedReplies.volatileLegs(store.committed(), SESSION, 0, Long.MAX_VALUE, 10_000)
                .size();
    }

    @Test
    void anEarlyAnswerIsKeptInTheHeapUntilTheClientHasSeenIt() throws IOException {
        Reply first = run(SESSION, 1, 1, this::early, Optional.empty(), Kind.DELETE);
        assertThat(run(SESSION, 1, 1, this::early, Optional.empty(), Kind.DELETE))
                .isEqualTo(first);
        assertThat(executed).isEqualTo(1);
        assertThat(keptInTheHeap()).isEqualTo(1);
        run(SESSION, 2, 2, this::early, Optional.empty(), Kind.DELETE);
        assertThat(keptInTheHeap()).isEqualTo(1);
        assertThat(RecordedReplies.legs(store.committed(), SESSION, 0, Long.MAX_VALUE, 10))
                .isEmpty();
        crash();
        assertThat(keptInTheHeap()).isZero();
    }

    @Test
    void aSessionThatLeavesAnswersUnseenGetsDurableOnes() throws IOException {
        long last = RecordedOperation.MOST_KEPT + 10;
        for (long id = 1; id <= last; id++) {
            run(SESSION, id, 1, this::early, Optional.empty(), Kind.DELETE);
        }
        assertThat(keptInTheHeap()).isEqualTo((int) RecordedOperation.MOST_KEPT);
        assertThat(RecordedReplies.legs(store.committed(), SESSION, 0, Long.MAX_VALUE, 100))
                .hasSize(10);
    }

    @Test
    void aRefusalOfTheCheckBesideTheWriterIsRecordedUnlessTheRequestWasDecidedBefore() throws IOException {
        Optional<Reply> refusal = Optional.of(Reply.refused(Kind.DELETE, FsError.PERMISSION_DENIED, "no"));
        assertThat(run(SESSION, 1, 1, this::deleteOnce, refusal, Kind.DELETE).error())
                .isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(executed).isZero();
        assertThat(run(SESSION, 1, 1).error()).isEqualTo(FsError.PERMISSION_DENIED);
        Reply done = run(SESSION, 2, 1);
        assertThat(run(SESSION, 2, 1, this::deleteOnce, refusal, Kind.DELETE)).isEqualTo(done);
    }

    @Test
    void whoIsUnknownOrEndedIsNeverServed() throws IOException {
        assertThat(run(77, 1, 1).error()).isEqualTo(FsError.SESSION_EXPIRED);
        apply(List.of(new SessionPut(new Session(78, "test", "anna", 1, 5, true))));
        assertThat(run(78, 1, 1).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(executed).isZero();
    }

    @Test
    void aSessionServesItsUserOnlyAndItsRepliesAreToldToNobodyElse() throws IOException {
        run(SESSION, 1, 1);
        for (long id = 1; id <= 2; id++) {
            RequestHeader header = RequestHeader.newBuilder()
                    .setSession(SESSION)
                    .setRequestId(id)
                    .build();
            Decision<Reply> foreign = new RecordedOperation(Kind.DELETE, header, this::deleteOnce, Optional.empty())
                    .decide(
                            DeleteRequest.getDefaultInstance(),
                            new Principal("root", Set.of(), true, SESSION),
                            store.committed(),
                            FixedInputs.now());
            assertThat(foreign.records()).isEmpty();
            assertThat(foreign.answer().error()).isEqualTo(FsError.PERMISSION_DENIED);
            assertThat(foreign.answer().header().getMessage()).doesNotContain(Long.toHexString(SESSION));
        }
        assertThat(executed).isEqualTo(1);
        assertThat(run(SESSION, 1, 1).isOk()).as("its user's retry").isTrue();
    }

    @Test
    void answersThatAskForARetryAreNotKept() throws IOException {
        Operation<MessageLite> busy = (request, principal, view, inputs) ->
                Decision.of(Reply.refused(Kind.DELETE, FsError.BUSY, "no handles"));
        assertThat(run(SESSION, 1, 1, busy, Optional.empty(), Kind.DELETE).error())
                .isEqualTo(FsError.BUSY);
        assertThat(run(SESSION, 1, 1).isOk()).isTrue();
    }

    @Test
    void repliesAreReplacedByTheFloorOnceTheClientHasSeenThem() throws IOException {
        for (long id = 1; id <= 2 * RecordedOperation.PRUNE_EVERY; id++) {
            run(SESSION, id, id);
        }
        long floor = Sessions.find(store.committed(), SESSION).orElseThrow().floor();
        assertThat(floor).isEqualTo(1 + RecordedOperation.PRUNE_EVERY);
        assertThat(RecordedReplies.legs(store.committed(), SESSION, 0, Long.MAX_VALUE, 1000))
                .hasSize(RecordedOperation.PRUNE_EVERY)
                .startsWith(new Leg(floor, 0, 0));
        int before = executed;
        crash();
        assertThat(run(SESSION, floor - 1, 1).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(run(SESSION, floor, 1).error()).isEqualTo(FsError.NOT_FOUND);
        assertThat(executed).isEqualTo(before);
    }

    @Test
    void moreRepliesThanOneStepPrunesGoByAndBy() throws IOException {
        long last = RecordedOperation.PRUNE_MOST + 10;
        for (long id = 1; id <= last; id++) {
            run(SESSION, id, 1);
        }
        run(SESSION, last + 1, last + 1);
        assertThat(Sessions.find(store.committed(), SESSION).orElseThrow().floor())
                .isEqualTo(RecordedOperation.PRUNE_MOST + 1);
        assertThat(RecordedReplies.legs(store.committed(), SESSION, 0, Long.MAX_VALUE, 1000))
                .hasSize(11);
    }

    @Test
    void aSessionThatLeavesAnswersUnseenIsHeldBack() throws IOException {
        assertThat(run(SESSION, 1 + RecordedOperation.MAX_AHEAD, 1).error()).isEqualTo(FsError.OK);
        assertThat(run(SESSION, 2 + RecordedOperation.MAX_AHEAD, 1).error()).isEqualTo(FsError.BUSY);
        assertThat(run(SESSION, 2 + RecordedOperation.MAX_AHEAD, 2).error()).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void numbersThatCannotBeAreRefused() throws IOException {
        for (long lowest : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1}) {
            Reply refused = run(SESSION, 1, lowest);
            assertThat(refused.error()).isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(refused.header().getMessage()).contains("lowest unanswered id " + lowest);
        }
        for (long id : new long[] {Long.MIN_VALUE, -1, 0}) {
            Reply refused = run(SESSION, id, Long.MIN_VALUE);
            assertThat(refused.error()).isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(refused.header().getMessage()).contains("request id " + id);
        }
        assertThat(executed).isZero();
        assertThat(run(SESSION, 1, 0).isOk()).isTrue();
    }

    @Test
    void anIdUsedForAnotherKindIsRefused() throws IOException {
        run(SESSION, 1, 1);
        assertThat(run(SESSION, 1, 1, this::deleteOnce, Optional.empty(), Kind.RENAME)
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(run(SESSION, 3, 4).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(executed).isEqualTo(1);
    }
}
