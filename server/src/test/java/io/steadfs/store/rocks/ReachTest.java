package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of rows that cannot be there is never wrong: by itself, and in a store, whose commits race with learning it. */
class ReachTest {
    private static final Table GROUPED = new Table("grouped", Integer.BYTES);
    private static final int IDS = 8;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong complete = new AtomicLong();
    private final Reach reach = new Reach(begun::get, complete::get);

    @Test
    void whatLiesBehindAllRowsIsKnownOnceSomebodyLooked() {
        assertThat(reach.isBehind(row(1, 5))).isFalse();
        reach.absent(row(1, 5), key -> false);
        assertThat(reach.isBehind(row(1, 4))).isFalse();
        assertThat(reach.isBehind(row(1, 6))).isTrue();
        assertThat(reach.isBehind(row(2, 6))).isFalse();
        commit(row(1, 7));
        assertThat(reach.isBehind(row(1, 6))).isFalse();
        assertThat(reach.isBehind(row(1, 7))).isFalse();
        assertThat(reach.isBehind(row(1, 8))).isTrue();
    }

    /** A commit under way when the group comes may write rows that neither it notes here nor a look finds yet. */
    @Test
    void nothingIsLearnedBesideACommitThatMayHaveMissedTheGroup() {
        begun.set(1);
        reach.absent(row(1, 5), key -> false);
        assertThat(reach.isBehind(row(1, 6))).isFalse();
        complete.set(1);
        reach.absent(row(1, 5), key -> false);
        assertThat(reach.isBehind(row(1, 6))).isTrue();
    }

    /** Where a commit began behind the group's coming, its rows count, complete or not. */
    @Test
    void aCommitThatMetTheGroupDoesNotHinder() {
        begun.set(1);
        reach.absent(row(1, 1), key -> false);
        complete.set(1);
        begun.set(2);
        reach.note(row(1, 9));
        reach.absent(row(1, 2), key -> false);
        assertThat(reach.isBehind(row(1, 9))).isFalse();
        assertThat(reach.isBehind(row(1, 10))).isTrue();
    }

    @Test
    void rowsThatFollowAreNoBoundAndLookedForAFewTimesOnly() {
        AtomicInteger looks = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            reach.absent(row(1, i), key -> looks.incrementAndGet() > 0);
        }
        assertThat(reach.isBehind(row(1, 1000))).isFalse();
        assertThat(looks.get()).isBetween(1, 10);
    }

    @Test
    void keysWithoutAGroupAreLookedFor() {
        for (RowKey each : List.of(
                new RowKey(GROUPED, new byte[Integer.BYTES]),
                new RowKey(new Table("plain"), new byte[12]),
                row(0xff000000, 1))) {
            reach.absent(each, key -> false);
            assertThat(reach.isBehind(each)).isFalse();
        }
    }

    /** One thread commits ids of ever new groups, most of them rising; others ask for them. What was committed once is there for ever. */
    @Test
    void committedRowsAreFoundByWhoeverLooks(@TempDir Path directory) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        ExecutorService readers = Executors.newCachedThreadPool();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger committed = new AtomicInteger();
        try (Store store = RocksStore.open(directory, List.of(GROUPED), Settings.defaults(), 1 << 20)) {
            List<Future<Long>> looks = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                Random own = new Random(seed + reader);
                looks.add(readers.submit((Callable<Long>) () -> readUntil(ended, committed, store.committed(), own)));
            }
            Random random = new Random(seed - 1);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            while (System.nanoTime() - until < 0) {
                commitGroup(store, committed, random);
            }
            ended.set(true);
            for (Future<Long> each : looks) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(committed.get()).isGreaterThan(100);
        } finally {
            ended.set(true);
            readers.shutdownNow();
        }
    }

    /** Ids 0 to 7 of the next group, in a few commits; {@code committed} counts ids of all groups. */
    private static void commitGroup(Store store, AtomicInteger committed, Random random) throws IOException {
        int group = committed.get() / IDS;
        int done = 0;
        while (done < IDS) {
            int next = Math.min(IDS, done + 1 + random.nextInt(3));
            try (Overlay overlay = store.overlay()) {
                for (int id = done; id < next; id++) {
                    assertThat(overlay.get(GROUPED, key(group, id))).isEmpty();
                    overlay.put(GROUPED, key(group, id), new byte[] {1});
                }
                store.commit(overlay, false);
            }
            committed.set(group * IDS + next);
            done = next;
        }
    }

    private static long readUntil(AtomicBoolean ended, AtomicInteger committed, ReadView newest, Random random) {
        long looks = 0;
        while (!ended.get()) {
            int before = committed.get();
            int group = before / IDS;
            int id = random.nextInt(IDS);
            boolean found = newest.get(GROUPED, key(group, id)).isPresent();
            if (!found && id < before % IDS) {
                throw new AssertionError("row " + id + " of group " + group + " is committed and not found");
            }
            if (found && newest.get(GROUPED, key(group, id)).isEmpty()) {
                throw new AssertionError("row " + id + " of group " + group + " was there and is gone");
            }
            looks++;
        }
        return looks;
    }

    private void commit(RowKey... rows) {
        begun.incrementAndGet();
        for (RowKey each : rows) {
            reach.note(each);
        }
        complete.incrementAndGet();
    }

    private static RowKey row(int group, int id) {
        return new RowKey(GROUPED, key(group, id));
    }

    private static byte[] key(int group, int id) {
        return ByteBuffer.allocate(2 * Integer.BYTES).putInt(group).putInt(id).array();
    }
}
