package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random damage of real files of RocksDB, against a map of every version of every row. */
class StoreSalvageTest {
    private static final int KEYS = 3_000;
    private static final List<Table> TABLES = List.of(new Table("names"), new Table("things"));
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    @TempDir
    private Path directory = Path.of("");

    /** Of each table, by key: all values that were ever there, the last one being what is there now; empty = deleted. */
    private final List<Map<Integer, List<Optional<String>>>> versions = List.of(new HashMap<>(), new HashMap<>());

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("stead.salvage.store.seeds", 6))
                .map(each -> Long.getLong("stead.seed", 1) + each);
    }

    private Path store() {
        return directory.resolve("shard-0");
    }

    private RocksStore open() throws IOException {
        return RocksStore.open(store(), TABLES, Settings.defaults());
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number * 5L).array();
    }

    /** Several rounds of changes, each in files of its own, the last one in the log. */
    private void fill(Random random) throws IOException {
        int rounds = 2 + random.nextInt(4);
        for (int round = 0; round < rounds; round++) {
            try (RocksStore store = open()) {
                for (int part = 0; part < 5; part++) {
                    try (Overlay rows = store.overlay()) {
                        for (int i = 0; i < KEYS / 5; i++) {
                            change(random.nextInt(2), random.nextInt(KEYS), random, rows);
                        }
                        store.commit(rows, true);
                    }
                }
            }
        }
    }

    private void change(int table, int number, Random random, Overlay rows) {
        Optional<String> value =
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of(number + " " + random.nextLong());
        versions.get(table).computeIfAbsent(number, unused -> new ArrayList<>()).add(value);
        if (value.isPresent()) {
            rows.put(TABLES.get(table), key(number), value.get().getBytes(StandardCharsets.UTF_8));
        } else {
            rows.delete(TABLES.get(table), key(number));
        }
    }

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.list(store())) {
            return all.filter(file -> file.getFileName().toString().matches(ending))
                    .sorted()
                    .toList();
        }
    }

    private SalvageReport salvage() throws IOException {
        AtomicReference<SalvageReport> report = new AtomicReference<>();
        var unused = StoreSalvage.run(store(), TABLES, Settings.defaults(), (rows, told) -> {}, report::set);
        return Objects.requireNonNull(report.get());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatCanBeReadIsThereAndTheRestIsTold(long seed) throws IOException {
        Random random = new Random(seed);
        fill(random);
        String what = damage(random);
        SalvageReport report = salvage();
        System.out.printf("seed %d, %s: %s%n", seed, what, report.text().replace('\n', ' '));
        try (RocksStore store = open()) {
            for (int table = 0; table < TABLES.size(); table++) {
                Map<Integer, String> there = rows(store.committed(), TABLES.get(table));
                for (Map.Entry<Integer, List<Optional<String>>> row :
                        versions.get(table).entrySet()) {
                    Optional<String> found = Optional.ofNullable(there.get(row.getKey()));
                    List<Optional<String>> all = row.getValue();
                    Set<Optional<String>> ever = new HashSet<>(all);
                    ever.add(Optional.empty());
                    assertThat(ever)
                            .as("seed %d, row %d: %s", seed, row.getKey(), what)
                            .contains(found);
                    if (!isDoubtful(report, TABLES.get(table), key(row.getKey()))) {
                        assertThat(found)
                                .as("seed %d, row %d, which is told to be as it was: %s", seed, row.getKey(), what)
                                .isEqualTo(all.get(all.size() - 1));
                    }
                }
                assertThat(versions.get(table).keySet()).containsAll(there.keySet());
            }
        }
        assertThat(directory.resolve("shard-0.damaged-1").toFile().exists()).isEqualTo(!report.isSound());
        assertThat(salvage().isSound()).as("a salvaged store is sound").isTrue();
    }

    private static boolean isDoubtful(SalvageReport report, Table table, byte[] key) {
        return report.notes().stream().anyMatch(note -> note.contains("log"))
                || report.lost().stream()
                        .anyMatch(
                                lost -> (lost.table().isEmpty() || lost.table().equals(table.name()))
                                        && Arrays.compareUnsigned(lost.from(), key) <= 0
                                        && Arrays.compareUnsigned(key, lost.to()) < 0);
    }

    private static Map<Integer, String> rows(ReadView view, Table table) {
        Map<Integer, String> rows = new HashMap<>();
        try (ReadView.Cursor cursor = view.scan(table, new byte[0], END)) {
            while (cursor.next()) {
                rows.put(
                        (int) (ByteBuffer.wrap(cursor.key()).getLong() / 5),
                        new String(cursor.value(), StandardCharsets.UTF_8));
            }
        }
        return rows;
    }

    /** One piece of damage; answers what it is. */
    private String damage(Random random) throws IOException {
        List<Path> tables = files(".*\\.sst");
        Path file = tables.get(random.nextInt(tables.size()));
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                return "flipped " + flip(file, random);
            }
            case 2 -> {
                return "zeroed " + zero(file, random);
            }
            case 3 -> {
                truncate(file, random);
                return "cut " + file.getFileName();
            }
            case 4 -> {
                Files.delete(file);
                return "removed " + file.getFileName();
            }
            case 5 -> {
                Path manifest = files("MANIFEST-.*").get(0);
                if (random.nextBoolean()) {
                    truncate(manifest, random);
                    return "cut " + manifest.getFileName();
                }
                return "flipped " + flip(manifest, random);
            }
            case 6 -> {
                Path current = store().resolve("CURRENT");
                if (random.nextBoolean()) {
                    Files.delete(current);
                    return "removed CURRENT";
                }
                return "flipped " + flip(current, random);
            }
            case 7 -> {
                List<Path> logs = files(".*\\.log");
                return "flipped " + flip(logs.get(logs.size() - 1), random);
            }
            default -> {
                for (Path options : files("OPTIONS-.*")) {
                    flip(options, random);
                }
                return "flipped OPTIONS";
            }
        }
    }

    private static String flip(Path file, Random random) throws IOException {
        long size = Files.size(file);
        if (size == 0) {
            return file.getFileName() + " nowhere, it is empty";
        }
        long offset = random.nextLong(size);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(offset);
            int before = open.read();
            open.seek(offset);
            open.write(before ^ (1 << random.nextInt(8)));
        }
        return file.getFileName() + " at " + offset + " of " + size;
    }

    private static String zero(Path file, Random random) throws IOException {
        long size = Files.size(file);
        long offset = random.nextLong(size / 4096 + 1) * 4096;
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(offset);
            open.write(new byte[(int) Math.min(4096, size - offset)]);
        }
        return file.getFileName() + " at " + offset + " of " + size;
    }

    private static void truncate(Path file, Random random) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(random.nextLong(open.length()));
        }
    }

    @Test
    void soundStoreStaysWhereItIs() throws IOException {
        fill(new Random(5));
        SalvageReport report = salvage();
        assertThat(report.isSound()).as(report.text()).isTrue();
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).containsExactly(store());
        }
    }

    /** Ended after each step, it is run again: one of the two stores is always there, and no server opens a new one between. */
    @Test
    void interruptedSalvageGoesOn() throws IOException {
        fill(new Random(6));
        Path file = files(".*\\.sst").get(0);
        flip(file, new Random(7));
        for (int step : IntStream.range(0, 3).toArray()) {
            // As it was left by a process that was killed: in the making, before the first rename, between the two.
            Path part = Files.createDirectories(directory.resolve("shard-0.salvage-part"));
            Files.writeString(part.resolve("left"), "over");
            if (step > 0) {
                Path ready = directory.resolve("shard-0.salvage");
                RocksStore.open(directory.resolve("made"), TABLES, Settings.defaults())
                        .close();
                Files.move(directory.resolve("made"), ready);
                if (step == 2) {
                    Files.move(store(), directory.resolve("shard-0.damaged-9"));
                }
                assertThatThrownBy(this::open)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("interrupted")
                        .hasMessageContaining("bin/stead salvage");
            }
            assertThat(StoreSalvage.isOne(store())).isTrue();
            var unused = StoreSalvage.run(store(), TABLES, Settings.defaults(), (rows, told) -> {}, report -> {});
            assertThat(Files.exists(part)).isFalse();
            assertThat(Files.exists(directory.resolve("shard-0.salvage"))).isFalse();
            open().close();
        }
    }

    @Test
    void nothingIsChangedWhereWhoIsToldRefuses() throws IOException {
        fill(new Random(8));
        flip(files(".*\\.sst").get(0), new Random(9));
        List<Path> before = files(".*");
        assertThatThrownBy(() -> StoreSalvage.run(store(), TABLES, Settings.defaults(), (rows, told) -> {}, report -> {
                    throw new IOException("no room for the report");
                }))
                .hasMessageContaining("no room");
        assertThat(files(".*")).isEqualTo(before);
        assertThat(Files.exists(directory.resolve("shard-0.salvage"))).isFalse();
    }
}
