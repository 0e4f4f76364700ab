package io.steadfs.mds.op.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.CountedReads;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.Location;
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

    private final Store store;
    private final Shell shell;

    KeptListingTest(@TempDir Path directory) throws IOException {
        store = new VolatileTables(
                RocksStore.open(directory.resolve("store"), ShardTables.ALL, Settings.defaults(), 1 << 20),
                LifeTables.ALL);
        shell = new Shell(State.in(store));
    }

    @AfterEach
    void close() {
        store.close();
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
                    .answer(request, Shell.principal("root"), view, shell.inputs())
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
            CountedReads counted = new CountedReads(snapshot);
            List<Entry> packed = list(counted, path, true);
            assertThat(packed).isEqualTo(list(snapshot, path, false));
            return counted.scansOf(ShardTables.DIRENT);
        }
    }

    /** Does what the commands say, and closes the files that they make. */
    private void given(String commands) {
        shell.given(commands);
        closeAll();
    }

    private void closeAll() {
        Claims.after(store.committed(), Optional.empty(), 100)
                .forEach(claim -> shell.state.replay(List.of(new ClaimEnded(claim.session(), claim.metafile()))));
    }

    /** A claim is in no row, so nothing else would spoil the page. */
    @Test
    void aPageWithAFileThatIsClaimedIsNotKept() throws IOException {
        shell.given("mkdir /d; create /d/f");
        check("/d", false);
        assertThat(check("/d", false)).isPositive();
        assertThat(list(store.committed(), "/d", true))
                .extracting(entry -> entry.getAttributes().getOpen())
                .containsExactly(true);
        closeAll();
        check("/d", false);
        check("/d", false);
        assertThat(check("/d", false)).isZero();
        try (Store.Snapshot snapshot = store.snapshot()) {
            assertThat(list(snapshot, "/d", true))
                    .extracting(entry -> entry.getAttributes().getOpen())
                    .containsExactly(false);
        }
    }

    @Test
    void aPageIsReadOnceUntilSomethingInItChanges() throws IOException {
        given("mkdir /d; mkdir /d/sub; create /d/f; create /d/g; create /other");
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
            given(change);
            assertThat(check("/d", false)).as(change).isPositive();
            assertThat(check("/d", true)).as(change).isZero();
        }
        given("create /far; chmod 600 /far; chmod 711 /d");
        assertThat(check("/d", true)).as("changes elsewhere").isLessThanOrEqualTo(1);
    }

    @Test
    void anOlderSnapshotSeesWhatWas() throws IOException {
        given("mkdir /d; create /d/f; create /d/g");
        check("/d", false);
        check("/d", false);
        try (Store.Snapshot before = store.snapshot()) {
            given("chmod 600 /d/f; delete /d/g");
            assertThat(check("/d", false)).isPositive();
            assertThat(list(before, "/d", true))
                    .isEqualTo(list(before, "/d", false))
                    .hasSize(2);
            assertThat(check("/d", false)).isZero();
        }
    }

    /** The answer, or what is asked of other shards before there is one. */
    private Object stat(ReadView view, String user, Location location) {
        StatRequest request = StatRequest.newBuilder().setLocation(location).build();
        try {
            Reply reply = new Stat().answer(request, Shell.principal(user), view, shell.inputs());
            return List.of(reply.error(), reply.header(), reply.body());
        } catch (Missing missing) {
            return missing.needs();
        }
    }

    /** By a way that may be kept, and by one that is not. */
    private void checkWay(String user, Location location) {
        try (Store.Snapshot glance = store.glance()) {
            assertThat(stat(glance, user, location))
                    .as(user + " " + location)
                    .isEqualTo(stat(store.committed(), user, location));
        }
    }

    private void checkWay(String user, String path) {
        checkWay(user, Shell.at(path));
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

    /**
     * What other shards' operations do to rows here: a name is held or free again, a directory is held empty, comes to be elsewhere,
     * gets another parent, or is cut off.
     */
    private void changeFromElsewhere(Random random, DirentKey key) {
        LockRow lock = LockRow.newBuilder().setCoordinator(1).setIntent(7).build();
        Optional<DirentRow> dirent = Dirents.find(store.committed(), key);
        if (dirent.isEmpty()) {
            Handle far = Handle.of(Handle.shardOwner(1 + random.nextInt(2)), 0, 1 + random.nextInt(9));
            shell.state.replay(List.of(DirentSet.directory(key, far)));
            return;
        }
        Handle object = new Handle(dirent.get().getHandle());
        Optional<DirectoryRow> row = Directories.find(store.committed(), object);
        switch (random.nextInt(row.isPresent() ? 5 : 2)) {
            case 0 ->
                shell.state.replay(List.of(new DirentSet(
                        key, dirent.get().toBuilder().setLock(lock).build())));
            case 1 ->
                shell.state.replay(List.of(
                        new DirentSet(key, dirent.get().toBuilder().clearLock().build())));
            case 2 ->
                shell.state.replay(List.of(new DirectorySet(
                        object, row.get().toBuilder().setLock(lock).build())));
            case 3 ->
                shell.state.replay(List.of(new DirectorySet(
                        object,
                        row.get().toBuilder().setMode(random.nextInt(0777)).build())));
            default -> shell.state.replay(List.of(new DirentGone(key), new TreeQueued(object)));
        }
    }

    /** Shard 0 of three, whose directories are starts of walks that other shards send on. */
    @Test
    void waysAreExactWhateverOtherShardsDo() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
        shell.given("mkdir /d; mkdir /d/0; mkdir /d/1; mkdir /e");
        List<Handle> starts = new ArrayList<>();
        for (String each : List.of("/d", "/d/0", "/d/1", "/e")) {
            starts.add(new Handle(shell.stat(each).getHandle()));
        }
        for (int round = 0; round < 1_500; round++) {
            Handle start = starts.get(random.nextInt(starts.size()));
            String name = String.valueOf(random.nextInt(4));
            DirentKey key = DirentKey.of(start, name);
            if (random.nextInt(3) == 0
                    && Directories.find(store.committed(), start).isPresent()) {
                changeFromElsewhere(random, key);
            } else {
                change(
                        random,
                        random.nextBoolean() ? "/d/" + name : "/d/" + name + "/" + random.nextInt(4),
                        "/e/" + name);
            }
            for (String rest : List.of(name, name + "/" + random.nextInt(4), "1/" + name + "/x")) {
                String user = List.of("root", "ben", "cleo").get(random.nextInt(3));
                checkWay(user, shell.from(user, start, rest));
                checkWay(user, "/d/" + rest);
            }
        }
    }

    private void change(Random random, String one, String other) {
        try {
            shell.as(
                    "root",
                    switch (random.nextInt(7)) {
                        case 0, 1 -> "create " + one;
                        case 2 -> "mkdir " + one;
                        case 3 -> "delete-r " + one;
                        case 4 -> "rename " + one + " " + other;
                        case 5 -> "chmod 7" + random.nextInt(8) + "0 " + one;
                        default -> "chown ben " + one;
                    });
        } catch (Missing asksOthers) {
            // A name that is held, or leads elsewhere: nothing changed.
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
            change(random, one, other);
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
