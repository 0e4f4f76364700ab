package io.steadfs.store.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormatStepsTest {
    private static final long FIRST = FormatSteps.FIRST;
    private static final FormatStep TO_SECOND = new PlantedStep(FIRST);
    private static final FormatStep TO_THIRD = new PlantedStep(FIRST + 1);
    private static final FormatSteps OLD = steps();
    private static final FormatSteps NEW = steps(TO_SECOND, TO_THIRD);
    private static final FormatSteps.Before NOTHING = () -> {};
    private static final byte[] END = {-1};
    /** More than two batches. */
    private static final int ROWS = 2 * FormatChanges.BATCH_ROWS + 500;

    private static FormatSteps steps(FormatStep... steps) {
        return new FormatSteps(PlantedStep.TABLES, PlantedStep.FACTS, List.of(steps));
    }

    private static void fill(Store store, int count) throws IOException {
        OLD.open(store, NOTHING);
        try (Overlay rows = store.overlay()) {
            for (int i = 0; i < count; i++) {
                rows.put(PlantedStep.ROWS, key(i), ("value " + i).getBytes(StandardCharsets.US_ASCII));
            }
            store.commit(rows, true);
        }
    }

    private static MemoryStore filled(int count) throws IOException {
        MemoryStore store = new MemoryStore(PlantedStep.TABLES);
        fill(store, count);
        return store;
    }

    private static byte[] key(int i) {
        return String.format("%06d", i).getBytes(StandardCharsets.US_ASCII);
    }

    private static void number(Store store, long number) throws IOException {
        try (Overlay rows = store.overlay()) {
            new FormatNumber(PlantedStep.FACTS).put(rows, number);
            store.commit(rows, true);
        }
    }

    private static List<String> all(ReadView view) {
        List<String> all = new ArrayList<>();
        for (Table table : PlantedStep.TABLES) {
            try (ReadView.Cursor cursor = view.scan(table, new byte[0], END)) {
                while (cursor.next()) {
                    all.add(table.name() + " " + new String(cursor.key(), StandardCharsets.ISO_8859_1) + " = "
                            + new String(cursor.value(), StandardCharsets.ISO_8859_1));
                }
            }
        }
        return all;
    }

    @Test
    void aStoreGoesThroughAllStepsInOrder() throws IOException {
        MemoryStore store = filled(20);
        NEW.open(store, NOTHING);
        assertThat(NEW.of(store.committed())).contains(FIRST + 2);
        TreeMap<String, String> values = new TreeMap<>();
        for (Table table : List.of(PlantedStep.ROWS, PlantedStep.MOVED)) {
            try (ReadView.Cursor cursor = store.committed().scan(table, new byte[0], END)) {
                while (cursor.next()) {
                    values.put(
                            table.name() + new String(cursor.key(), StandardCharsets.US_ASCII),
                            new String(cursor.value(), StandardCharsets.US_ASCII));
                }
            }
        }
        assertThat(values)
                .hasSize(20)
                .containsEntry("rows000007", "6,5,value 7")
                .containsEntry("moved000010", "6,5,value 10");
        List<String> before = all(store.committed());
        NEW.open(store, () -> {
            throw new IOException("nothing is left to be done");
        });
        assertThat(all(store.committed())).isEqualTo(before);
    }

    /** Whatever is lost, the store ends as if nobody had disturbed it, and no release without the steps opens a part. */
    @Test
    void aStoreThatIsKilledInAnyCommitEndsTheSame() throws IOException {
        MemoryStore filled = filled(ROWS);
        List<String> before = all(filled.committed());
        DyingStore undisturbed = new DyingStore(filled.copy(), 0, false);
        NEW.open(undisturbed, NOTHING);
        List<String> wanted = all(undisturbed.committed());
        assertThat(undisturbed.commits()).isEqualTo(6);
        for (int dies = 1; dies <= undisturbed.commits(); dies++) {
            for (boolean keeps : List.of(false, true)) {
                // A commit that is kept has all before it, too.
                for (int kept : keeps ? List.of(Integer.MAX_VALUE) : List.of(0, 1, 2, 3)) {
                    MemoryStore store = filled.copy();
                    DyingStore dying = new DyingStore(store, dies, keeps);
                    assertThatThrownBy(() -> NEW.open(dying, NOTHING))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("store in shard-0: the step from disk format ");
                    MemoryStore left = store.crash(kept);
                    assertOldOpensOrRefuses(left, before);
                    assertThat(NEW.newest()).isEqualTo(FIRST + 2);
                    NEW.open(left, NOTHING);
                    assertThat(all(left.committed()))
                            .as("killed in commit %s, kept %s of them, it itself: %s", dies, kept, keeps)
                            .isEqualTo(wanted);
                }
            }
        }
    }

    private static void assertOldOpensOrRefuses(MemoryStore left, List<String> before) throws IOException {
        if (all(left.committed()).equals(before)) {
            OLD.open(left, NOTHING);
        } else {
            assertThatThrownBy(() -> OLD.open(left, NOTHING))
                    .hasMessageContaining("disk format ")
                    .hasMessageContaining("knows " + FIRST + " alone");
        }
        assertThat(OLD.of(left.committed())).isPresent();
    }

    @Test
    void aStepThatFailsLeavesAStoreForItsRepetition() throws IOException {
        MemoryStore store = filled(ROWS);
        FormatStep failing = new FormatStep() {
            @Override
            public long from() {
                return FIRST;
            }

            @Override
            public void change(ReadView rows, FormatChanges changes) throws IOException {
                TO_SECOND.change(rows, changes);
                throw new IllegalStateException("row 7 makes no sense");
            }
        };
        assertThatThrownBy(() -> steps(failing).open(store, NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the step from disk format 4 to 5 failed: row 7 makes no sense");
        assertThatThrownBy(() -> OLD.open(store, NOTHING))
                .hasMessageContaining("has disk format 4, and rows of format 5 from a step that is not finished")
                .hasMessageContaining("knows 4 alone");
        NEW.open(store, NOTHING);
        MemoryStore other = filled(ROWS);
        NEW.open(other, NOTHING);
        assertThat(all(store.committed())).isEqualTo(all(other.committed()));
    }

    /** Nothing of it was committed. */
    @Test
    void aStepThatFailsAtOnceLeavesTheStoreAsItWas() throws IOException {
        MemoryStore store = filled(20);
        List<String> before = all(store.committed());
        FormatStep failing = new FormatStep() {
            @Override
            public long from() {
                return FIRST;
            }

            @Override
            public void change(ReadView rows, FormatChanges changes) throws IOException {
                changes.together(view -> view.delete(PlantedStep.ROWS, key(1)));
                throw new UncheckedIOException(new IOException("table rows: cannot read"));
            }
        };
        assertThatThrownBy(() -> steps(failing).open(store, NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("table rows: cannot read");
        assertThat(all(store.committed())).isEqualTo(before);
        OLD.open(store, NOTHING);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, FormatSteps.FIRST - 1, FormatSteps.FIRST + 3, -1})
    void anUnknownFormatIsRefusedWithBothNumbers(long number) throws IOException {
        MemoryStore store = filled(3);
        number(store, number);
        List<String> before = all(store.committed());
        assertThatThrownBy(() -> NEW.open(new DyingStore(store, 0, false), NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessage("store in shard-0 has disk format " + number
                        + "; this release knows 4 to 6: use the release that wrote it");
        assertThat(all(store.committed())).isEqualTo(before);
    }

    @Test
    void aNumberThatIsNoneIsRefused() throws IOException {
        MemoryStore store = filled(3);
        try (Overlay rows = store.overlay()) {
            rows.put(PlantedStep.FACTS, "format".getBytes(StandardCharsets.US_ASCII), new byte[3]);
            store.commit(rows, true);
        }
        assertThatThrownBy(() -> NEW.open(store, NOTHING))
                .isInstanceOf(IOException.class)
                .hasMessage("row 'format' of table meta has 3 bytes, not 8");
    }

    @Test
    void aNewStoreGetsTheNewestNumber() throws IOException {
        MemoryStore store = new MemoryStore(PlantedStep.TABLES);
        assertThat(NEW.of(store.committed())).isEmpty();
        NEW.open(store, NOTHING);
        assertThat(NEW.of(store.committed())).contains(FIRST + 2);
        assertThat(store.syncs()).isZero();
    }

    @Test
    void rowsWithoutANumberAreOfTheFirstFormat() throws IOException {
        MemoryStore store = new MemoryStore(PlantedStep.TABLES);
        try (Overlay rows = store.overlay()) {
            rows.put(PlantedStep.ROWS, key(1), new byte[] {'a'});
            store.commit(rows, true);
        }
        NEW.open(store, NOTHING);
        assertThat(NEW.of(store.committed())).contains(FIRST + 2);
        assertThat(store.committed()
                        .get(PlantedStep.ROWS, key(1))
                        .map(value -> new String(value, StandardCharsets.US_ASCII)))
                .contains("6,5,a");
    }

    @Test
    void aStoreThatIsRefusedBeforeStaysAsItIs() throws IOException {
        MemoryStore store = filled(3);
        MemoryStore fresh = new MemoryStore(PlantedStep.TABLES);
        List<String> before = all(store.committed());
        for (MemoryStore each : List.of(store, fresh)) {
            assertThatThrownBy(() -> NEW.open(each, () -> {
                        throw new IOException("an older state");
                    }))
                    .hasMessage("an older state");
        }
        assertThat(all(store.committed())).isEqualTo(before);
        assertThat(all(fresh.committed())).isEmpty();
    }

    @Test
    void aSalvageNumbersRowsThatLostTheirs() throws IOException {
        MemoryStore store = new MemoryStore(PlantedStep.TABLES);
        try (Overlay rows = store.overlay()) {
            assertThat(NEW.numberIfNone(rows, rows)).isTrue();
            assertThat(NEW.numberIfNone(rows, rows)).isFalse();
            assertThat(NEW.of(rows)).isEqualTo(Optional.of(FIRST + 2));
        }
    }

    @Test
    void stepsThatDoNotFollowEachOtherAreRefused() {
        assertThatThrownBy(() -> steps(TO_THIRD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("step 1 starts from disk format 5, not 4");
    }

    @Test
    void aStoreOnDiskGoesThroughTheStepsToo(@TempDir Path directory) throws IOException {
        Path place = directory.resolve("store");
        try (RocksStore store = RocksStore.open(place, PlantedStep.TABLES, Settings.defaults())) {
            fill(store, ROWS);
        }
        try (RocksStore store = RocksStore.open(place, PlantedStep.TABLES, Settings.defaults())) {
            NEW.open(store, NOTHING);
        }
        MemoryStore other = filled(ROWS);
        NEW.open(other, NOTHING);
        try (RocksStore store = RocksStore.open(place, PlantedStep.TABLES, Settings.defaults())) {
            assertThat(all(store.committed())).isEqualTo(all(other.committed()));
            assertThatThrownBy(() -> OLD.open(store, NOTHING))
                    .hasMessageContaining(place.toString())
                    .hasMessageContaining("has disk format 6; this release knows 4 alone");
        }
    }
}
