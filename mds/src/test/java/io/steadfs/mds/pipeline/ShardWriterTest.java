package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.error.FsError;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.WriteView;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardWriterTest {
    private static final ShardLimits LIMITS = new ShardLimits(100_000, 1 << 30, 64, 1 << 20);

    private static final WriterPacing NO_WINDOW = new WriterPacing(0);

    private record Counted(long value) implements LogRecord {
        @Override
        public void replay(WriteView view) {
            view.put(ShardTables.META, Keys.of(1), Keys.of(value));
        }
    }

    private static Outcome<Long> increment() {
        return increment(1);
    }

    private static Outcome<Long> increment(int sizeBytes) {
        return new Outcome<>(
                (view, inputs) -> {
                    long next = view.get(ShardTables.META, Keys.of(1))
                                    .map(value -> Keys.longAt(value, 0))
                                    .orElse(0L)
                            + 1;
                    return Decision.of(next, new Counted(next));
                },
                sizeBytes);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 200})
    void everyCommandOfManyThreadsIsAnsweredOnce(long windowMicros) throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        ShardCore core =
                new ShardCore(new LocalLog(store), committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        List<List<Outcome<Long>>> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (ShardWriter writer = new ShardWriter(core, LIMITS, new WriterPacing(windowMicros), "writer under test")) {
            writer.start();
            for (int t = 0; t < 4; t++) {
                List<Outcome<Long>> mine = new ArrayList<>();
                all.add(mine);
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 500; i++) {
                        Outcome<Long> command = anyOf(i, increment());
                        mine.add(command);
                        core.submit(command);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> core.counters().commands() == 2000 && core.queueLength() == 0);
        }
        List<Long> answers = all.stream()
                .flatMap(List::stream)
                .map(outcome -> outcome.answer().orElseThrow())
                .sorted()
                .toList();
        assertThat(answers).hasSize(2000).doesNotHaveDuplicates();
        assertThat(answers.get(1999)).isEqualTo(2000);
        assertThat(store.syncs()).isEqualTo(core.counters().batches()).isLessThanOrEqualTo(2000);
        Outcome<Long> late = increment();
        core.submit(late);
        assertThat(late.dropped()).contains(FsError.UNAVAILABLE);
    }

    /** Lets the thread that submits the command do nothing, decide it, or decide and commit it. */
    private static Outcome<Long> anyOf(int which, Outcome<Long> command) {
        return switch (which % 3) {
            case 0 -> command.here();
            case 1 -> command.decidedHere();
            default -> command;
        };
    }

    /** A log of which a test changes how it appends. */
    private abstract static class ChangedLog implements MetadataLog {
        final MetadataLog inner;

        ChangedLog(Store store) {
            this.inner = new LocalLog(store);
        }

        @Override
        public ReadView committed() {
            return inner.committed();
        }

        @Override
        public Store.Snapshot snapshot() {
            return inner.snapshot();
        }

        @Override
        public Store.Snapshot glance() {
            return inner.glance();
        }

        @Override
        public Overlay begin() {
            return inner.begin();
        }

        @Override
        public WriteView volatileRows() {
            return inner.volatileRows();
        }
    }

    /** The store's commit waits until the test lets it go on. */
    private static final class HeldLog extends ChangedLog {
        private final Semaphore begun = new Semaphore(0);
        private final Semaphore mayEnd = new Semaphore(0);

        HeldLog(Store store) {
            super(store);
        }

        @Override
        public void append(List<LogRecord> records, Overlay batch) throws IOException {
            begun.release();
            mayEnd.acquireUninterruptibly();
            inner.append(records, batch);
        }
    }

    @Test
    void theNextBatchIsDecidedAndGrowsWhileOneIsCommitted() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        List<Outcome<Long>> first = submitted(core, 2);
        List<Outcome<Long>> next = new ArrayList<>();
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 3; i++) {
                next.addAll(submitted(core, 1));
                assertThat(core.queueLength()).as("not to be decided here").isEqualTo(1);
                Outcome<Long> here = increment().decidedHere();
                next.add(here);
                core.submit(here);
                assertThat(core.queueLength()).isZero();
            }
            assertThat(first).allSatisfy(outcome -> assertThat(outcome.ends()).isZero());
            log.mayEnd.release();
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            assertThat(first)
                    .extracting(outcome -> outcome.answer().orElseThrow())
                    .containsExactly(1L, 2L);
            assertThat(next).allSatisfy(outcome -> assertThat(outcome.ends()).isZero());
            log.mayEnd.release();
        }
        assertThat(next).extracting(outcome -> outcome.answer().orElseThrow()).containsExactly(3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(store.syncs()).isEqualTo(2);
    }

    @Test
    void whatNobodyDecidedDuringACommitIsDecidedAfterIt() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            core.submit(increment());
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            List<Outcome<Long>> next = submitted(core, 40);
            Outcome<Long> here = increment().decidedHere();
            core.submit(here);
            assertThat(core.queueLength()).as("one thread decides a few").isEqualTo(41 - 16);
            log.mayEnd.release(2);
            await().atMost(Duration.ofSeconds(10)).until(() -> here.answer().isPresent());
            assertThat(here.answer()).hasValue(42L);
            assertThat(next).allSatisfy(outcome -> assertThat(outcome.ends()).isEqualTo(1));
        }
        assertThat(store.syncs()).isEqualTo(2);
    }

    @Test
    void withAWindowOnlyTheWriterDecides() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        try (ShardWriter writer = new ShardWriter(core, LIMITS, new WriterPacing(100), "writer under test")) {
            writer.start();
            core.submit(increment());
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            Outcome<Long> next = increment().decidedHere();
            core.submit(next);
            assertThat(core.queueLength()).isEqualTo(1);
            log.mayEnd.release(2);
            await().atMost(Duration.ofSeconds(10)).until(() -> next.answer().isPresent());
        }
    }

    @Test
    void whatWasDecidedOverACommitThatFailsIsNotDone() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        Outcome<Long> first = increment();
        Outcome<Long> next = increment().decidedHere();
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            core.submit(first);
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            core.submit(next);
            assertThat(core.queueLength()).isZero();
            store.failNextCommit();
            log.mayEnd.release(2);
        }
        assertThat(first.failure()).isPresent();
        assertThat(next.dropped()).hasValue(FsError.UNAVAILABLE);
        assertThat(store.committed().get(ShardTables.META, Keys.of(1))).isEmpty();
    }

    /** Which thread does it; and the disk may be slow, by a clock that stands still otherwise. */
    private static final class NotingLog extends ChangedLog {
        private final List<String> threads = Collections.synchronizedList(new ArrayList<>());
        private final AtomicLong nanos = new AtomicLong();
        private volatile long slowNanos;

        NotingLog(Store store) {
            super(store);
        }

        @Override
        public void append(List<LogRecord> records, Overlay batch) throws IOException {
            threads.add(Thread.currentThread().getName());
            nanos.addAndGet(slowNanos);
            inner.append(records, batch);
        }
    }

    @Test
    void whateverIsDecidedByOtherThreadsTheWritersThreadCommits() {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        NotingLog log = new NotingLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        List<Outcome<Long>> all = submitted(core, 300);
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            for (int i = 0; i < 300; i++) {
                Outcome<Long> command = increment().decidedHere();
                all.add(command);
                core.submit(command);
            }
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> all.stream().allMatch(each -> each.answer().isPresent()));
        }
        assertThat(log.threads).hasSizeGreaterThan(3).containsOnly("writer under test");
    }

    /** Submits one command after another, each after the answer to the one before, from this thread. */
    private static void oneByOne(ShardCore core, boolean here, int count) {
        for (int i = 0; i < count; i++) {
            Outcome<Long> command = here ? increment().here() : increment();
            core.submit(command);
            await().atMost(Duration.ofSeconds(10)).until(() -> command.answer().isPresent());
        }
    }

    @Test
    void aCommandThatMayRunHereIsDoneByTheThreadThatSubmitsIt() {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        NotingLog log = new NotingLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test", log.nanos::get)) {
            writer.start();
            String here = Thread.currentThread().getName();
            oneByOne(core, false, 3);
            assertThat(log.threads).containsOnly("writer under test");
            awaitThatItWaits("writer under test");
            log.threads.clear();
            oneByOne(core, true, 3);
            assertThat(log.threads).containsOnly(here);
            log.slowNanos = TimeUnit.MILLISECONDS.toNanos(25);
            oneByOne(core, true, 1);
            log.slowNanos = 0;
            log.threads.clear();
            oneByOne(core, true, 3);
            assertThat(log.threads).as("after a slow commit").containsOnly("writer under test");
        }
        assertThat(store.committed().get(ShardTables.META, Keys.of(1)))
                .hasValueSatisfying(value -> assertThat(Keys.longAt(value, 0)).isEqualTo(10));
    }

    @Test
    void noThreadCommitsBesideTheWriter() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            core.submit(increment());
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            Outcome<Long> alone = increment().here();
            core.submit(alone);
            assertThat(alone.ends()).isZero();
            log.mayEnd.release(2);
            await().atMost(Duration.ofSeconds(10)).until(() -> alone.answer().isPresent());
        }
    }

    /** A writer that comes to its queue only now could take what another thread submits to do itself. */
    private static void awaitThatItWaits(String writer) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(each ->
                                each.getName().equals(writer) && each.getState() == Thread.State.TIMED_WAITING));
    }

    @Test
    void whatComesWhileAnotherThreadHasTheTurnIsDoneAfterIt() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test");
        writer.start();
        awaitThatItWaits("writer under test");
        Outcome<Long> first = increment().here();
        Thread caller = new Thread(() -> core.submit(first), "caller");
        caller.start();
        assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        Outcome<Long> ofWriter = increment();
        Outcome<Long> ofOther = increment().here();
        core.submit(ofWriter);
        core.submit(ofOther);
        assertThat(first.ends() + ofWriter.ends() + ofOther.ends()).isZero();
        log.mayEnd.release(3);
        caller.join();
        assertThat(first.answer()).hasValue(1L);
        await().atMost(Duration.ofSeconds(10)).until(() -> ofWriter.ends() + ofOther.ends() == 2);
        assertThat(ofWriter.answer()).hasValue(2L);
        assertThat(ofOther.answer()).hasValue(3L);
        writer.close();
    }

    @Test
    void aCloseWaitsForTheThreadThatHasTheTurn() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test");
        writer.start();
        awaitThatItWaits("writer under test");
        Outcome<Long> command = increment().here();
        Thread caller = new Thread(() -> core.submit(command), "caller");
        caller.start();
        assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(writer::close, "closing");
        closing.start();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> closing.getState() == Thread.State.TIMED_WAITING
                        && core.queue().isClosed());
        assertThat(command.ends()).isZero();
        log.mayEnd.release();
        closing.join();
        caller.join();
        assertThat(command.answer()).hasValue(1L);
        Outcome<Long> late = increment().here();
        core.submit(late);
        assertThat(late.dropped()).contains(FsError.UNAVAILABLE);
    }

    /** A command whose failure tells nobody. */
    private abstract static class Answered implements Command<Long> {
        @Override
        public void failed(Throwable cause) {}

        @Override
        public void dropped(FsError error, String why) {}
    }

    /** An answer that submits another command, as the legs of an operation do. */
    private static final class Following extends Answered {
        private final ShardCore core;
        private final Outcome<Long> next = increment().here();

        Following(ShardCore core) {
            this.core = core;
        }

        @Override
        public Decision<Long> decide(ReadView view, Inputs inputs) {
            return Decision.of(0L);
        }

        @Override
        public boolean mayRunHere() {
            return true;
        }

        @Override
        public void answered(Long answer) {
            core.submit(next);
        }
    }

    @Test
    void anAnswerMaySubmitTheNextCommand() {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        ShardCore core =
                new ShardCore(new LocalLog(store), committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            for (int i = 1; i <= 20; i++) {
                Following command = new Following(core);
                core.submit(command);
                await().atMost(Duration.ofSeconds(10))
                        .until(() -> command.next.answer().isPresent());
                assertThat(command.next.answer()).hasValue((long) i);
            }
        }
    }

    /** A command that is answered when it is decided, and whose answer submits the next one. */
    private static final class Early extends Answered {
        private final ShardCore core;
        private final int more;
        private final AtomicInteger answers;

        Early(ShardCore core, int more, AtomicInteger answers) {
            this.core = core;
            this.more = more;
            this.answers = answers;
        }

        @Override
        public Decision<Long> decide(ReadView view, Inputs inputs) {
            return new Decision<>(List.of(), 0L, true);
        }

        @Override
        public boolean mayBeDecidedHere() {
            return true;
        }

        @Override
        public void answered(Long answer) {
            answers.incrementAndGet();
            if (more > 0) {
                core.submit(new Early(core, more - 1, answers));
            }
        }
    }

    /** Each of them would be decided within the answer of the one before, if a thread decided while it decides. */
    @Test
    void answersThatSubmitCommandsDuringACommitAreNotNested() throws InterruptedException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        HeldLog log = new HeldLog(store);
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        AtomicInteger answers = new AtomicInteger();
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            core.submit(increment());
            assertThat(log.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            core.submit(new Early(core, 50_000, answers));
            assertThat(answers).as("one thread decides a few").hasValue(16);
            log.mayEnd.release();
            await().atMost(Duration.ofSeconds(30)).until(() -> answers.get() == 50_001);
        }
    }

    @Test
    void anAverageFollowsWhatCommitsTake() {
        CommitTime time = new CommitTime();
        assertThat(time.averageNanos()).isZero();
        time.took(800);
        assertThat(time.averageNanos()).isEqualTo(800);
        time.took(1600);
        assertThat(time.averageNanos()).isEqualTo(900);
        time.took(100);
        assertThat(time.averageNanos()).isEqualTo(800);
    }

    @Test
    void anAnswerThatBreaksHarmsNoOther() {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        ShardCore core =
                new ShardCore(new LocalLog(store), committed -> FixedInputs.now(), LIMITS, Totals.NONE, records -> {});
        core.submit(new Breaking());
        List<Outcome<Long>> others = submitted(core, 3);
        try (ShardWriter writer = new ShardWriter(core, LIMITS, NO_WINDOW, "writer under test")) {
            writer.start();
            others.addAll(submitted(core, 100));
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> others.stream().allMatch(each -> each.answer().isPresent()));
        }
    }

    private static final class Breaking extends Answered {
        @Override
        public Decision<Long> decide(ReadView view, Inputs inputs) {
            return Decision.of(1L);
        }

        @Override
        public void answered(Long answer) {
            throw new OutOfMemoryError("as the test asked");
        }
    }

    /** Failures at random places, closes at random times: each command ends once, and what was answered is what is there. */
    @Test
    void everyCommandEndsOnceWhateverFails() throws InterruptedException {
        for (int seed = 0; seed < 60; seed++) {
            storm(seed);
        }
    }

    private static void storm(int seed) throws InterruptedException {
        Random random = new Random(seed);
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        ShardLimits limits = new ShardLimits(50, 1000, 8, 40);
        FailingLog log = new FailingLog(store, random.nextInt(60), random.nextInt(3));
        ShardCore core = new ShardCore(log, committed -> FixedInputs.now(), limits, Totals.NONE, records -> {});
        List<Outcome<Long>> all = Collections.synchronizedList(new ArrayList<>());
        int brokenAt = random.nextInt(4) == 0 ? random.nextInt(300) : -1;
        int closeAt = random.nextInt(900);
        WriterPacing pacing = new WriterPacing(random.nextInt(3) * 50L);
        try (ShardWriter writer = new ShardWriter(core, limits, pacing, "writer " + seed)) {
            writer.start();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Random mine = new Random(random.nextLong());
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 150; i++) {
                        Outcome<Long> command = all.size() == brokenAt ? broken() : increment(1 + mine.nextInt(25));
                        all.add(command);
                        core.submit(anyOf(mine.nextInt(3), command));
                        if (all.size() == closeAt) {
                            core.close();
                        }
                        if (mine.nextInt(3) == 0) {
                            LockSupport.parkNanos(50_000);
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(all)
                .as("seed %d", seed)
                .allSatisfy(outcome -> assertThat(outcome.ends()).isEqualTo(1));
        List<Long> answers = all.stream()
                .flatMap(outcome -> outcome.answer().stream())
                .sorted()
                .toList();
        long state = store.committed()
                .get(ShardTables.META, Keys.of(1))
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
        assertThat(answers)
                .as("seed %d", seed)
                .isEqualTo(LongStream.rangeClosed(1, state).boxed().toList());
    }

    private static Outcome<Long> broken() {
        return new Outcome<>((view, inputs) -> Decision.of(1L, overlay -> {
            throw new IllegalStateException("record of nobody");
        }));
    }

    /** Appends slowly, and one of them fails. */
    private static final class FailingLog extends ChangedLog {
        private final MemoryStore store;
        private final int failAt;
        private final int how;
        private int appends;

        /** @param how 0 = not at all, 1 = the store fails, 2 = an Error */
        FailingLog(MemoryStore store, int failAt, int how) {
            super(store);
            this.store = store;
            this.failAt = failAt;
            this.how = how;
        }

        @Override
        public void append(List<LogRecord> records, Overlay batch) throws IOException {
            LockSupport.parkNanos(100_000);
            if (++appends == failAt && how == 1) {
                store.failNextCommit();
            }
            if (appends == failAt && how == 2) {
                throw new OutOfMemoryError("as the test asked");
            }
            inner.append(records, batch);
        }
    }

    private static List<Outcome<Long>> submitted(ShardCore core, int count) {
        List<Outcome<Long>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(increment());
        }
        all.forEach(core::submit);
        return all;
    }
}
