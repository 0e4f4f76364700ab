package io.steadfs.store.mark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.Unsettled;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.store.rocks.WalEnds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreMarksTest {
    private static final Table ROWS = new Table("rows");
    private static final Table FACTS = new Table("meta");
    private static final List<Table> TABLES = List.of(ROWS, FACTS);
    private static final StoreMarks.Loss NOTHING = (rows, incarnation) -> {};

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryMark place = new MemoryMark();

    @TempDir
    private Path directory = Path.of("");

    private StoreMarks marks(boolean accepts, StoreMarks.Loss loss) {
        return marks(accepts ? AcceptedLoss.OLDER_STORE : AcceptedLoss.NONE, loss);
    }

    private StoreMarks marks(AcceptedLoss accepted, StoreMarks.Loss loss) {
        return new StoreMarks("shard 3", FACTS, place, time, loss, accepted);
    }

    /** A process that has the store open. */
    private final class Life implements AutoCloseable {
        private final RocksStore store;
        private final StoreMarks.Marking marking;

        Life(Path where, boolean accepts) throws IOException {
            store = RocksStore.open(where, TABLES, Settings.defaults());
            try {
                marking = marks(accepts, NOTHING).open(store, store::syncs, time);
            } catch (IOException | RuntimeException e) {
                store.close();
                throw e;
            }
        }

        void put(int number) throws IOException {
            StoreMarksTest.put(store, number, true);
        }

        boolean has(int number) {
            return store.committed().get(ROWS, key(number)).isPresent();
        }

        Optional<String> unsettled() {
            return Unsettled.of(store.committed(), FACTS);
        }

        @Override
        public void close() {
            marking.close();
            store.close();
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static void put(Store store, int number, boolean sync) throws IOException {
        try (Overlay rows = store.overlay()) {
            rows.put(ROWS, key(number), key(number));
            store.commit(rows, sync);
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> all = Files.list(from)) {
            for (Path file : all.filter(each -> !each.getFileName().toString().equals("LOCK"))
                    .toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }

    private Path store() {
        return directory.resolve("shard-3");
    }

    private void assertOlder(Path where) {
        assertThatThrownBy(() -> new Life(where, false).close())
                .isInstanceOf(OlderStoreException.class)
                .hasMessageContaining("shard 3")
                .hasMessageContaining(where.toString())
                .hasMessageContaining("is an older state of itself")
                .hasMessageContaining("--accept-loss");
    }

    @Test
    void aCleanStopAndAStartAreNeverRefused() throws IOException {
        for (int i = 0; i < 12; i++) {
            try (Life life = new Life(store(), false)) {
                for (int row = 0; row < i % 4; row++) {
                    life.put(i * 10 + row);
                }
                time.runFor(i % 3 * 700L);
            }
        }
        assertThat(place.there().orElseThrow().incarnation()).isZero();
    }

    /** The mark covers everything before it, so each shorter log is an older state, to the record. */
    @Test
    void aLogThatWasCutWhereARecordEndsIsRefused() throws IOException {
        try (Life life = new Life(store(), false)) {
            for (int i = 0; i < 6; i++) {
                life.put(i);
                time.runFor(i % 2 == 0 ? 0 : 1_100);
            }
        }
        Path log = WalEnds.newest(store());
        List<Long> ends = WalEnds.of(log);
        assertThat(ends).hasSizeGreaterThan(8);
        for (long end : ends) {
            Path cut = copy(store(), directory.resolve("cut-" + end));
            try (RandomAccessFile file =
                    new RandomAccessFile(cut.resolve(log.getFileName()).toFile(), "rw")) {
                file.setLength(end);
            }
            if (end < Files.size(log)) {
                assertOlder(cut);
            } else {
                new Life(cut, false).close();
            }
        }
    }

    /** What a killed process leaves, after each of its steps, with the mark outside as it is then or was at any step before. */
    @Test
    void aKillAfterAnyStepIsNeverRefused() throws IOException {
        List<Path> left = new ArrayList<>();
        List<Optional<StoreMark>> outside = new ArrayList<>();
        Random random = new Random(4);
        Life life = new Life(store(), false);
        for (int step = 0; step < 24; step++) {
            place.setAway(random.nextInt(3) == 0);
            if (random.nextBoolean()) {
                put(life.store, step, random.nextBoolean());
            } else {
                time.runFor(1_000);
            }
            left.add(copy(store(), directory.resolve("left-" + step)));
            outside.add(place.there());
        }
        place.setAway(false);
        life.close();
        for (int step = 0; step < left.size(); step++) {
            place.putBack(outside.get(step));
            new Life(left.get(step), false).close();
        }
    }

    /** Crashes, power cuts, failed commits and outages of the place in any order: no store that kept what it had acknowledged is refused. */
    @Test
    void nothingThatADiskMayDoIsTakenForAnOlderState() throws IOException {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            MemoryStore store = new MemoryStore(TABLES);
            place.putBack(Optional.empty());
            for (int life = 0; life < 8; life++) {
                place.setAway(false);
                MemoryStore present = store;
                // Of a process that ended nothing runs on: each has a time of its own.
                SimulatedTime own = new SimulatedTime(seed);
                StoreMarks.Marking marking = marks(false, NOTHING).open(store, syncs(store), own);
                for (int step = 0; step < 10; step++) {
                    place.setAway(random.nextInt(4) == 0);
                    if (random.nextInt(12) == 0) {
                        present.failNextCommit(random.nextBoolean());
                    }
                    try {
                        switch (random.nextInt(3)) {
                            case 0 -> put(present, step, true);
                            case 1 -> put(present, step, false);
                            default -> own.runFor(random.nextInt(2_000));
                        }
                    } catch (IOException e) {
                        break;
                    }
                }
                if (random.nextInt(3) == 0) {
                    marking.close();
                }
                store = random.nextBoolean() ? store.reopen() : store.crash();
            }
        }
    }

    private static LongSupplier syncs(MemoryStore store) {
        return store::syncs;
    }

    @Test
    void anOlderCopyIsRefusedUntilItsLossIsAcceptedAndThenTheOtherOneIs() throws IOException {
        try (Life life = new Life(store(), false)) {
            life.put(1);
        }
        Path old = copy(store(), directory.resolve("old"));
        try (Life life = new Life(store(), false)) {
            life.put(2);
        }
        assertOlder(old);
        try (Life life = new Life(old, true)) {
            assertThat(life.has(1)).isTrue();
            assertThat(life.has(2)).isFalse();
            assertThat(life.unsettled().orElseThrow())
                    .startsWith(Unsettled.OLDER)
                    .contains("accepted at");
            assertThat(place.there().orElseThrow().incarnation()).isEqualTo(1);
            life.put(3);
        }
        // Once is enough.
        try (Life life = new Life(old, false)) {
            assertThat(life.unsettled()).isPresent();
        }
        assertOlder(store());
        try (Life life = new Life(store(), true)) {
            assertThat(life.has(2)).isTrue();
            assertThat(life.has(3)).isFalse();
            assertThat(place.there().orElseThrow().incarnation()).isEqualTo(2);
        }
        assertOlder(old);
    }

    @Test
    void whoAcceptsALossOfNothingLosesNothing() throws IOException {
        try (Life life = new Life(store(), true)) {
            life.put(1);
        }
        try (Life life = new Life(store(), true)) {
            assertThat(life.unsettled()).isEmpty();
            assertThat(place.there().orElseThrow().incarnation()).isZero();
        }
    }

    @Test
    void anEmptyStoreInPlaceOfOneIsOlderToo() throws IOException {
        try (Life life = new Life(store(), false)) {
            life.put(1);
        }
        assertOlder(directory.resolve("empty"));
    }

    /** Before a store is brought to another format. */
    @Test
    void aCheckRefusesAsAnOpeningDoesAndChangesNothing() throws IOException {
        MemoryStore store = new MemoryStore(TABLES);
        put(store, 1, true);
        marks(false, NOTHING).check(store);
        StoreMark newer = new StoreMark(0, 7, 1_000);
        place.putBack(Optional.of(newer));
        assertThatThrownBy(() -> marks(false, NOTHING).check(store)).isInstanceOf(OlderStoreException.class);
        marks(true, NOTHING).check(store);
        assertThat(StoreMark.of(store.committed(), FACTS)).isEqualTo(StoreMark.NONE);
        assertThat(Unsettled.of(store.committed(), FACTS)).isEmpty();
        assertThat(place.there()).contains(newer);
    }

    /** Ended at each step of accepting, the store is refused as before, or accepted; what the owner writes is there with the mark, or neither. */
    /** A disk was replaced by an empty one; the start on it is interrupted and repeated. */
    @Test
    void aNewStoreIsAcceptedAgainUntilItIsMarked() throws IOException {
        StoreMark lost = new StoreMark(5, 70, 1_000);
        place.putBack(Optional.of(lost));
        MemoryStore store = new MemoryStore(TABLES);
        store.failNextCommit(false);
        StoreMarks first = marks(AcceptedLoss.NEW_STORE, NOTHING);
        MemoryStore failing = store;
        assertThatThrownBy(() -> first.open(failing, syncs(failing), time)).isInstanceOf(IOException.class);
        assertThat(place.there()).contains(lost);
        MemoryStore again = store.crash();
        try (Overlay rows = again.overlay()) {
            rows.put(FACTS, "format".getBytes(StandardCharsets.US_ASCII), key(4));
            again.commit(rows, true);
        }
        marks(AcceptedLoss.NEW_STORE, NOTHING).open(again, syncs(again), time).close();
        assertThat(place.there().orElseThrow().incarnation()).isEqualTo(6);

        place.putBack(Optional.of(new StoreMark(7, 70, 1_000)));
        StoreMarks other = marks(AcceptedLoss.NEW_STORE, NOTHING);
        assertThatThrownBy(() -> other.open(again, syncs(again), time))
                .as("it has rows")
                .isInstanceOf(OlderStoreException.class);
    }

    @Test
    void acceptingEndsAtAnyStep() throws IOException {
        for (int step = 0; step < 4; step++) {
            int now = step;
            place.putBack(Optional.of(new StoreMark(5, 70, 1_000)));
            MemoryStore store = new MemoryStore(TABLES);
            StoreMarks.Loss loss = (rows, incarnation) -> {
                assertThat(incarnation).isEqualTo(6);
                rows.put(ROWS, key(0), key(0));
                if (now == 0) {
                    throw new IllegalStateException("ended while it writes");
                }
            };
            // 1: the commit is lost, 2: it is there and nobody heard of it, 3: the mark does not get outside.
            if (step == 1 || step == 2) {
                store.failNextCommit(step == 2);
            }
            MemoryStore present = store;
            StoreMarks marks = marks(true, loss);
            place.setDeaf(step == 3);
            // Nothing is served before the mark is outside.
            assertThatThrownBy(() -> marks.open(present, syncs(present), time))
                    .isInstanceOf(step == 0 ? IllegalStateException.class : IOException.class)
                    .hasMessageContaining(
                            step == 0 ? "ended while it writes" : step == 3 ? "could not be noted in ZooKeeper" : "");
            place.setDeaf(false);
            assertThat(place.there()).contains(new StoreMark(5, 70, 1_000));
            MemoryStore after = store.crash();
            boolean isAccepted = step >= 2;
            assertThat(after.committed().get(ROWS, key(0)).isPresent()).isEqualTo(isAccepted);
            assertThat(Unsettled.of(after.committed(), FACTS).isPresent()).isEqualTo(isAccepted);
            if (isAccepted) {
                marks(false, NOTHING).open(after, syncs(after), time).close();
                assertThat(place.there().orElseThrow().incarnation()).isEqualTo(6);
            } else {
                assertThatThrownBy(() -> marks(false, NOTHING).open(after, syncs(after), time))
                        .isInstanceOf(OlderStoreException.class);
            }
        }
    }

    @Test
    void whatAPlaceLostIsLeftAnew() throws IOException {
        try (Life life = new Life(store(), false)) {
            life.put(1);
        }
        StoreMark last = place.there().orElseThrow();
        place.putBack(Optional.empty());
        new Life(store(), false).close();
        assertThat(place.there().orElseThrow()).isGreaterThanOrEqualTo(last);
        place.putBack(Optional.of(new StoreMark(0, 1, 0)));
        new Life(store(), false).close();
        assertThat(place.there().orElseThrow()).isGreaterThanOrEqualTo(last);
    }

    @Test
    void whileNobodyAnswersAStoreThatServesGoesOnAndOneThatStartsDoesNot() throws IOException {
        StoreMarks marks = marks(false, NOTHING);
        try (RocksStore store = RocksStore.open(store(), TABLES, Settings.defaults())) {
            StoreMarks.Marking marking = marks.open(store, store::syncs, time);
            place.setAway(true);
            put(store, 1, true);
            time.runFor(5_000);
            marking.close();
        }
        StoreMark before = place.there().orElseThrow();
        // The process knows its own mark: a store that failed is opened again in place.
        try (RocksStore store = RocksStore.open(store(), TABLES, Settings.defaults())) {
            StoreMarks.Marking marking = marks.open(store, store::syncs, time);
            place.setAway(false);
            time.runFor(1_000);
            assertThat(place.there().orElseThrow()).isGreaterThan(before);
            marking.close();
        }
        place.setAway(true);
        assertThatThrownBy(() -> new Life(store(), false)).hasMessageContaining("nobody answers");
    }

    /** It told by itself what is lost. */
    @Test
    void aSalvagedStoreIsTakenAndKeepsItsReason() throws IOException {
        try (Life life = new Life(store(), false)) {
            life.put(1);
        }
        try (RocksStore store = RocksStore.open(store(), TABLES, Settings.defaults());
                Overlay rows = store.overlay()) {
            Unsettled.mark(rows, FACTS, Unsettled.SALVAGED + "noon");
            StoreMark.remove(rows, FACTS);
            store.commit(rows, true);
        }
        try (Life life = new Life(store(), false)) {
            assertThat(life.unsettled()).contains(Unsettled.SALVAGED + "noon");
            assertThat(place.there().orElseThrow().incarnation()).isEqualTo(1);
        }
    }

    /** A quiet store is not written. */
    @Test
    void oneMarkASecondWhileSomethingIsCommitted() throws IOException {
        MemoryStore store = new MemoryStore(TABLES);
        StoreMarks marks = marks(false, NOTHING);
        try (StoreMarks.Marking marking = marks.open(store, syncs(store), time)) {
            long made = marks.made();
            for (int i = 0; i < 50; i++) {
                put(store, i, true);
            }
            time.runFor(10_000);
            assertThat(marks.made()).isEqualTo(made + 1);
            assertThat(marking).isNotNull();
        }
        assertThat(store.syncs()).isEqualTo(50 + marks.made());
    }
}
