package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import io.steadfs.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a shard's writer does with rows that others have copies of, and with batches that were decided with copies. */
class ShardCoreCopiesTest {
    /** Others have copies of this row. */
    private static final long COPIED = 7;

    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final Rules rules = new Rules();
    private final ShardCore core = new ShardCore(
            new LocalLog(store),
            committed -> FixedInputs.now(),
            new ShardLimits(4, 100, 4, 100),
            Totals.NONE,
            records -> {},
            rules);

    private record RowSet(long key, long value) implements LogRecord {
        @Override
        public void replay(WriteView view) {
            view.put(ShardTables.META, Keys.of(key), Keys.of(value));
        }
    }

    /** Copies that others have until they are told to give them back, and terms that end when a test says so. */
    private static final class Rules implements CopyRules {
        private boolean given = true;
        private boolean termOver;
        private boolean late;
        private int holds;
        private final List<Runnable> waiting = new ArrayList<>();

        void giveBack() {
            given = false;
            List<Runnable> all = List.copyOf(waiting);
            waiting.clear();
            all.forEach(Runnable::run);
        }

        @Override
        public BatchCopies begin() {
            return new BatchCopies() {
                @Override
                public AncestorCopies copies() {
                    return AncestorCopies.NONE;
                }

                @Override
                public boolean publish() {
                    late = true;
                    return !termOver;
                }
            };
        }

        @Override
        public void durable() {
            late = false;
        }

        @Override
        public Hold hold(List<LogRecord> records, ReadView before) {
            boolean copied = records.stream().anyMatch(each -> each instanceof RowSet set && set.key() == COPIED);
            if (!copied) {
                return Hold.NONE;
            }
            holds++;
            return new Hold() {
                @Override
                public boolean isFree() {
                    return !given;
                }

                @Override
                public void whenFree(Runnable then) {
                    waiting.add(then);
                }

                @Override
                public void release() {
                    holds--;
                }
            };
        }
    }

    private Optional<Long> row(long key) {
        return store.committed().get(ShardTables.META, Keys.of(key)).map(value -> Keys.longAt(value, 0));
    }

    private Outcome<Long> set(long key, long value) {
        Outcome<Long> command = new Outcome<>((view, inputs) -> Decision.of(value, new RowSet(key, value)));
        core.submit(command);
        return command;
    }

    @Test
    void aChangeWaitsForCopiesAndOthersDoNot() {
        Outcome<Long> waits = set(COPIED, 1);
        Outcome<Long> other = set(8, 2);
        core.step();
        assertThat(other.answer()).contains(2L);
        assertThat(waits.ends()).isZero();
        assertThat(row(COPIED)).isEmpty();
        assertThat(rules.holds).as("nobody gets a copy meanwhile").isEqualTo(1);

        rules.giveBack();
        assertThat(waits.ends()).isZero();
        core.step();
        assertThat(waits.answer()).contains(1L);
        assertThat(row(COPIED)).contains(1L);
        assertThat(rules.holds).isZero();
    }

    @Test
    void aHoldEndsWhenTheChangeIsDurable() {
        rules.giveBack();
        set(COPIED, 1);
        Batch batch = core.begin().orElseThrow();
        core.gather(batch);
        assertThat(rules.holds).isEqualTo(1);
        core.commit(batch);
        assertThat(rules.holds).isZero();
    }

    @Test
    void aChangeIsDecidedAnewAfterItsWait() {
        Outcome<Long> waits = new Outcome<>((view, inputs) -> {
            boolean isSet = view.get(ShardTables.META, Keys.of(8)).isPresent();
            return isSet ? Decision.of(-1L) : Decision.of(1L, new RowSet(COPIED, 1));
        });
        core.submit(waits);
        core.step();
        set(8, 1);
        core.step();
        rules.giveBack();
        core.step();
        assertThat(waits.answer()).contains(-1L);
        assertThat(row(COPIED)).isEmpty();
        assertThat(rules.holds).isZero();
    }

    @Test
    void aChangeThatNobodyWaitsForAnyMoreEndsItsHold() {
        Outcome<Long> waits = set(COPIED, 1);
        core.step();
        waits.cancel();
        rules.giveBack();
        core.step();
        assertThat(waits.dropped()).contains(FsError.CANCELLED);
        assertThat(rules.holds).isZero();
    }

