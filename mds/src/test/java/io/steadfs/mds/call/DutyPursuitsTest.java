package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.NoIntents;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Commands of a duty that need facts of another shard, which answers, refuses, answers late, or not at all. */
class DutyPursuitsTest {
    private static final int OTHER = 1;
    private static final Reply FACT = Reply.ok(StatHandlesReply.getDefaultInstance());
    private static final Need.Prepare HELD = new Need.Prepare(
            OTHER,
            PrepareAction.newBuilder()
                    .setLockHierarchy(LockHierarchy.getDefaultInstance())
                    .build());

    private final SimulatedTime time = new SimulatedTime(1);
    private final LocalLog log = new LocalLog(new MemoryStore(ShardTables.ALL));
    private final ShardCore core = new ShardCore(
            log, view -> FixedInputs.now(), new ShardLimits(10, 1 << 20, 10, 1 << 20), Totals.NONE, records -> {});
    private boolean queueIsBroken;
    private boolean networkIsBroken;
    private final Shard shard = command -> {
        if (queueIsBroken) {
            throw new IllegalStateException("broken as the test asked");
        }
        core.submit(command);
        time.after(0, core::step);
    };

    /** The questions that the other shard has not answered. */
    private final List<CompletableFuture<Reply>> asked = new ArrayList<>();

    private final DutyPursuits pursuits = new DutyPursuits(
            "ATest",
            PursuitGround.of(
                    shard,
                    this::send,
                    NoCopies.questions(),
                    new IntentPeers(0, this::send, log::committed),
                    new AwaitedShards(),
                    new NoIntents(),
                    time,
                    time,
                    5_000,
                    new SplittableRandom(1)));

    private CompletableFuture<Reply> send(int to, Kind kind, String step, Caller caller, MessageLite body) {
        assertThat(to).isEqualTo(OTHER);
        assertThat(caller).isEqualTo(Caller.getDefaultInstance());
        if (networkIsBroken) {
            throw new AssertionError("broken as the test asked");
        }
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        asked.add(reply);
        return reply;
    }

    /** Changes a row if the other shard gives so many facts, one after the other. */
    private static final class Change extends InternalCommand<Boolean> {
        private final byte[] row;
        private final int facts;
        private int decided;

        Change(long row, int facts) {
            this.row = Keys.of(row);
            this.facts = facts;
        }

        @Override
        public Decision<Boolean> decide(ReadView view, Inputs inputs) {
            decided++;
            boolean isOk = true;
            for (int i = 0; i < facts; i++) {
                isOk &= inputs.peerAnswers()
                        .get(new Need.Ask(
                                OTHER,
                                Kind.STAT_HANDLES,
                                StatHandlesRequest.newBuilder().addHandles(i).build()))
                        .isOk();
            }
            return isOk
                    ? Decision.of(true, overlay -> overlay.put(ShardTables.META, row, new byte[] {1}))
                    : Decision.of(false);
        }
    }

    private boolean isChanged(long row) {
        return log.committed().get(ShardTables.META, Keys.of(row)).isPresent();
    }

    private Change submit(String subject, long row, int facts) {
        Change command = new Change(row, facts);
        pursuits.submit(subject, command);
        time.runFor(1);
        return command;
    }

    private void answer(int question, Reply reply) {
        asked.get(question).complete(reply);
        time.runFor(1);
    }

    private static Reply refusal(FsError error) {
        return Reply.refused(Kind.STAT_HANDLES, error, "as the test asked");
    }

    private static void assertDropped(Change command, FsError error, String why) {
        assertThat(command.outcome()).isCompletedExceptionally();
        assertThatThrownBy(() -> command.outcome().join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        FsException.class,
                        dropped -> assertThat(dropped.error()).isEqualTo(error));
    }

    @Test
    void whatNeedsNothingIsDecidedOnce() {
        Change command = submit("a", 1, 0);
        assertThat(command.outcome()).isCompletedWithValue(true);
        assertThat(command.decided).isEqualTo(1);
        assertThat(asked).isEmpty();
    }

    @Test
    void eachFactIsAskedForAndTheDecisionRunsAgain() {
        Change command = submit("a", 1, 2);
        assertThat(command.outcome()).isNotDone();
        answer(0, FACT);
        assertThat(isChanged(1)).isFalse();
        answer(1, FACT);
        assertThat(command.outcome()).isCompletedWithValue(true);
        assertThat(isChanged(1)).isTrue();
        assertThat(command.decided).isEqualTo(3);
        assertThat(asked).hasSize(2);
    }

    /** The decision sees it. */
    @Test
    void aRefusalForGoodIsAFact() {
        Change command = submit("a", 1, 1);
        answer(0, refusal(FsError.NOT_FOUND));
        assertThat(command.outcome()).isCompletedWithValue(false);
        assertThat(isChanged(1)).isFalse();
    }

