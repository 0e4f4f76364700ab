package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.disk.Forced;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.StoreContract;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksStoreTest extends StoreContract {
    private final Path directory;

    RocksStoreTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Override
    protected Store open() throws IOException {
        return open(directory.resolve("store"));
    }

    private static RocksStore open(Path place) throws IOException {
        return RocksStore.open(place, TABLES, Settings.defaults());
    }

    /** The files as they are while the store runs: all that a kill of the process leaves. */
    @Override
    protected Store crash(Store store) throws IOException {
        Path copy = copy("crashed");
        store.close();
        return open(copy);
    }

    @Test
    void theNameOfANewStoreIsSynced() throws IOException {
        Path above = directory.toRealPath().resolve("server");
        assertThat(Forced.during(() -> open(above.resolve("shard-0")).close())).contains(above.getParent(), above);
        assertThat(Forced.during(() -> open(above.resolve("shard-0")).close()))
                .as("of one that may be left by a process that did not come to it")
                .contains(above);
    }

    @Test
    void aSyncedCommitWaitsForTheDelay() throws IOException {
        Settings slow = Settings.defaults().with(Map.of(RocksStore.COMMIT_DELAY.name(), "200000"));
        try (Store store = RocksStore.open(directory.resolve("slow"), TABLES, slow)) {
            long begun = System.nanoTime();
            commitSynced(store);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    private static void commitSynced(Store store) throws IOException {
        try (Overlay overlay = store.overlay()) {
            overlay.put(TABLES.get(0), new byte[] {1}, new byte[] {2});
            store.commit(overlay, true);
        }
    }

    private Path copy(String name) throws IOException {
        Path copy = directory.resolve(name);
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    /** Wherever a crash tears the log, each commit is there whole or not at all, and none without those before it. */
    @Test
    void tornLogKeepsWholeCommitsInOrder() throws IOException {
        List<Long> lengths = new ArrayList<>();
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int i = 1; i <= 5; i++) {
                commit(store, DIRENT, true, "a=" + i, "b" + i + "=" + i);
                lengths.add(Files.size(log(directory.resolve("store"))));
            }
            assertThat(store.syncs()).isEqualTo(5);
            long last = lengths.get(4);
            for (long length = 0; length <= last; length += 7) {
                Path copy = copy("torn" + length);
                try (RandomAccessFile log = new RandomAccessFile(log(copy).toFile(), "rw")) {
                    log.setLength(length);
                }
                int kept = 0;
                while (kept < 5 && lengths.get(kept) <= length) {
                    kept++;
                }
                List<String> expected = new ArrayList<>();
                for (int i = 1; i <= kept; i++) {
                    expected.add("b" + i + "=" + i);
                }
                if (kept > 0) {
                    expected.add(0, "a=" + kept);
                }
                try (RocksStore found = open(copy)) {
                    assertThat(rows(found.committed(), DIRENT))
                            .as("log cut at byte %d", length)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static Path log(Path place) throws IOException {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void damagedLogStopsTheStart() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int i = 0; i < 10; i++) {
                commit(store, DIRENT, true, "a=" + i);
            }
            Path copy = copy("damaged");
            try (RandomAccessFile log = new RandomAccessFile(log(copy).toFile(), "rw")) {
                log.seek(20);
                int old = log.read();
                log.seek(20);
                log.write(old ^ 1);
            }
            assertThatThrownBy(() -> open(copy).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(copy.toString());
        }
    }

    @Test
    void secondOpenNamesTheDirectory() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, true, "a=1");
            assertThatThrownBy(() -> open().close())
                    .isInstanceOf(IOException.class)
                    .hasMessage("data directory " + directory.resolve("store") + " is in use by another server");
        }
    }

    @Test
    void tableOfANewerReleaseIsNamed() throws IOException {
        Path place = directory.resolve("store");
        List<Table> more = List.of(DIRENT, META, new Table("hierarchy"));
        RocksStore.open(place, more, Settings.defaults()).close();
        assertThatThrownBy(() -> open(place).close()).hasMessageContaining("does not know: [hierarchy]");
        RocksStore.open(place, more, Settings.defaults()).close();
    }

    @Test
    void missingTableIsMade() throws IOException {
        Path place = directory.resolve("store");
        RocksStore.open(place, List.of(DIRENT), Settings.defaults()).close();
        try (RocksStore store = open(place)) {
            commit(store, META, true, "a=1");
            assertThat(rows(store.committed(), META)).containsExactly("a=1");
        }
    }

    @Test
    void overlayOfAnotherStoreIsRefused() throws IOException {
        try (RocksStore one = open(directory.resolve("one"));
                RocksStore other = open(directory.resolve("other"));
                Overlay overlay = one.overlay()) {
            assertThatThrownBy(() -> other.commit(overlay, true)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void readersAndWriterMeetACloseWithAnException() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try {
            for (int round = 0; round < 10; round++) {
                RocksStore store = open(directory.resolve("round" + round));
                commit(store, DIRENT, false, "a=1", "b=1", "c=1");
                CountDownLatch busy = new CountDownLatch(5);
                List<Future<?>> all = new ArrayList<>();
                for (int reader = 0; reader < 4; reader++) {
                    all.add(threads.submit(() -> untilClosed(busy, () -> {
                        assertThat(store.committed().get(DIRENT, bytes("b"))).isPresent();
                        assertThat(rows(store.committed(), DIRENT)).hasSizeGreaterThanOrEqualTo(3);
                        try (Store.Snapshot snapshot = store.snapshot()) {
                            assertThat(snapshot.get(DIRENT, bytes("c"))).isPresent();
                        }
                    })));
                }
                all.add(threads.submit(() -> untilClosed(busy, () -> commit(store, DIRENT, false, "d=1", "e=1"))));
                assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
                store.close();
                for (Future<?> one : all) {
                    one.get(20, TimeUnit.SECONDS);
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static Void untilClosed(CountDownLatch busy, Step step) throws IOException {
        boolean first = true;
        try {
            while (true) {
                step.run();
                if (first) {
                    first = false;
                    busy.countDown();
                }
            }
        } catch (StoreClosedException expected) {
            return null;
        }
    }
}
