package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.duty.IntentFinish;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.op.intent.CloseIntent;
import io.steadfs.mds.op.intent.UndoIntent;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.FinishReply;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How often, and for how long, one change looks at other shards; and what is left of one that was given up. */
class PursuitTest {
    /** Of one attempt: each but the last asks for more. */
    private static final int RUNS = 100;

    private static final long PATIENCE_MILLIS = 5_000;
    private static final long LONGEST_PAUSE_MILLIS = 102;

    private static final Principal ASKER = new Principal("root", Set.of(), true, 5);
    private static final int OTHER = 1;
    private static final Need.Prepare HELD = new Need.Prepare(
            OTHER,
            PrepareAction.newBuilder()
                    .setLockHierarchy(LockHierarchy.getDefaultInstance())
                    .build());
    private static final byte[] EFFECT = Keys.of(9);

    private final SimulatedTime time = new SimulatedTime(1);
    private final LocalLog log = new LocalLog(new MemoryStore(ShardTables.ALL));
    private final ShardCore core = new ShardCore(log, view -> FixedInputs.now(), limits(), Totals.NONE, records -> {});
    private final Shard shard = command -> {
        core.submit(command);
        time.after(0, core::step);
    };
    private final List<Reply> replies = new ArrayList<>();
    private final List<Boolean> finished = new ArrayList<>();
    private int prepares;
    private int asks;
    private long answeredMillis;

    /** Until when the other shard holds it for somebody else. */
    private long heldUntilMillis;

    private static ShardLimits limits() {
        return new ShardLimits(10, 1 << 20, 10, 1 << 20);
    }

    private TestCall renameCall() {
        return new TestCall(
                new Request(
                        Kind.RENAME,
                        RequestHeader.newBuilder().setSession(5).setRequestId(1).build(),
                        RenameRequest.getDefaultInstance(),
                        Payload.EMPTY),
                replies::add);
    }

    /** The other shard, a millisecond away. */
    private CompletableFuture<Reply> send(int to, Kind kind, String step, Caller caller, MessageLite body) {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        time.after(1, () -> reply.complete(answer(kind, body)));
        return reply;
    }

    private Reply answer(Kind kind, MessageLite body) {
        return switch (kind) {
            case PREPARE -> {
                prepares++;
                yield millis() < heldUntilMillis
                        ? Reply.refused(kind, FsError.BUSY, "held for another")
                        : Reply.ok(PrepareReply.getDefaultInstance());
            }
            case FINISH -> {
                ((FinishRequest) body).getSlotsList().forEach(slot -> finished.add(slot.getCommit()));
                yield Reply.ok(FinishReply.getDefaultInstance());
            }
            case STAT_HANDLES -> {
                asks++;
                yield Reply.ok(StatHandlesReply.getDefaultInstance());
            }
            default -> throw new AssertionError(kind);
        };
    }

    private long millis() {
        return time.monotonicNanos() / 1_000_000;
    }

    /** Needs one thing held, then learns one fact after the other, and changes something in the end. */
    private static Operation<MessageLite> inNeedOf(int facts) {
        return (request, principal, view, inputs) -> {
            inputs.peerAnswers().get(HELD);
            for (int i = 0; i < facts; i++) {
                inputs.peerAnswers()
                        .get(new Need.Ask(
                                OTHER,
                                Kind.STAT_HANDLES,
                                StatHandlesRequest.newBuilder().addHandles(i).build()));
            }
            return Decision.of(
                    Reply.ok(RenameReply.getDefaultInstance()),
                    overlay -> overlay.put(ShardTables.META, EFFECT, new byte[] {1}));
        };
    }

    /** Runs it until it is answered and nothing of it is open. */
    private Reply run(Operation<MessageLite> operation) {
        begin(operation);
        end(1);
        return replies.get(0);
    }

