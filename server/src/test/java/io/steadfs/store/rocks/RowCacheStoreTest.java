package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.store.Derived;
import io.steadfs.store.MovedOnException;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import io.steadfs.store.Store;
import io.steadfs.store.StoreContract;
import io.steadfs.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store with a cache of rows keeps the contract of one without, and its snapshots stay whole under commits. */
class RowCacheStoreTest extends StoreContract {
    private static final int ACCOUNTS = 40;
    private static final long START = 1000;

    private final Path directory;

    RowCacheStoreTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Override
    protected Store open() throws IOException {
        return open("store", 1 << 20);
    }

    private Store open(String name, long bytes) throws IOException {
        return RocksStore.open(directory.resolve(name), TABLES, Settings.defaults(), bytes);
    }

    @Override
    protected Store crash(Store store) throws IOException {
        Path copy = Files.createDirectories(directory.resolve("crashed"));
        try (Stream<Path> files = Files.list(directory.resolve("store"))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        store.close();
        return open("crashed", 1 << 20);
    }

    @Test
    void whatACallerGotIsItsOwn() throws IOException {
        try (Store store = open()) {
            put(store, 1, 7);
            for (int i = 0; i < 3; i++) {
                byte[] row = store.committed().get(TABLES.get(0), key(1)).orElseThrow();
                assertThat(row).isEqualTo(value(7));
                row[7] = 99;
            }
        }
    }

    @Test
    void aSnapshotFromBeforeACommitNeverSeesIt() throws IOException {
        try (Store store = open()) {
            put(store, 1, 7);
            get(store.committed(), 1);
            try (Store.Snapshot before = store.snapshot()) {
                put(store, 1, 8);
                assertThat(get(store.committed(), 1)).isEqualTo(8);
                assertThat(get(before, 1)).isEqualTo(7);
                assertThat(get(store.committed(), 1)).isEqualTo(8);
                try (Store.Snapshot after = store.snapshot()) {
                    assertThat(get(after, 1)).isEqualTo(8);
                }
                assertThat(get(before, 1)).isEqualTo(7);
            }
        }
    }

    /** One thread moves amounts between rows; the sum of a snapshot, of rows read in any order, is always the same. */
    @ParameterizedTest
    @ValueSource(longs = {2 * 1024, 1 << 20})
    void snapshotsAreWholeWhileRowsAreCommitted(long bytes) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        ExecutorService readers = Executors.newCachedThreadPool();
        AtomicBoolean ended = new AtomicBoolean();
        try (Store store = open("accounts-" + bytes, bytes)) {
            for (int i = 0; i < ACCOUNTS; i++) {
                put(store, i, START);
            }
            List<Future<Long>> sums = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                long own = seed + reader;
                sums.add(readers.submit((Callable<Long>) () -> readUntil(ended, store, new Random(own))));
            }
            Random random = new Random(seed - 1);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            int commits = 0;
            while (System.nanoTime() - until < 0) {
                move(store, random);
                commits++;
            }
            ended.set(true);
            for (Future<Long> each : sums) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(commits).isGreaterThan(100);
        } finally {
            ended.set(true);
            readers.shutdownNow();
        }
    }

    /** What somebody kept is what the rows of the snapshot say; and a glance is whole, or says that it cannot be. */
    @Test
    void whatIsKeptIsTrueOfTheSnapshotWhileRowsAreCommitted() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        ExecutorService readers = Executors.newCachedThreadPool();
        AtomicBoolean ended = new AtomicBoolean();
        try (Store store = open("kept", 1 << 20)) {
            for (int i = 0; i < ACCOUNTS; i++) {
                put(store, i, START);
            }
            List<Future<Long>> found = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                long own = seed + reader;
                found.add(readers.submit((Callable<Long>) () -> compareUntil(ended, store, new Random(own))));
            }
            Random random = new Random(seed - 1);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            while (System.nanoTime() - until < 0) {
                move(store, random);
            }
            ended.set(true);
            for (Future<Long> each : found) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            ended.set(true);
            readers.shutdownNow();
        }
    }

    /** Some rows together. */
    private record Amounts(List<Long> amounts) implements Derived {
        @Override
        public int sizeBytes() {
            return 8 * amounts.size();
        }
    }

    /** How often something was found kept. */
    private static long compareUntil(AtomicBoolean ended, Store store, Random random) {
        long found = 0;
        while (!ended.get()) {
            int first = random.nextInt(ACCOUNTS - 2);
            try (Store.Snapshot state = random.nextBoolean() ? store.snapshot() : store.glance()) {
                Optional<Derived> kept = state.kept(first);
                List<Long> amounts = new ArrayList<>();
                Sources sources = new Sources();
                for (int account = first; account < first + 2; account++) {
                    amounts.add(get(state, account));
                    sources.add(TABLES.get(0), account);
                }
                Amounts now = new Amounts(amounts);
                if (kept.isPresent()) {
                    found++;
                    if (!kept.get().equals(now)) {
                        throw new AssertionError("kept " + kept.get() + " where the rows are " + now);
                    }
                }
                state.keep(first, now, sources);
            } catch (MovedOnException e) {
                // A commit began: it would look again.
            }
        }
        return found;
    }

    private static void move(Store store, Random random) throws IOException {
        int from = random.nextInt(ACCOUNTS);
        int to = random.nextInt(ACCOUNTS);
        try (Overlay overlay = store.overlay()) {
            overlay.put(TABLES.get(0), key(from), value(get(overlay, from) - 1));
            overlay.put(TABLES.get(0), key(to), value(get(overlay, to) + 1));
            store.commit(overlay, random.nextInt(8) == 0);
        }
    }

    /** How many snapshots were looked at. */
    private static long readUntil(AtomicBoolean ended, Store store, Random random) {
        long looks = 0;
        while (!ended.get()) {
            try (Store.Snapshot snapshot = store.snapshot()) {
                long sum = 0;
                int first = random.nextInt(ACCOUNTS);
                for (int i = 0; i < ACCOUNTS; i++) {
                    int account = (first + i) % ACCOUNTS;
                    long once = get(snapshot, account);
                    if (random.nextInt(4) == 0 && get(snapshot, account) != once) {
                        throw new AssertionError("account " + account + " changed within a snapshot");
                    }
                    sum += once;
                }
                if (sum != ACCOUNTS * START) {
                    throw new AssertionError("a snapshot sums up to " + sum + " instead of " + ACCOUNTS * START);
                }
            }
            looks++;
        }
        return looks;
    }

    private static void put(Store store, int account, long amount) throws IOException {
        try (Overlay overlay = store.overlay()) {
            overlay.put(TABLES.get(0), key(account), value(amount));
            store.commit(overlay, false);
        }
    }

    private static long get(ReadView view, int account) {
        Table table = TABLES.get(0);
        return ByteBuffer.wrap(view.get(table, key(account)).orElseThrow()).getLong();
    }

    private static byte[] key(int account) {
        return ByteBuffer.allocate(Long.BYTES).putLong(account).array();
    }

    private static byte[] value(long amount) {
        return ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
    }
}
