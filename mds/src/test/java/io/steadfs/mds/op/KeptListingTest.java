package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.steadfs.config.Settings;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Derived;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page or a way that is kept is what a look at the rows would find, after whatever changes. */
class KeptListingTest {
    private static final int PAGE = 7;

    private final RocksStore store;
    private final Shell shell;
    private int scans;

    KeptListingTest(@TempDir Path directory) throws IOException {
        store = RocksStore.open(directory.resolve("store"), ShardTables.ALL, Settings.defaults(), 1 << 20);
        shell = new Shell(State.in(store));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Counts ranges that are read. */
    private record Counted(ReadView view, Runnable scanned) implements ReadView {
        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            return view.get(table, key);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            if (table.equals(ShardTables.DIRENT)) {
                scanned.run();
            }
            return view.scan(table, from, to);
        }

        @Override
        public Optional<Derived> kept(Object question) {
            return view.kept(question);
        }

        @Override
        public boolean keepsDerived() {
            return view.keepsDerived();
        }

        @Override
        public void keep(Object question, Derived derived, Sources sources) {
            view.keep(question, derived, sources);
        }
    }

    private List<Entry> list(ReadView view, String path, boolean packed) throws IOException {
        List<Entry> entries = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            ListRequest request = ListRequest.newBuilder()
                    .setLocation(Shell.at(path))
                    .setLimit(PAGE)
                    .setCursor(cursor)
                    .setWantLayout(true)
                    .setPacked(packed)
                    .build();
            ListReply reply = (ListReply) new ListDirectory()
                    .answer(request, Shell.asker("root"), view, shell.inputs())
                    .body();
            assertThat(packed ? reply.getEntriesCount() : reply.getPacked().size())
                    .isZero();
            entries.addAll(reply.getEntriesList());
            CodedInputStream in = reply.getPacked().newCodedInput();
            while (!in.isAtEnd()) {
                Entry.Builder entry = Entry.newBuilder();
                in.readMessage(entry, com.google.protobuf.ExtensionRegistryLite.getEmptyRegistry());
                entries.add(entry.build());
            }
            cursor = reply.getCursor();
        } while (!cursor.isEmpty());
        return entries;
    }

    /** Lists it in both ways; answers how many ranges the packed one read. */
    private int check(String path, boolean glance) throws IOException {
        try (Store.Snapshot snapshot = glance ? store.glance() : store.snapshot()) {
            scans = 0;
            List<Entry> packed = list(new Counted(snapshot, () -> scans++), path, true);
            assertThat(packed).isEqualTo(list(snapshot, path, false));
            return scans;
        }
    }

    @Test
    void aPageIsReadOnceUntilSomethingInItChanges() throws IOException {
        shell.given("mkdir /d; mkdir /d/sub; create /d/f; create /d/g; create /other");
        check("/d", false);
        check("/d", false);
        assertThat(check("/d", false)).isZero();
        for (String change : List.of(
                "create /d/new",
                "chmod 600 /d/f",
                "chown ben /d/g",
                "times 5 /d/f",
                "chmod 700 /d/sub",
                "create /d/sub/below",
                "rename /d/f /d/h",
                "delete /d/g",
                "create! /d/h")) {
            shell.given(change);
            assertThat(check("/d", false)).as(change).isPositive();
            assertThat(check("/d", true)).as(change).isZero();
        }
        shell.given("create /far; chmod 600 /far; chmod 711 /d");
        assertThat(check("/d", true)).as("changes elsewhere").isLessThanOrEqualTo(1);
    }

    @Test
    void anOlderSnapshotSeesWhatWas() throws IOException {
        shell.given("mkdir /d; create /d/f; create /d/g");
        check("/d", false);
        check("/d", false);
        try (Store.Snapshot before = store.snapshot()) {
            shell.given("chmod 600 /d/f; delete /d/g");
            assertThat(check("/d", false)).isPositive();
            assertThat(list(before, "/d", true))
                    .isEqualTo(list(before, "/d", false))
                    .hasSize(2);
            assertThat(check("/d", false)).isZero();
        }
    }

    private Reply stat(ReadView view, String user, String path) {
        StatRequest request =
                StatRequest.newBuilder().setLocation(Shell.at(path)).build();
        return new Stat().answer(request, Shell.asker(user), view, shell.inputs());
    }

    /** By a way that may be kept, and by one that is not. */
    private void checkWay(String user, String path) {
        try (Store.Snapshot glance = store.glance()) {
            Reply known = stat(glance, user, path);
            Reply walked = stat(store.committed(), user, path);
            assertThat(known.error()).as(user + " " + path).isEqualTo(walked.error());
            assertThat(known.header()).isEqualTo(walked.header());
            assertThat(known.body()).isEqualTo(walked.body());
        }
    }

    @Test
    void aKnownWayIsAskedForPermissionAndEndsWithWhatItLeadsThrough() {
        for (String change : List.of(
                "mkdir /a; mkdir /a/b; mkdir /a/b/c; create /a/b/c/f",
                "chmod 700 /a/b",
                "chown ben /a/b",
                "chmod 755 /a/b; chmod 700 /a",
                "chmod 755 /a; rename /a/b /a/d",
                "mkdir /a/b; mkdir /a/b/c",
                "create /a/b/c/f",
                "delete-r /a",
                "create /a",
                "delete /a; mkdirs /a/b/c")) {
            shell.given(change);
            for (int i = 0; i < 3; i++) {
                for (String path : List.of("/a/b/c/f", "/a/b/c", "/a/b/c/f/g", "/a/d/c/f", "/a/b/x/f")) {
                    checkWay("root", path);
                    checkWay("ben", path);
                    checkWay("cleo", path);
                }
            }
        }
    }

    @Test
    void afterWhateverChanges() throws IOException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        shell.given("mkdir /d; mkdir /d/0; mkdir /d/1; mkdir /e");
        for (int round = 0; round < 1_500; round++) {
            String one = (random.nextBoolean() ? "/d/" : "/d/1/") + random.nextInt(12);
            String other = (random.nextBoolean() ? "/d/" : "/e/") + random.nextInt(12);
            shell.as(
                    "root",
                    switch (random.nextInt(7)) {
                        case 0, 1 -> "create " + one;
                        case 2 -> "mkdir " + one;
                        case 3 -> "delete-r " + one;
                        case 4 -> "rename " + one + " " + other;
                        case 5 -> "chmod 6" + random.nextInt(8) + "0 " + one;
                        default -> "chown ben " + one;
                    });
            checkWay(random.nextBoolean() ? "ben" : "cleo", one + "/" + random.nextInt(12));
            checkWay("cleo", other);
            for (String path : List.of("/d", "/e", "/")) {
                if (random.nextInt(3) > 0) {
                    check(path, random.nextBoolean());
                }
            }
        }
    }
}