    private void begin(Operation<MessageLite> operation) {
        AwaitedShards awaited = new AwaitedShards();
        IntentPeers intents = new IntentPeers(0, this::send, log::committed);
        IntentFinish finisher =
                new IntentFinish(log::committed, shard, intents, awaited, time, UndoIntent::new, CloseIntent::new);
        PursuitGround ground = PursuitGround.of(
                shard,
                this::send,
                NoCopies.questions(),
                intents,
                awaited,
                finisher,
                time,
                time,
                PATIENCE_MILLIS,
                new SplittableRandom(1));
        Answering answering = new Answering(renameCall(), () -> 7);
        RequestCommand command = new RequestCommand(answering, ASKER, operation);
        new Pursuit<>(Pursued.ofRequest(answering, ASKER, command), ground).begin();
    }

    private void end(int answers) {
        time.runUntil("all answers", () -> replies.size() == answers, 60_000);
        answeredMillis = millis();
        time.runUntil("nothing is open", () -> open().isEmpty(), 60_000);
        assertThat(replies).hasSize(answers);
    }

    private List<Long> open() {
        return Intents.numbers(log.committed(), 0, 1);
    }

    private boolean happened() {
        return log.committed().get(ShardTables.META, EFFECT).isPresent();
    }

    @Test
    void asManyRunsAsGoLeadToTheChange() {
        Reply reply = run(inNeedOf(RUNS - 2));
        assertThat(reply.error()).isEqualTo(FsError.OK);
        assertThat(happened()).isTrue();
        assertThat(prepares + asks).isEqualTo(RUNS - 1);
        assertThat(finished).containsExactly(true);
    }

    @Test
    void oneMoreIsBusyAndWhatWasHeldIsUndone() {
        Reply reply = run(inNeedOf(RUNS - 1));
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("more than " + RUNS + " looks");
        assertThat(happened()).isFalse();
        assertThat(prepares + asks).isEqualTo(RUNS);
        assertThat(finished).containsExactly(false);
    }

    @Test
    void whatIsHeldForAnotherUntilPatienceEndsIsWaitedFor() {
        heldUntilMillis = PATIENCE_MILLIS;
        Reply reply = run(inNeedOf(1));
        assertThat(reply.error()).isEqualTo(FsError.OK);
        assertThat(happened()).isTrue();
        assertThat(finished).hasSize(prepares).containsOnlyOnce(true);
    }

    @Test
    void whatIsHeldForLongerIsBusyAndEachTryIsUndone() {
        heldUntilMillis = Long.MAX_VALUE;
        Reply reply = run(inNeedOf(1));
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("shard " + OTHER, "held for another");
        assertThat(answeredMillis).isBetween(PATIENCE_MILLIS + 1, PATIENCE_MILLIS + LONGEST_PAUSE_MILLIS);
        assertThat(happened()).isFalse();
        assertThat(prepares).isGreaterThan(10);
        assertThat(finished).hasSize(prepares).containsOnly(false);
    }

    /** What the other try does is not known, so the client must not take it that nothing was done. */
    @Test
    void aRequestOfWhichATryHoldsSomethingHasAnUnknownOutcome() {
        begin(inNeedOf(1));
        time.runUntil("the first try holds something", () -> !open().isEmpty(), 60_000);
        begin(inNeedOf(1));
        end(2);

        assertThat(replies).extracting(Reply::error).containsExactly(FsError.TIMED_OUT, FsError.OK);
        assertThat(FsError.TIMED_OUT.outcomeUnknown()).isTrue();
        assertThat(replies.get(0).header().getMessage()).contains("under way already");
        assertThat(finished).containsExactly(true);
    }

    /** The intent may have ended for another try of the request, which may have been carried out. */
    @Test
    void aTryWhoseIntentIsGoneHasAnUnknownOutcome() {
        begin(inNeedOf(1));
        time.runUntil("the try holds something", () -> !open().isEmpty(), 60_000);
        long number = open().get(0);
        shard.submit(new UndoIntent(number));
        shard.submit(new CloseIntent(number));
        end(1);

        assertThat(replies).extracting(Reply::error).containsExactly(FsError.TIMED_OUT);
        assertThat(replies.get(0).header().getMessage()).contains("intent " + number + " was given up");
        assertThat(happened()).isFalse();
    }
}
