package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.NoIntents;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CloseSessionReply;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.ContentSummaryReply;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.ReadRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallDispatcherTest {
    private static final long SESSION = 5;

    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final LocalLog log = new LocalLog(store);
    private final ShardCore core = new ShardCore(
            log, view -> FixedInputs.now(), new ShardLimits(10, 1 << 20, 10, 1 << 20), Totals.NONE, records -> {});
    private final List<Runnable> longWork = new ArrayList<>();
    private int mostLongWork = 10;
    private int checks;
    private int rowsRead;
    private static final Peers ALONE = (shard, kind, step, caller, body) ->
            CompletableFuture.completedFuture(Reply.refused(kind, FsError.UNREACHABLE, "there is no shard " + shard));
    private Runnable atRow = () -> {};
    private final List<String> readers = new ArrayList<>();
    private final SimulatedTime time = new SimulatedTime(1);
    private final SplittableRandom random = new SplittableRandom(1);
    private final CallDispatcher dispatcher = dispatcher();

    @BeforeEach
    void openSessions() throws IOException {
        openSession(SESSION, "anna");
        openSession(SESSION + 1, "ben");
    }

    private void openSession(long session, String user) throws IOException {
        try (Overlay overlay = store.overlay()) {
            new SessionPut(new Session(session, "test", user, 1, 5, false)).replay(overlay);
            store.commit(overlay, true);
        }
    }

    private CallDispatcher dispatcher() {
        Routes routes = new Routes()
                .read(Kind.STAT, StatRequest.class, (request, principal, view, inputs) -> {
                    if (request.getWantLayout()) {
                        throw new IllegalStateException("dirent leads nowhere");
                    }
                    return Reply.ok(StatReply.getDefaultInstance());
                })
                .scan(Kind.CONTENT_SUMMARY, ContentSummaryRequest.class, (request, principal, view, inputs) -> {
                    readOn(view);
                    return Reply.ok(ContentSummaryReply.getDefaultInstance());
                })
                .write(
                        Kind.CLOSE_SESSION,
                        CloseSessionRequest.class,
                        (request, principal, view, inputs) ->
                                Decision.of(Reply.ok(CloseSessionReply.getDefaultInstance())))
                .write(
                        Kind.DELETE,
                        DeleteRequest.class,
                        (request, principal, view, inputs) -> Decision.of(Reply.ok(DeleteReply.getDefaultInstance())),
                        new RefuseAll());
        Executor bounded = task -> {
            if (longWork.size() >= mostLongWork) {
                throw new RejectedExecutionException();
            }
            longWork.add(task);
        };
        return new CallDispatcher(
                routes,
                new TrustingAuthenticator("root", "supergroup"),
                log,
                view -> FixedInputs.now(),
                NoCopies.of(),
                PursuitGround.of(
                        core,
                        ALONE,
                        NoCopies.questions(),
                        new IntentPeers(0, ALONE, log::committed),
                        new AwaitedShards(),
                        new NoIntents(),
                        time,
                        time,
                        1_000,
                        random),
                new SessionTimes(),
                time,
                user -> {
                    readers.add(user);
                    return bounded;
                },
                new SlowReads(time, time, Settings.defaults()),
                () -> 7);
    }

    /** Refuses recursive deletes of everybody but the superuser. */
    private final class RefuseAll implements Precheck<DeleteRequest> {
        @Override
        public boolean isNeeded(DeleteRequest request, Principal principal) {
            return request.getRecursive() && !principal.superuser();
        }

        @Override
        public Checked<DeleteRequest> check(DeleteRequest request, Principal principal, ReadView view, Inputs inputs) {
            checks++;
            readOn(view);
            return Checked.refused(Reply.refused(Kind.DELETE, FsError.PERMISSION_DENIED, "not yours"));
        }
    }

    /** Scans the sessions, of which there are two, and tells of each row. */
    private void readOn(ReadView view) {
        try (ReadView.Cursor rows =
                view.scan(ShardTables.SESSION, new byte[0], new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1})) {
            while (rows.next()) {
                rowsRead++;
                atRow.run();
            }
        }
    }

    /** One call and what was replied to it. */
    private static final class TestCall implements RequestHandler.Call {
        private final Request request;
        private final List<Reply> replies = new ArrayList<>();
        private boolean cancelled;

        TestCall(Request request) {
            this.request = request;
        }

        @Override
        public Request request() {
            return request;
        }

        @Override
        public PeerIdentity peerIdentity() {
            return TestHello.peerIdentity();
        }

        @Override
        public String peer() {
            return "test";
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public void reply(Reply reply) {
            replies.add(reply);
        }

        FsError error() {
            assertThat(replies).hasSize(1);
            return replies.get(0).error();
        }
    }

    private static TestCall call(Kind kind, MessageLite body, String user, long session, long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setSession(session)
                .setRequestId(id)
                .setCaller(Caller.newBuilder().setUser(user))
                .build();
        return new TestCall(new Request(kind, header, body, Payload.EMPTY));
    }

    private TestCall send(Kind kind, MessageLite body) {
        return send(call(kind, body, "anna", SESSION, 1));
    }

    private TestCall send(TestCall call) {
        dispatcher.handle(call);
        return call;
    }

    @Test
    void aReadIsAnsweredAtOnceWithTheServersEpoch() {
        TestCall stat = send(Kind.STAT, StatRequest.getDefaultInstance());
        assertThat(stat.error()).isEqualTo(FsError.OK);
        assertThat(stat.replies.get(0).header().getEpoch()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"255, OK", "256, NAME_TOO_LONG"})
    void aUserWhoCanOwnNothingIsRefused(int letters, String error) {
        for (Kind kind : new Kind[] {Kind.STAT, Kind.CLOSE_SESSION}) {
            TestCall call = send(call(kind, emptyRequest(kind), "u".repeat(letters), SESSION, 1));
            core.step();
            assertThat(call.error()).isEqualTo(FsError.valueOf(error));
        }
    }

    private static MessageLite emptyRequest(Kind kind) {
        return kind == Kind.STAT ? StatRequest.getDefaultInstance() : CloseSessionRequest.getDefaultInstance();
    }

    @Test
    void aReadThatBreaksIsAFaultAndHarmsNoOther() {
        TestCall broken =
                send(Kind.STAT, StatRequest.newBuilder().setWantLayout(true).build());
        assertThat(broken.error()).isEqualTo(FsError.FAULT);
        assertThat(send(Kind.STAT, StatRequest.getDefaultInstance()).error()).isEqualTo(FsError.OK);
    }

    @Test
    void aLongReadWaitsForItsPoolWhoseQueueIsBounded() {
        TestCall first = send(Kind.CONTENT_SUMMARY, ContentSummaryRequest.getDefaultInstance());
        assertThat(first.replies).isEmpty();
        mostLongWork = 1;
        assertThat(send(Kind.CONTENT_SUMMARY, ContentSummaryRequest.getDefaultInstance())
                        .error())
                .isEqualTo(FsError.BUSY);
        longWork.remove(0).run();
        assertThat(first.error()).isEqualTo(FsError.OK);
    }

    @Test
    void longReadsAndChecksWaitInTheLineOfTheirUser() {
        send(call(Kind.CONTENT_SUMMARY, ContentSummaryRequest.getDefaultInstance(), "ben", SESSION + 1, 0));
        DeleteRequest recursive = DeleteRequest.newBuilder().setRecursive(true).build();
        send(call(Kind.DELETE, recursive, "anna", SESSION, 1));
        assertThat(readers).containsExactly("ben", "anna");
        assertThat(longWork).hasSize(2);
    }

    @Test
    void aWriteIsAnsweredAfterTheWritersStep() {
        TestCall close = send(Kind.CLOSE_SESSION, CloseSessionRequest.getDefaultInstance());
        assertThat(close.replies).isEmpty();
        core.step();
        assertThat(close.error()).isEqualTo(FsError.OK);
    }

    @Test
    void whatIsCancelledIsNotBegun() {
        TestCall early = call(Kind.STAT, StatRequest.getDefaultInstance(), "anna", SESSION, 0);
        early.cancelled = true;
        assertThat(send(early).error()).isEqualTo(FsError.CANCELLED);
        TestCall queued = send(Kind.DELETE, DeleteRequest.getDefaultInstance());
        queued.cancelled = true;
        core.step();
        assertThat(queued.error()).isEqualTo(FsError.CANCELLED);
        TestCall waiting = send(Kind.CONTENT_SUMMARY, ContentSummaryRequest.getDefaultInstance());
        waiting.cancelled = true;
        longWork.remove(0).run();
        assertThat(waiting.error()).isEqualTo(FsError.CANCELLED);
    }

    @Test
    void aLongReadStopsSoonAfterNobodyWaitsForIt() {
        DeleteRequest recursive = DeleteRequest.newBuilder().setRecursive(true).build();
        for (TestCall call : List.of(
                call(Kind.CONTENT_SUMMARY, ContentSummaryRequest.getDefaultInstance(), "anna", SESSION, 0),
                call(Kind.DELETE, recursive, "anna", SESSION, 1))) {
            rowsRead = 0;
            atRow = () -> call.cancelled = true;
            send(call);
            longWork.remove(0).run();
            assertThat(call.error()).isEqualTo(FsError.CANCELLED);
            assertThat(rowsRead).isEqualTo(1);
            assertThat(core.queueLength()).isZero();
        }
    }

    @Test
    void onlyWhatNeedsACheckIsCheckedAndTheRefusalIsRecorded() throws IOException {
        TestCall plain = send(call(Kind.DELETE, DeleteRequest.getDefaultInstance(), "anna", SESSION, 1));
        core.step();
        assertThat(plain.error()).isEqualTo(FsError.OK);
        assertThat(checks).isZero();

        DeleteRequest recursive = DeleteRequest.newBuilder().setRecursive(true).build();
        TestCall refused = send(call(Kind.DELETE, recursive, "anna", SESSION, 2));
        longWork.remove(0).run();
        assertThat(refused.replies).isEmpty();
        core.step();
        assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(checks).isEqualTo(1);

        TestCall retry = send(call(Kind.DELETE, recursive, "anna", SESSION, 2));
        longWork.remove(0).run();
        core.step();
        assertThat(retry.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(checks).as("a decided request is not checked again").isEqualTo(1);

        openSession(SESSION + 2, "root");
        TestCall superuser = send(call(Kind.DELETE, recursive, "root", SESSION + 2, 3));
        core.step();
        assertThat(superuser.error()).isEqualTo(FsError.OK);
    }

    @Test
    void changesNeedASessionAnIdAndAUser() {
        assertThat(send(call(Kind.DELETE, DeleteRequest.getDefaultInstance(), "anna", 0, 1))
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(send(call(Kind.DELETE, DeleteRequest.getDefaultInstance(), "anna", SESSION, 0))
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(send(call(Kind.DELETE, DeleteRequest.getDefaultInstance(), "", SESSION, 1))
                        .error())
                .isEqualTo(FsError.PERMISSION_DENIED);
    }

    @Test
    void whatAnIoServerAnswersIsUnknownHere() {
        TestCall read = send(Kind.READ, ReadRequest.getDefaultInstance());
        assertThat(read.error()).isEqualTo(FsError.NOT_SUPPORTED);
        assertThat(read.replies.get(0).header().getMessage()).contains("READ");
    }

    @Test
    void aStoppedShardAnswersUnavailableAndItsLastBatchIsOfUnknownOutcome() {
        TestCall inDoubt = send(call(Kind.DELETE, DeleteRequest.getDefaultInstance(), "anna", SESSION, 1));
        store.failNextCommit();
        core.step();
        assertThat(inDoubt.error().outcomeUnknown()).isTrue();
        assertThat(send(Kind.DELETE, DeleteRequest.getDefaultInstance()).error())
                .isEqualTo(FsError.UNAVAILABLE);
    }

    @Test
    void aRouteMustFitItsKind() {
        assertThatThrownBy(() -> new Routes().read(Kind.DELETE, DeleteRequest.class, (q, a, v, i) -> Reply.ok(q)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MDS_RECORDED");
        assertThatThrownBy(() -> new Routes().read(Kind.STAT, DeleteRequest.class, (q, a, v, i) -> Reply.ok(q)))
                .isInstanceOf(IllegalArgumentException.class);
        Routes twice = new Routes().read(Kind.STAT, StatRequest.class, (q, a, v, i) -> Reply.ok(q));
        assertThatThrownBy(() -> twice.read(Kind.STAT, StatRequest.class, (q, a, v, i) -> Reply.ok(q)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aKindForMetadataServersMustHaveARoute() {
        Routes routes = new Routes().read(Kind.STAT, StatRequest.class, (q, a, v, i) -> Reply.ok(q));
        assertThatThrownBy(routes::complete)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LIST_TREE")
                .hasMessageNotContaining("STAT,")
                .hasMessageNotContaining("SEAL");
    }
}
