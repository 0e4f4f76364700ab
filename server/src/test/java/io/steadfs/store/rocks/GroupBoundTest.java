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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of rows that cannot be there is never wrong: by itself, and in a store, whose commits race with learning it. */
class GroupBoundTest {
    private static final Table GROUPED = new Table("grouped", Integer.BYTES);
    private static final int IDS = 8;
    private static final int GROUPS = 20_000;
    private static final long MOST_BYTES = 1 << 20;

    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong complete = new AtomicLong();
    private final GroupBound reach = new GroupBound(MOST_BYTES, begun::get, complete::get);

    @Test
    void whatLiesBehindAllRowsIsKnownOnceSomebodyLooked() {
        absentTwice(row(1, 5), key -> false);
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
        absentTwice(row(1, 5), key -> false);
        assertThat(reach.isBehind(row(1, 6))).isFalse();
        complete.set(1);
        absentTwice(row(1, 5), key -> false);
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
    void whereRowsFollowItIsLookedEverMoreSeldom() {
        AtomicInteger looks = new AtomicInteger();
        for (int i = 0; i < 1024; i++) {
            reach.absent(row(1, i), key -> looks.incrementAndGet() > 0);
        }
        assertThat(reach.isBehind(row(1, 2000))).isFalse();
        assertThat(looks.get()).isEqualTo(10);
        for (int i = 1024; i < 2048; i++) {
            reach.absent(row(1, i), key -> false);
        }
        assertThat(reach.isBehind(row(1, 2048))).isTrue();
    }

    @Test
    void keysWithoutAGroupAreLookedFor() {
        byte[] last = key(0xff000000, 2);
        for (List<RowKey> each : List.of(
                List.of(new RowKey(GROUPED, key(1, 0)), new RowKey(GROUPED, new byte[] {1, 0, 0, 0})),
                List.of(new RowKey(new Table("plain"), key(1, 1)), new RowKey(new Table("plain"), key(1, 2))),
                List.of(row(0xff000000, 1), new RowKey(GROUPED, last)))) {
            absentTwice(each.get(0), key -> {
                assertThat(key).isEqualTo(row(1, 0));
                return false;
            });
            assertThat(reach.isBehind(each.get(1))).isFalse();
        }
    }

    @Test
    void itTakesNoMoreThanItMay() {
        for (int i = 0; i < 100_000; i++) {
            reach.absent(row(i, 1), key -> false);
        }
        assertThat(reach.bytes()).isBetween(MOST_BYTES / 2, MOST_BYTES);
    }

    /** Rows that were there at opening: whoever asks below them learns no wrong bound, with neighbours on both sides. */
    @ParameterizedTest
    @ValueSource(ints = {1, 0xff, 0xffff, 0x1ffffff})
    void rowsFromBeforeTheOpeningAreFound(int group, @TempDir Path directory) throws IOException {
        try (Store store = open(directory)) {
            commit(store, key(group, 1), key(group, 9), key(group + 1, 3));
        }
        try (Store store = open(directory)) {
            for (int i = 0; i < 16; i++) {
                assertThat(store.committed().get(GROUPED, key(group, 5))).isEmpty();
            }
            assertThat(store.committed().get(GROUPED, key(group, 9))).isPresent();
            for (int i = 0; i < 32; i++) {
                assertThat(store.committed().get(GROUPED, key(group, 10))).isEmpty();
            }
            assertThat(store.committed().get(GROUPED, key(group, 11))).isEmpty();
            assertThat(store.committed().get(GROUPED, key(group + 1, 3))).isPresent();
            commit(store, key(group, 12), key(group, 11));
            assertThat(store.committed().get(GROUPED, key(group, 12))).isPresent();
            assertThat(store.committed().get(GROUPED, key(group, 11))).isPresent();
        }
    }

    /**
     * One thread commits and removes ids of groups in any order; others ask for them, for groups that have nothing yet too, so that groups come
     * while rows of theirs are committed. What is committed is found, and what a commit is to remove too, until it has begun.
     */
    @Test
    void committedRowsAreFoundByWhoeverLooks(@TempDir Path directory) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        ExecutorService readers = Executors.newCachedThreadPool();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicIntegerArray there = new AtomicIntegerArray(GROUPS * IDS);
        AtomicInteger around = new AtomicInteger();
        try (Store store = open(directory)) {
            List<Future<Long>> looks = new ArrayList<>();
            for (int reader = 0; reader < 2; reader++) {
                Random own = new Random(seed + reader);
                looks.add(
                        readers.submit((Callable<Long>) () -> readUntil(ended, there, around, store.committed(), own)));
            }
            Random random = new Random(seed - 1);
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
            while (System.nanoTime() - until < 0) {
                commitSome(store, there, around, random);
            }
            ended.set(true);
            for (Future<Long> each : looks) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isPositive();
            }
            assertThat(around.get()).isPositive();
        } finally {
            ended.set(true);
            readers.shutdownNow();
        }
    }

    /** Ids of the next groups, in any order; now and then one goes again. */
    private static void commitSome(Store store, AtomicIntegerArray there, AtomicInteger around, Random random)
            throws IOException {
        int group = around.get();
        List<Integer> places = new ArrayList<>();
        for (int id = 0; id < IDS; id++) {
            places.add(group * IDS + id);
            places.add(Math.min(GROUPS - 1, group + 1) * IDS + id);
        }
        Collections.shuffle(places, random);
        for (int i = 0; i < IDS; i++) {
            int place = places.get(i);
            boolean isThere = isThere(there.get(place));
            boolean goes = isThere && random.nextInt(4) == 0;
            if (goes) {
                there.incrementAndGet(place);
            }
            try (Overlay overlay = store.overlay()) {
                byte[] key = key(place / IDS, place % IDS);
                if (goes) {
                    overlay.delete(GROUPED, key);
                } else {
                    overlay.put(GROUPED, key, new byte[] {1});
                }
                store.commit(overlay, false);
            }
            if (!isThere) {
                there.incrementAndGet(place);
            }
        }
        around.set((group + 1) % GROUPS);
    }

    /** @param changes how often the row came and went; it is there after an odd number */
    private static boolean isThere(int changes) {
        return changes % 2 == 1;
    }

    private static long readUntil(
            AtomicBoolean ended, AtomicIntegerArray there, AtomicInteger around, ReadView newest, Random random) {
        long looks = 0;
        while (!ended.get()) {
            int group = Math.min(GROUPS - 1, around.get() + random.nextInt(3));
            int place = group * IDS + random.nextInt(IDS);
            int before = there.get(place);
            boolean found = newest.get(GROUPED, key(group, place % IDS)).isPresent();
            if (isThere(before) && !found && there.get(place) == before) {
                throw new AssertionError("row " + place % IDS + " of group " + group + " is committed and not found");
            }
            looks++;
        }
        return looks;
    }

    private static Store open(Path directory) throws IOException {
        return RocksStore.open(directory, List.of(GROUPED), Settings.defaults(), 1 << 20);
    }

    private static void commit(Store store, byte[]... keys) throws IOException {
        try (Overlay overlay = store.overlay()) {
            for (byte[] each : keys) {
                overlay.put(GROUPED, each, new byte[] {1});
            }
            store.commit(overlay, false);
        }
    }

    private void absentTwice(RowKey key, GroupBound.Look look) {
        reach.absent(key, look);
        reach.absent(key, look);
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
