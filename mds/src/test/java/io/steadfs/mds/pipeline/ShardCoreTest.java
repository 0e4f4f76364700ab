package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import io.steadfs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShardCoreTest {
    private static final ShardLimits LIMITS = new ShardLimits(4, 100, 3, 50);

    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final List<LogRecord> heard = new ArrayList<>();
    private final LocalLog log = new LocalLog(store);
    private final ShardCore core =
            new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, heard::addAll);

    /** Row k now has value v. */
    private record RowSet(long key, long value) implements LogRecord {
        @Override
        public void replay(WriteView view) {
            view.put(ShardTables.META, Keys.of(key), Keys.of(value));
        }
    }

    /** A row of the heap. */
    private record Noted(long key) implements LogRecord {
        @Override
        public void replay(WriteView view) {
            view.put(LifeTables.CLAIM, Keys.of(key), Keys.of(1));
        }

        @Override
        public boolean isVolatile() {
            return true;
        }
    }

    private boolean isNoted(long key) {
        return log.committed().get(LifeTables.CLAIM, Keys.of(key)).isPresent();
    }

    /** Notes the key, and need not wait for a commit. */
    private static Outcome<Long> early(long key) {
        return new Outcome<>((view, inputs) -> new Decision<>(List.of(new Noted(key)), row(view, 1), true));
    }

    private static long row(ReadView view, long key) {
        return view.get(ShardTables.META, Keys.of(key))
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
    }

    /** Adds 1 to the row and answers what it then is. */
    private static Outcome<Long> increment(long key) {
        return new Outcome<>((view, inputs) -> {
            long next = row(view, key) + 1;
            return Decision.of(next, new RowSet(key, next));
        });
    }

    private Outcome<Long> submit(Outcome<Long> command) {
        core.submit(command);
        return command;
    }

    @Test
    void aBatchIsOneSyncAndEachDecisionSeesThoseBefore() {
        Outcome<Long> first = submit(increment(1));
        Outcome<Long> second = submit(increment(1));
        Outcome<Long> third = submit(increment(1));
        assertThat(first.ends()).isZero();

        assertThat(core.step()).isTrue();

        assertThat(List.of(first, second, third))
                .extracting(outcome -> outcome.answer().orElseThrow())
                .containsExactly(1L, 2L, 3L);
        assertThat(store.syncs()).isEqualTo(1);
        assertThat(row(store.crash().committed(), 1)).isEqualTo(3);
        assertThat(heard).hasSize(3);
        assertThat(core.counters()).isEqualTo(new ShardCounters(1, 3, 3, 0, 0, 0));
    }

    @Test
    void nothingIsAnsweredBeforeTheCommitNotEvenARefusal() {
        List<Integer> endsAtCommit = new ArrayList<>();
        Outcome<Long> change = increment(1);
        Outcome<Long> refusal = new Outcome<>((view, inputs) -> Decision.of(row(view, 1)));
        Outcome<Long> last = new Outcome<>((view, inputs) -> {
            endsAtCommit.add(change.ends());
            endsAtCommit.add(refusal.ends());
            return Decision.of(0L);
        });
        submit(change);
        submit(refusal);
        submit(last);
        core.step();
        assertThat(endsAtCommit).containsExactly(0, 0);
        assertThat(refusal.answer()).contains(1L);
    }

    @Test
    void aBatchOfRefusalsCostsNoSync() {
        Outcome<Long> refusal = submit(new Outcome<>((view, inputs) -> Decision.of(5L)));
        core.step();
        assertThat(refusal.answer()).contains(5L);
        assertThat(store.syncs()).isZero();
    }

    @Test
    void aFullQueueAnswersBusyAndDoesNothing() {
        IntStream.range(0, 4).forEach(i -> submit(increment(1)));
        Outcome<Long> tooMany = submit(increment(1));
        assertThat(tooMany.dropped()).contains(FsError.BUSY);
        while (core.step()) {}
        assertThat(row(store.committed(), 1)).isEqualTo(4);
        assertThat(submit(increment(1)).ends()).isZero();
        assertThat(core.counters().busy()).isEqualTo(1);
    }

    @Test
    void theQueueIsBoundedByBytesToo() {
        Outcome<Long> large = submit(new Outcome<>((view, inputs) -> Decision.of(1L), 1000));
        Outcome<Long> small = submit(new Outcome<>((view, inputs) -> Decision.of(1L), 1));
        assertThat(large.ends()).isZero();
        assertThat(small.dropped()).contains(FsError.BUSY);
        core.step();
        assertThat(large.answer()).contains(1L);
    }

    @Test
    void aBatchIsBoundedByCommandsAndByBytes() {
        IntStream.range(0, 4).forEach(i -> submit(increment(1)));
        core.step();
        assertThat(core.queueLength()).isEqualTo(1);
        core.step();
        assertThat(core.queueLength()).isZero();
        assertThat(store.syncs()).isEqualTo(2);

        submit(new Outcome<>((view, inputs) -> Decision.of(1L), 30));
        submit(new Outcome<>((view, inputs) -> Decision.of(1L), 20));
        submit(new Outcome<>((view, inputs) -> Decision.of(1L), 1));
        core.step();
        assertThat(core.queueLength()).isEqualTo(1);
    }

    @Test
    void aFailedAppendAnswersNothingAsDoneAndStopsTheShard() {
        submit(increment(1));
        core.step();
        Outcome<Long> inBatch = submit(increment(1));
        Outcome<Long> alsoInBatch = submit(increment(2));
        submit(increment(2));
        Outcome<Long> queued = submit(increment(3));
        store.failNextCommit();
        core.step();

        assertThat(List.of(inBatch, alsoInBatch)).allSatisfy(outcome -> {
            assertThat(outcome.failure()).isPresent();
            assertThat(outcome.answer()).isEmpty();
            assertThat(outcome.ends()).isEqualTo(1);
        });
        assertThat(queued.dropped()).contains(FsError.UNAVAILABLE);
        Outcome<Long> later = submit(increment(1));
        assertThat(later.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(later.why()).contains("commit failed as the test asked");
        assertThat(core.stopped().orElseThrow()).contains("log could not be written");
        assertThat(core.step()).isFalse();
        assertThat(row(store.committed(), 1)).isEqualTo(1);
    }

    @Test
    void aBatchIsDecidedOverTheOneThatIsBeingCommitted() {
        Outcome<Long> first = submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        Outcome<Long> second = submit(increment(1));
        Outcome<Long> refusal = submit(new Outcome<>((view, inputs) -> Decision.of(row(view, 1))));
        Batch next = gathered(core.begin(before));
        assertThat(List.of(first, second, refusal))
                .allSatisfy(outcome -> assertThat(outcome.ends()).isZero());

        core.commit(before);
        assertThat(first.answer()).contains(1L);
        assertThat(second.ends() + refusal.ends()).isZero();
        Outcome<Long> third = submit(increment(1));
        gathered(next);
        core.commit(next);

        assertThat(List.of(second, refusal, third))
                .extracting(outcome -> outcome.answer().orElseThrow())
                .containsExactly(2L, 2L, 3L);
        assertThat(store.syncs()).isEqualTo(2);
        assertThat(row(store.committed(), 1)).isEqualTo(3);
        assertThat(heard).hasSize(3);
    }

    @Test
    void anEarlyAnswerWaitsForNoCommit() {
        Outcome<Long> first = submit(increment(1));
        Outcome<Long> early = submit(early(7));
        Batch batch = gathered(core.begin().orElseThrow());
        assertThat(early.answer()).contains(1L);
        assertThat(isNoted(7)).isTrue();
        assertThat(first.ends()).isZero();

        Outcome<Long> above = submit(early(8));
        Batch next = gathered(core.begin(batch));
        assertThat(above.answer()).contains(1L);
        core.commit(batch);
        core.commit(next);
        assertThat(first.answer()).contains(1L);
        assertThat(store.syncs()).as("nothing durable is in the second batch").isEqualTo(1);
        assertThat(heard).hasSize(3);
        assertThat(core.counters().commands()).isEqualTo(3);
        assertThat(core.counters().batches()).isEqualTo(1);
    }

    @Test
    void aFailedCommitTakesNoEarlyAnswerBack() {
        Outcome<Long> first = submit(increment(1));
        Outcome<Long> early = submit(early(7));
        Batch batch = gathered(core.begin().orElseThrow());
        Outcome<Long> above = submit(early(8));
        Batch next = gathered(core.begin(batch));
        store.failNextCommit();
        core.commit(batch);
        core.commit(next);
        assertThat(first.failure()).isPresent();
        assertThat(List.of(early, above)).allSatisfy(outcome -> {
            assertThat(outcome.ends()).isEqualTo(1);
            assertThat(outcome.answer()).isPresent();
        });
    }

    @Test
    void aVolatileChangeThatIsNotEarlyIsAnsweredAfterTheBatch() {
        Outcome<Long> noted = submit(new Outcome<>((view, inputs) -> Decision.of(5L, new Noted(7))));
        Batch batch = gathered(core.begin().orElseThrow());
        assertThat(noted.ends()).isZero();
        assertThat(isNoted(7)).isFalse();
        core.commit(batch);
        assertThat(noted.answer()).contains(5L);
        assertThat(isNoted(7)).isTrue();
        assertThat(store.syncs()).isZero();
    }

    @Test
    void noDurableRecordHasAnEarlyAnswer() {
        assertThatThrownBy(() -> new Decision<>(List.of(new RowSet(1, 1)), 1L, true))
                .hasMessageContaining("an early answer with the durable record RowSet");
    }

    @Test
    void whatRestsOnAFailedBatchIsNotDone() {
        Outcome<Long> first = submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        Outcome<Long> change = submit(increment(1));
        Outcome<Long> refusal = submit(new Outcome<>((view, inputs) -> Decision.of(row(view, 1))));
        Batch next = gathered(core.begin(before));
        Outcome<Long> queued = submit(increment(2));
        store.failNextCommit();
        core.commit(before);
        core.commit(next);

        assertThat(first.failure()).isPresent();
        assertThat(List.of(change, refusal, queued)).allSatisfy(outcome -> {
            assertThat(outcome.dropped()).contains(FsError.UNAVAILABLE);
            assertThat(outcome.ends()).isEqualTo(1);
        });
        assertThat(row(store.committed(), 1)).isZero();
        assertThat(core.storeFailure()).isPresent();
    }

    @Test
    void aBrokenReplayLeavesTheBatchBeforeToItsEnd() {
        Outcome<Long> first = submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        Outcome<Long> also = submit(increment(1));
        Outcome<Long> guilty = submit(new Outcome<>((view, inputs) -> Decision.of(1L, overlay -> {
            throw new IllegalStateException("record of nobody");
        })));
        Batch next = gathered(core.begin(before));
        core.commit(before);
        core.commit(next);
        assertThat(first.answer()).contains(1L);
        assertThat(also.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(guilty.dropped()).contains(FsError.FAULT);
        assertThat(row(store.committed(), 1)).isEqualTo(1);
        assertThat(store.syncs()).isEqualTo(1);
    }

    @Test
    void aBrokenReplayStaysTheReasonWhereTheCommitBelowItFailsToo() {
        submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        submit(new Outcome<>((view, inputs) -> Decision.of(1L, overlay -> {
            throw new IllegalStateException("record of nobody");
        })));
        gathered(core.begin(before));
        store.failNextCommit();
        core.commit(before);
        assertThat(core.stopped().orElseThrow()).contains("a replay broke");
        assertThat(core.storeFailure())
                .as("opening the store again does not mend it")
                .isEmpty();
    }

    @Test
    void nothingIsCommittedOverWhatWasNot() {
        submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        Outcome<Long> change = submit(increment(1));
        Batch next = gathered(core.begin(before));
        core.commit(next);
        assertThat(change.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(store.syncs()).isZero();
        core.commit(before);
        assertThat(row(store.committed(), 1)).isEqualTo(1);
    }

    @Test
    void aBatchThatIsHandedOverGetsNothingMore() {
        submit(increment(1));
        Batch before = gathered(core.begin().orElseThrow());
        core.begin(before);
        Outcome<Long> late = submit(increment(1));
        core.gather(before);
        assertThat(late.dropped()).contains(FsError.FAULT);
        assertThat(late.why()).contains("closed");
    }

    @Test
    void anOpenBatchKeepsItsBoundsWhileItGrows() {
        IntStream.range(0, 2).forEach(i -> submit(increment(1)));
        Batch batch = gathered(core.begin().orElseThrow());
        IntStream.range(0, 3).forEach(i -> submit(increment(1)));
        gathered(batch);
        assertThat(batch.commands()).isEqualTo(3);
        assertThat(core.gather(batch)).isFalse();
        assertThat(core.queueLength()).isEqualTo(2);
        core.commit(batch);

        Batch second = gathered(core.begin().orElseThrow());
        submit(new Outcome<>((view, inputs) -> Decision.of(1L), 60));
        assertThat(core.gather(second)).as("too large for what is left").isFalse();
        core.commit(second);
        assertThat(core.step()).as("alone it fits").isTrue();
    }

    @Test
    void aBatchThatGrowsCountsTheBytesThatItHas() {
        submit(ofBytes(30));
        Batch first = gathered(core.begin().orElseThrow());
        submit(ofBytes(21));
        assertThat(core.gather(first)).as("51 bytes").isFalse();
        core.commit(first);

        Batch second = gathered(core.begin().orElseThrow());
        submit(ofBytes(29));
        gathered(second);
        assertThat(second.bytes()).isEqualTo(50);
        submit(ofBytes(1));
        assertThat(core.gather(second)).isFalse();
        core.commit(second);
    }

    private static Outcome<Long> ofBytes(int bytes) {
        return new Outcome<>((view, inputs) -> Decision.of(1L), bytes);
    }

    private Batch gathered(Batch batch) {
        assertThat(core.gather(batch)).isTrue();
        return batch;
    }

    @Test
    void aBrokenDecisionHarmsNoOther() {
        Outcome<Long> before = submit(increment(1));
        Outcome<Long> guilty = submit(new Outcome<>((view, inputs) -> {
            throw new IllegalStateException("dirent leads nowhere");
        }));
        Outcome<Long> after = submit(increment(1));
        core.step();
        assertThat(guilty.dropped()).contains(FsError.FAULT);
        assertThat(guilty.why()).contains("dirent leads nowhere");
        assertThat(before.answer()).contains(1L);
        assertThat(after.answer()).contains(2L);
        assertThat(List.of(before, guilty, after))
                .allSatisfy(outcome -> assertThat(outcome.ends()).isEqualTo(1));
        assertThat(core.counters().faults()).isEqualTo(1);
        assertThat(core.stopped()).isEmpty();
    }

    @Test
    void anErrorInADecisionStopsTheShardAndEverybodyHears() {
        Outcome<Long> before = submit(increment(1));
        Outcome<Long> guilty = submit(new Outcome<>((view, inputs) -> {
            throw new StackOverflowError("too deep");
        }));
        Outcome<Long> after = submit(increment(1));
        Outcome<Long> nextBatch = submit(increment(1));
        core.step();
        assertThat(guilty.dropped()).contains(FsError.FAULT);
        assertThat(guilty.why()).contains("too deep");
        assertThat(List.of(before, after, nextBatch))
                .allSatisfy(outcome -> assertThat(outcome.dropped()).contains(FsError.UNAVAILABLE));
        assertThat(List.of(before, guilty, after, nextBatch))
                .allSatisfy(outcome -> assertThat(outcome.ends()).isEqualTo(1));
        assertThat(store.syncs()).isZero();
        assertThat(row(store.committed(), 1)).isZero();
        assertThat(core.stopped().orElseThrow()).contains("a decision broke", "too deep");
    }

    @Test
    void aBrokenReplayStopsTheShardAndNothingOfItsBatchIsDone() {
        Outcome<Long> before = submit(increment(1));
        Outcome<Long> guilty = submit(new Outcome<>((view, inputs) -> Decision.of(1L, overlay -> {
            throw new IllegalStateException("record of nobody");
        })));
        Outcome<Long> after = submit(increment(1));
        core.step();
        assertThat(before.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(after.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(guilty.dropped()).contains(FsError.FAULT);
        assertThat(guilty.why()).contains("record of nobody");
        assertThat(List.of(before, guilty, after))
                .allSatisfy(outcome -> assertThat(outcome.ends()).isEqualTo(1));
        assertThat(store.syncs()).isZero();
        assertThat(row(store.committed(), 1)).isZero();
        assertThat(submit(increment(1)).dropped()).contains(FsError.UNAVAILABLE);
    }

    @Test
    void aCancelledCommandIsNotDecided() {
        Outcome<Long> cancelled = submit(increment(1));
        Outcome<Long> other = submit(increment(1));
        cancelled.cancel();
        core.step();
        assertThat(cancelled.dropped()).contains(FsError.CANCELLED);
        assertThat(other.answer()).contains(1L);
    }

    @Test
    void aClosedShardRefusesWhatIsQueuedAndWhatComes() {
        Outcome<Long> queued = submit(increment(1));
        core.close();
        assertThat(queued.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(submit(increment(1)).dropped()).contains(FsError.UNAVAILABLE);
    }

    @Test
    void anAnswerThatThrowsHarmsNoOther() {
        core.submit(new Command<Long>() {
            @Override
            public Decision<Long> decide(ReadView view, Inputs inputs) {
                return Decision.of(1L);
            }

            @Override
            public void answered(Long answer) {
                throw new IllegalStateException("peer is gone");
            }

            @Override
            public int sizeBytes() {
                return 1;
            }

            @Override
            public void failed(Throwable cause) {}

            @Override
            public void dropped(FsError error, String why) {}
        });
        Outcome<Long> other = submit(increment(1));
        core.step();
        assertThat(other.answer()).contains(1L);
        assertThat(core.stopped()).isEmpty();
    }

    @Test
    void countsFollowWhatIsDecidedAndAreSeenInTheSameBatch() {
        Totals countOfRow = (decided, before) ->
                decided.isEmpty() ? List.of() : List.of(new RowSet(9, row(before, 9) + decided.size()));
        ShardCore counting =
                new ShardCore(new LocalLog(store), committed -> FixedInputs.now(), LIMITS, countOfRow, heard::addAll);
        List<Outcome<Long>> seen =
                List.of(increment(1), increment(2), new Outcome<>((view, inputs) -> Decision.of(row(view, 9))));
        seen.forEach(counting::submit);

        counting.step();

        assertThat(seen).extracting(outcome -> outcome.answer().orElseThrow()).containsExactly(1L, 1L, 2L);
        assertThat(row(store.committed(), 9)).isEqualTo(2);
        assertThat(heard).hasSize(4);
    }
}