    @Test
    void aSecondAnswerChangesNothing() {
        Change command = submit("a", 1, 1);
        answer(0, FACT);
        answer(0, refusal(FsError.NOT_FOUND));
        answer(0, FACT);
        assertThat(command.outcome()).isCompletedWithValue(true);
        assertThat(command.decided).isEqualTo(2);
    }

    @Test
    void aShardThatIsAwayIsAskedOnceInAnAttempt() {
        Change command = submit("a", 1, 1);
        answer(0, refusal(FsError.UNREACHABLE));
        time.runFor(60_000);
        assertDropped(command, FsError.BUSY, "shard 1 answered UNREACHABLE");
        assertThat(asked).hasSize(1);
        Change next = submit("a", 1, 1);
        answer(1, FACT);
        assertThat(next.outcome()).isCompletedWithValue(true);
    }

    @Test
    void aSubjectHasOneCommandUnderWay() {
        Change first = submit("a", 1, 1);
        Change second = submit("a", 2, 1);
        Change other = submit("b", 3, 1);
        assertDropped(second, FsError.BUSY, "ATest of a, attempt 1 is under way already");
        assertThat(second.decided).isZero();
        assertThat(asked).hasSize(2);
        answer(1, FACT);
        assertThat(other.outcome()).isCompletedWithValue(true);
        answer(0, FACT);
        assertThat(first.outcome()).isCompletedWithValue(true);
        assertThat(submit("a", 4, 0).outcome()).isCompletedWithValue(true);
    }

    @Test
    void asManyLooksAsARequestMayTakeEndIt() {
        Change command = submit("a", 1, 100);
        for (int i = 0; i < asked.size(); i++) {
            answer(i, FACT);
        }
        assertThat(asked).hasSize(100);
        assertDropped(command, FsError.BUSY, "more than 100 looks");
        assertThat(isChanged(1)).isFalse();
    }

    @Test
    void aDutyThatStoppedDecidesAndAsksNothing() {
        Change queued = new Change(1, 1);
        pursuits.submit("a", queued);
        pursuits.stop();
        time.runFor(1);
        assertDropped(queued, FsError.CANCELLED, "");
        assertThat(queued.decided).isZero();
        Change late = submit("b", 2, 0);
        assertDropped(late, FsError.CANCELLED, "");
        assertThat(asked).isEmpty();
    }

    @Test
    void anAnswerAfterTheDutyStoppedChangesNothing() {
        Change command = submit("a", 1, 1);
        pursuits.stop();
        answer(0, FACT);
        assertDropped(command, FsError.CANCELLED, "");
        assertThat(command.decided).isEqualTo(1);
        assertThat(isChanged(1)).isFalse();
    }

    @Test
    void aDutyThatStopsBetweenDecisionAndCommitAsksNothing() {
        Change command = new Change(1, 1);
        pursuits.submit("a", command);
        core.begin().ifPresent(batch -> {
            core.gather(batch);
            pursuits.stop();
            core.commit(batch);
        });
        assertDropped(command, FsError.CANCELLED, "before other shards were asked");
        assertThat(asked).isEmpty();
    }

    @Test
    void anAnswerAfterTheShardStoppedChangesNothing() {
        Change command = submit("a", 1, 1);
        core.close();
        answer(0, FACT);
        assertDropped(command, FsError.UNAVAILABLE, "closed");
        assertThat(isChanged(1)).isFalse();
    }

    @Test
    void aCommandWhoseQuestionThrowsAnErrorHearsThatAndFreesItsSubject() {
        networkIsBroken = true;
        Change command = submit("a", 1, 1);
        assertDropped(command, FsError.BUSY, "could not be asked");
        networkIsBroken = false;
        assertThat(submit("a", 1, 0).outcome()).isCompletedWithValue(true);
    }

    @Test
    void aCommandThatCouldNotBeQueuedFreesItsSubject() {
        queueIsBroken = true;
        assertThatThrownBy(() -> pursuits.submit("a", new Change(1, 0))).isInstanceOf(IllegalStateException.class);
        queueIsBroken = false;
        assertThat(submit("a", 1, 0).outcome()).isCompletedWithValue(true);
    }

    @Test
    void nothingIsHeldForADuty() {
        InternalCommand<Boolean> command = new InternalCommand<>() {
            @Override
            public Decision<Boolean> decide(ReadView view, Inputs inputs) {
                return Decision.of(inputs.peerAnswers().get(HELD).isOk());
            }
        };
        pursuits.submit("a", command);
        time.runFor(1);
        assertThatThrownBy(() -> command.outcome().join())
                .cause()
                .hasMessageContaining("ATest of a, attempt 1 needs something held")
                .isInstanceOfSatisfying(
                        FsException.class,
                        dropped -> assertThat(dropped.error()).isEqualTo(FsError.FAULT));
        assertThat(asked).isEmpty();
        assertThat(Intents.numbers(log.committed(), 0, 1)).isEmpty();
    }
}
