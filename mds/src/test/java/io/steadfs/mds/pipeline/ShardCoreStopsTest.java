package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.store.ReadView;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a shard's writer stops, who hears of it, and what listeners are told around a commit. */
class ShardCoreStopsTest {
    private static final ShardLimits LIMITS = new ShardLimits(10, 100, 10, 50);

    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final MetadataLog log = new LocalLog(store);
    private final List<String> heard = new ArrayList<>();

    private final CommitListener noting = new CommitListener() {
        @Override
        public void committing(List<LogRecord> records) {
            heard.add("committing " + records.size() + ", syncs " + store.syncs());
        }

        @Override
        public void committed(List<LogRecord> records) {
            heard.add("committed " + records.size() + ", syncs " + store.syncs());
        }
    };

    private ShardCore core(InputSource inputs, CommitListener listener) {
        return new ShardCore(log, inputs, LIMITS, Totals.NONE, listener);
    }

    /** Notes what it is told, and sets a row. */
    private final class Noting implements Command<Long> {
        @Override
        public Decision<Long> decide(ReadView view, Inputs inputs) {
            heard.add("decide");
            return Decision.of(1L, overlay -> overlay.put(ShardTables.META, Keys.of(1L), Keys.of(1L)));
        }

        @Override
        public void deciding() {
            heard.add("deciding");
        }

        @Override
        public void committing() {
            heard.add("command committing, syncs " + store.syncs());
        }

        @Override
        public void committed() {
            heard.add("command committed, syncs " + store.syncs());
        }

        @Override
        public void answered(Long answer) {
            heard.add("answered");
        }

        @Override
        public void failed(Throwable cause) {
            heard.add("failed");
        }

        @Override
        public void dropped(FsError error, String why) {
            heard.add("dropped");
        }
    }

    private static Outcome<Long> reading() {
        return new Outcome<>((view, inputs) -> Decision.of(1L));
    }

    @Test
    void listenersHearBeforeAndBehindTheCommit() {
        ShardCore core = core(committed -> FixedInputs.now(), noting.and(records -> heard.add("other")));
        core.submit(new Noting());
        core.step();
        assertThat(heard)
                .containsExactly(
                        "deciding",
                        "decide",
                        "committing 1, syncs 0",
                        "command committing, syncs 0",
                        "command committed, syncs 1",
                        "answered",
                        "committed 1, syncs 1",
                        "other");
    }

    @Test
    void bothListenersHearOfWhatIsAboutToBeCommitted() {
        List<String> second = new ArrayList<>();
        CommitListener other = new CommitListener() {
            @Override
            public void committing(List<LogRecord> records) {
                second.add("committing");
            }

            @Override
            public void committed(List<LogRecord> records) {
                second.add("committed");
            }
        };
        ShardCore core = core(committed -> FixedInputs.now(), noting.and(other));
        core.submit(new Noting());
        core.step();
        assertThat(second).containsExactly("committing", "committed");
    }

    @Test
    void aListenerThatFailsBehindTheCommitHarmsNobody() {
        ShardCore core = core(committed -> FixedInputs.now(), records -> {
            throw new IllegalStateException("as the test asked");
        });
        core.submit(new Noting());
        core.step();
        Outcome<Long> next = reading();
        core.submit(next);
        core.step();
        assertThat(heard).contains("answered");
        assertThat(next.answer()).contains(1L);
        assertThat(core.stopped()).isEmpty();
    }

    @Test
    void aStateThatCannotBeReadStopsTheShard() {
        ShardCore core = core(committed -> FixedInputs.now(), noting);
        Outcome<Long> queued = reading();
        core.submit(queued);
        store.close();
        assertThat(core.step()).isTrue();
        assertThat(queued.dropped()).contains(FsError.UNAVAILABLE);
        assertThat(queued.why()).contains("the shard stopped", "its state cannot be read");
        assertThat(core.begin()).isEmpty();
        assertThat(core.stopped().orElseThrow()).contains("its state cannot be read");
    }

    @Test
    void inputsThatCannotBeReadStopTheShardAndNothingOfTheBatchIsDone() {
        IOException disk = new IOException("disk is gone");
        boolean[] fails = new boolean[1];
        ShardCore core = core(
                committed -> {
                    if (fails[0]) {
                        throw new UncheckedIOException(disk);
                    }
                    return FixedInputs.now();
                },
                noting);
        Batch batch = core.begin().orElseThrow();
        Outcome<Long> decided = new Outcome<>(
                (view, inputs) -> Decision.of(1L, overlay -> overlay.put(ShardTables.META, Keys.of(1L), Keys.of(1L))));
        core.submit(decided);
        core.gather(batch);
        fails[0] = true;
        Outcome<Long> taken = reading();
        core.submit(taken);
        assertThat(core.gather(batch)).isTrue();
        core.commit(batch);

        assertThat(List.of(decided, taken)).allSatisfy(each -> {
            assertThat(each.dropped()).contains(FsError.UNAVAILABLE);
            assertThat(each.why()).contains("disk is gone");
            assertThat(each.ends()).isEqualTo(1);
        });
        assertThat(store.syncs()).isZero();
        assertThat(core.storeFailure()).containsInstanceOf(UncheckedIOException.class);
    }

    @Test
    void aFailureThatIsNotTheStoresIsNoReasonToOpenItAgain() {
        ShardCore core = core(
                committed -> {
                    throw new IllegalStateException("no cluster map");
                },
                noting);
        core.submit(reading());
        core.step();
        assertThat(core.stopped().orElseThrow()).contains("no cluster map");
        assertThat(core.storeFailure()).isEmpty();
    }

    @Test
    void theFirstReasonStaysUnlessALastingOneFollows() {
        ShardCore core = core(
                committed -> {
                    throw new UncheckedIOException(new IOException("disk is gone"));
                },
                noting);
        core.submit(reading());
        core.step();
        store.close();
        assertThat(core.begin()).isEmpty();
        assertThat(core.stopped().orElseThrow()).contains("disk is gone");
        core.broke("an invariant", new IllegalStateException("first"));
        assertThat(core.stopped()).contains("an invariant");
        assertThat(core.storeFailure()).isEmpty();
        core.broke("another one", new IllegalStateException("second"));
        assertThat(core.stopped()).contains("an invariant");
    }

    @Test
    void aClosedShardSaysThatItIsClosedAndACountedCancelIsNoCommand() {
        ShardCore core = core(committed -> FixedInputs.now(), noting);
        Outcome<Long> cancelled = reading();
        cancelled.cancel();
        core.submit(cancelled);
        core.step();
        assertThat(core.counters()).isEqualTo(new ShardCounters(0, 0, 0, 0, 1, 0));
        assertThat(cancelled.why()).contains("cancelled");
        core.close();
        Outcome<Long> late = reading();
        core.submit(late);
        assertThat(late.why()).isEqualTo("the shard is closed");
        assertThat(core.stopped()).isEmpty();
        assertThat(core.step()).isFalse();
    }
}