    @Test
    void aCoreThatStopsDropsWhatWaits() {
        Outcome<Long> waits = set(COPIED, 1);
        core.step();
        core.close();
        assertThat(waits.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(rules.holds).isZero();
        rules.giveBack();
        assertThat(waits.ends()).isEqualTo(1);
    }

    @Test
    void aCoreThatStopsEndsTheHoldsOfWhatIsQueuedAgain() {
        Outcome<Long> waits = set(COPIED, 1);
        core.step();
        rules.giveBack();
        core.close();
        assertThat(waits.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(rules.holds).isZero();
    }

    @Test
    void nothingIsDecidedOnABatchThatWasThrownAway() {
        set(1, 1);
        Batch first = core.begin().orElseThrow();
        core.gather(first);
        Batch second = core.begin(first);
        set(2, 2);
        core.gather(second);
        rules.termOver = true;
        core.commit(first);
        rules.termOver = false;
        Outcome<Long> later = set(3, 3);
        assertThat(core.gather(second)).isFalse();
        assertThat(core.gather(core.begin(second))).isFalse();
        core.commit(second);
        assertThat(later.ends()).isZero();
        core.step();
        assertThat(later.answer()).contains(3L);
    }

    @Test
    void changesThatWaitAreBounded() {
        List<Outcome<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(set(COPIED, i));
            core.step();
        }
        Outcome<Long> tooMany = set(COPIED, 5);
        core.step();
        assertThat(tooMany.dropped()).contains(FsError.BUSY);
        assertThat(waiting).allMatch(each -> each.ends() == 0);
        rules.giveBack();
        while (core.step()) {}
        assertThat(waiting).allMatch(each -> each.answer().isPresent());
        assertThat(rules.holds).isZero();
    }

    @Test
    void bytesOfChangesThatWaitAreBounded() {
        Outcome<Long> first = sized(60);
        Outcome<Long> tooMuch = sized(41);
        assertThat(tooMuch.dropped()).contains(FsError.BUSY);
        Outcome<Long> fits = sized(40);
        assertThat(first.ends() + fits.ends()).isZero();
        rules.giveBack();
        while (core.step()) {}
        assertThat(first.answer()).contains(1L);
        assertThat(fits.answer()).contains(1L);
        assertThat(rules.holds).isZero();
    }

    private Outcome<Long> sized(int bytes) {
        Outcome<Long> command = new Outcome<>((view, inputs) -> Decision.of(1L, new RowSet(COPIED, 1)), bytes);
        core.submit(command);
        core.step();
        return command;
    }

    @Test
    void aFullQueueRefusesWhatComesBack() {
        Outcome<Long> waits = set(COPIED, 1);
        core.step();
        for (int i = 0; i < 4; i++) {
            set(8, i);
        }
        rules.giveBack();
        assertThat(waits.dropped()).contains(FsError.BUSY);
        assertThat(rules.holds).isZero();
    }

    @Test
    void aBatchWhoseTermIsOverIsThrownAwayWithTheOneAbove() {
        Outcome<Long> below = set(1, 1);
        Batch first = core.begin().orElseThrow();
        core.gather(first);
        Batch second = core.begin(first);
        Outcome<Long> above = set(2, 2);
        core.gather(second);
        rules.termOver = true;
        core.commit(first);
        rules.termOver = false;
        core.commit(second);
        assertThat(below.dropped()).contains(FsError.BUSY);
        assertThat(above.dropped()).contains(FsError.BUSY);
        assertThat(store.syncs()).isZero();
        assertThat(rules.late).isFalse();

        Outcome<Long> later = set(3, 3);
        core.step();
        assertThat(later.answer()).contains(3L);
        assertThat(row(1)).isEmpty();
        assertThat(row(2)).isEmpty();
    }

    @Test
    void aBatchThatIsThrownAwayEndsItsHolds() {
        rules.giveBack();
        set(COPIED, 1);
        rules.termOver = true;
        core.step();
        assertThat(rules.holds).isZero();
        assertThat(row(COPIED)).isEmpty();
    }
}
