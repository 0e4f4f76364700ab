package io.steadfs.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every {@link Store} does. One subclass for each kind. */
public abstract class StoreContract {
    protected static final Table DIRENT = new Table("dirent");
    protected static final Table META = new Table("meta");
    protected static final List<Table> TABLES = List.of(DIRENT, META);
    private static final byte[] END = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff};

    /** A store, empty at the first call in a test, then with what the closed one before held. */
    protected abstract Store open() throws IOException;

    /** Loses the process and as much un-synced data as this kind can lose; answers the store found afterwards. */
    protected abstract Store crash(Store store) throws IOException;

    protected static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    protected static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }

    /** All rows as {@code k=v}. */
    protected static List<String> rows(ReadView view, Table table) {
        return rows(view, table, new byte[0], END);
    }

    private static List<String> rows(ReadView view, Table table, byte[] from, byte[] to) {
        List<String> found = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(table, from, to)) {
            while (cursor.next()) {
                found.add(text(cursor.key()) + "=" + text(cursor.value()));
            }
            assertThat(cursor.next()).isFalse();
        }
        return found;
    }

    /** Commits {@code k=v} as put and {@code k} as delete. */
    protected static void commit(Store store, Table table, boolean sync, String... changes) throws IOException {
        try (Overlay overlay = store.overlay()) {
            change(overlay, table, changes);
            store.commit(overlay, sync);
        }
    }

    private static void change(WriteView view, Table table, String... changes) {
        for (String change : changes) {
            int sign = change.indexOf('=');
            if (sign < 0) {
                view.delete(table, bytes(change));
            } else {
                view.put(table, bytes(change.substring(0, sign)), bytes(change.substring(sign + 1)));
            }
        }
    }

    @Test
    void getsWhatWasCommittedAndOnlyInItsTable() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, true, "a=1", "empty=");
            assertThat(store.committed().get(DIRENT, bytes("a"))).contains(bytes("1"));
            assertThat(store.committed().get(DIRENT, bytes("empty"))).contains(new byte[0]);
            assertThat(store.committed().get(DIRENT, bytes("b"))).isEmpty();
            assertThat(store.committed().get(META, bytes("a"))).isEmpty();
            commit(store, DIRENT, false, "a=2", "never-there");
            assertThat(store.committed().get(DIRENT, bytes("a"))).contains(bytes("2"));
            commit(store, DIRENT, false, "a");
            assertThat(store.committed().get(DIRENT, bytes("a"))).isEmpty();
        }
    }

    @Test
    void scansInTheOrderOfUnsignedBytes() throws IOException {
        try (Store store = open()) {
            byte[][] keys = {{}, {0}, {0, 0}, {1}, {0x7f}, {(byte) 0x80}, {(byte) 0xff}, {(byte) 0xff, 0}};
            try (Overlay overlay = store.overlay()) {
                for (int i = keys.length - 1; i >= 1; i--) {
                    overlay.put(DIRENT, keys[i], new byte[] {(byte) i});
                }
                assertThat(values(overlay, keys[0], END)).isEqualTo("01020304050607");
                store.commit(overlay, false);
            }
            ReadView view = store.committed();
            assertThat(values(view, keys[0], END)).isEqualTo("01020304050607");
            assertThat(values(view, keys[2], keys[5]))
                    .as("from is in, to is out")
                    .isEqualTo("020304");
            assertThat(values(view, keys[5], keys[5])).isEmpty();
            assertThat(values(view, keys[5], keys[2])).isEmpty();
            assertThat(values(view, new byte[] {2}, new byte[] {3})).isEmpty();
        }
    }

    private static String values(ReadView view, byte[] from, byte[] to) {
        StringBuilder found = new StringBuilder();
        try (ReadView.Cursor cursor = view.scan(DIRENT, from, to)) {
            while (cursor.next()) {
                found.append(HexFormat.of().formatHex(cursor.value()));
            }
        }
        return found.toString();
    }

    @Test
    void overlayShowsItsChangesToItselfOnly() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, false, "a=1", "b=1", "c=1", "e=1");
            try (Overlay overlay = store.overlay()) {
                assertThat(overlay.isEmpty()).isTrue();
                change(overlay, DIRENT, "0=2", "b", "c=2", "d=2", "x=2", "x", "e", "e=3");
                assertThat(overlay.isEmpty()).isFalse();
                assertThat(rows(overlay, DIRENT)).containsExactly("0=2", "a=1", "c=2", "d=2", "e=3");
                assertThat(rows(overlay, DIRENT, bytes("b"), bytes("e"))).containsExactly("c=2", "d=2");
                assertThat(overlay.get(DIRENT, bytes("b"))).isEmpty();
                assertThat(overlay.get(DIRENT, bytes("a"))).contains(bytes("1"));
                assertThat(overlay.get(DIRENT, bytes("d"))).contains(bytes("2"));
                assertThat(rows(store.committed(), DIRENT)).containsExactly("a=1", "b=1", "c=1", "e=1");
            }
            assertThat(rows(store.committed(), DIRENT)).containsExactly("a=1", "b=1", "c=1", "e=1");
        }
    }

    @Test
    void overlayOverAnotherSeesBothWhileThatIsCommitted() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, false, "a=1", "b=1", "c=1", "g=1");
            try (Overlay lower = store.overlay();
                    Overlay upper = lower.above()) {
                change(lower, DIRENT, "0=2", "b", "c=2", "d=2", "e=2");
                change(upper, DIRENT, "b=3", "c", "e=3", "f=3");
                List<String> both = List.of("0=2", "a=1", "b=3", "d=2", "e=3", "f=3", "g=1");
                assertThat(rows(upper, DIRENT)).isEqualTo(both);
                assertThat(upper.get(DIRENT, bytes("c"))).isEmpty();
                assertThat(upper.get(DIRENT, bytes("d"))).contains(bytes("2"));
                store.commit(lower, true);
                assertThat(rows(upper, DIRENT)).isEqualTo(both);
                assertThat(rows(store.committed(), DIRENT)).containsExactly("0=2", "a=1", "c=2", "d=2", "e=2", "g=1");
                upper.settle();
                assertThat(rows(upper, DIRENT)).isEqualTo(both);
                store.commit(upper, true);
                assertThat(rows(store.committed(), DIRENT)).isEqualTo(both);
            }
        }
    }

    @Test
    void closedOverlayGetsNoMoreChanges() throws IOException {
        try (Store store = open()) {
            Overlay overlay = store.overlay();
            change(overlay, DIRENT, "a=1");
            overlay.close();
            assertThatThrownBy(() -> change(overlay, DIRENT, "a=2"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThat(rows(overlay, DIRENT)).containsExactly("a=1");
        }
    }

    @Test
    void rowsMayBeDeletedUnderTheCursor() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, false, "a=1", "c=1", "e=1");
            try (Overlay overlay = store.overlay()) {
                change(overlay, DIRENT, "b=2", "d=2");
                List<String> met = new ArrayList<>();
                try (ReadView.Cursor cursor = overlay.scan(DIRENT, new byte[0], END)) {
                    while (cursor.next()) {
                        overlay.delete(DIRENT, cursor.key());
                        met.add(text(cursor.key()) + "=" + text(cursor.value()));
                    }
                }
                assertThat(met).containsExactly("a=1", "b=2", "c=1", "d=2", "e=1");
                assertThat(rows(overlay, DIRENT)).isEmpty();
            }
        }
    }

    @Test
    void snapshotStaysAsItWas() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, false, "a=1", "b=1");
            try (Store.Snapshot snapshot = store.snapshot()) {
                commit(store, DIRENT, true, "a=2", "b", "c=2");
                assertThat(rows(snapshot, DIRENT)).containsExactly("a=1", "b=1");
                assertThat(snapshot.get(DIRENT, bytes("a"))).contains(bytes("1"));
                assertThat(rows(store.committed(), DIRENT)).containsExactly("a=2", "c=2");
            }
        }
    }

    @Test
    void keepsEverythingAcrossACleanStop() throws IOException {
        try (Store store = open()) {
            commit(store, DIRENT, true, "a=1");
            commit(store, META, false, "m=1");
        }
        try (Store store = open()) {
            assertThat(rows(store.committed(), DIRENT)).containsExactly("a=1");
            assertThat(rows(store.committed(), META)).containsExactly("m=1");
        }
    }

    @Test
    void crashKeepsSyncedCommitsWithAllBeforeThem() throws IOException {
        Store store = open();
        commit(store, DIRENT, false, "a=1");
        commit(store, META, true, "m=1");
        commit(store, DIRENT, false, "a=2", "b=2");
        commit(store, META, false, "m=2");
        try (Store found = crash(store)) {
            assertThat(rows(found.committed(), DIRENT)).isIn(List.of("a=1"), List.of("a=2", "b=2"));
            assertThat(rows(found.committed(), META)).isIn(List.of("m=1"), List.of("m=2"));
            if (rows(found.committed(), META).contains("m=2")) {
                assertThat(rows(found.committed(), DIRENT)).containsExactly("a=2", "b=2");
            }
        }
    }

    @Test
    void whatComesAfterCloseIsRefused() throws IOException {
        Store store = open();
        commit(store, DIRENT, true, "a=1", "b=1");
        ReadView committed = store.committed();
        Store.Snapshot snapshot = store.snapshot();
        Overlay overlay = store.overlay();
        overlay.put(DIRENT, bytes("x"), bytes("y"));
        ReadView.Cursor cursor = committed.scan(DIRENT, bytes("a"), bytes("z"));
        ReadView.Cursor overlaid = overlay.scan(DIRENT, bytes("a"), bytes("z"));
        assertThat(cursor.next()).isTrue();
        assertThat(overlaid.next()).isTrue();
        store.close();
        store.close();
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls = List.of(
                () -> committed.get(DIRENT, bytes("a")),
                () -> committed.scan(DIRENT, bytes("a"), bytes("b")),
                () -> snapshot.get(DIRENT, bytes("a")),
                () -> overlay.put(DIRENT, bytes("a"), bytes("b")),
                () -> store.commit(overlay, true),
                store::snapshot,
                store::overlay,
                cursor::next,
                overlaid::next);
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(StoreClosedException.class).hasMessageContaining("is closed");
        }
        overlaid.close();
        cursor.close();
        overlay.close();
        snapshot.close();
        try (Store again = open()) {
            assertThat(rows(again.committed(), DIRENT)).containsExactly("a=1", "b=1");
        }
    }

    @Test
    void unknownTableIsNamed() throws IOException {
        try (Store store = open();
                Overlay overlay = store.overlay()) {
            Table other = new Table("other");
            assertThatThrownBy(() -> store.committed().get(other, bytes("a"))).hasMessageContaining("other");
            assertThatThrownBy(() -> overlay.put(other, bytes("a"), bytes("b"))).hasMessageContaining("other");
        }
    }

    @Test
    void behavesAsATreeMap() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println(getClass().getSimpleName() + " seed " + seed);
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> durable = new TreeMap<>(Arrays::compareUnsigned);
        Store store = open();
        try {
            for (int round = 0; round < 300; round++) {
                TreeMap<byte[], byte[]> expected = new TreeMap<>(durable);
                try (Overlay overlay = store.overlay()) {
                    for (int change = random.nextInt(12); change > 0; change--) {
                        changeAtRandom(random, overlay, expected);
                    }
                    compare(random, seed, overlay, expected);
                    compare(random, seed, store.committed(), durable);
                    TreeMap<byte[], byte[]> further = new TreeMap<>(expected);
                    Overlay above = overlay.above();
                    for (int change = random.nextInt(12); change > 0; change--) {
                        changeAtRandom(random, above, further);
                    }
                    compare(random, seed, above, further);
                    if (random.nextInt(4) > 0) {
                        store.commit(overlay, random.nextBoolean());
                        durable = expected;
                    }
                }
                if (random.nextInt(50) == 0) {
                    store.close();
                    store = open();
                }
                compare(random, seed, store.committed(), durable);
            }
        } finally {
            store.close();
        }
    }

    private static void changeAtRandom(Random random, Overlay overlay, NavigableMap<byte[], byte[]> expected) {
        byte[] key = randomKey(random);
        if (random.nextInt(3) == 0) {
            overlay.delete(DIRENT, key);
            expected.remove(key);
        } else {
            byte[] value = new byte[random.nextInt(5)];
            random.nextBytes(value);
            overlay.put(DIRENT, key, value);
            expected.put(key, value);
        }
    }

    private static byte[] randomKey(Random random) {
        byte[] key = new byte[1 + random.nextInt(3)];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(4) * 85);
        }
        return key;
    }

    private static void compare(Random random, long seed, ReadView view, NavigableMap<byte[], byte[]> expected) {
        byte[] one = randomKey(random);
        assertThat(view.get(DIRENT, one).map(HexFormat.of()::formatHex).orElse("none"))
                .as("seed %d", seed)
                .isEqualTo(expected.containsKey(one) ? HexFormat.of().formatHex(expected.get(one)) : "none");
        byte[] other = randomKey(random);
        byte[] from = Arrays.compareUnsigned(one, other) < 0 ? one : other;
        byte[] to = from == one ? other : one;
        List<String> wanted = new ArrayList<>();
        expected.subMap(from, to).forEach((key, value) -> wanted.add(hex(key, value)));
        List<String> found = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(DIRENT, from, to)) {
            while (cursor.next()) {
                found.add(hex(cursor.key(), cursor.value()));
            }
        }
        assertThat(found).as("seed %d", seed).isEqualTo(wanted);
    }

    private static String hex(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
    }
}
