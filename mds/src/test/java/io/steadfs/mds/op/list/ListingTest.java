package io.steadfs.mds.op.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.NameHash;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.ContentSummaryReply;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages, cursors and sums. */
class ListingTest {
    private final Shell shell = new Shell();

    private Reply list(String path, int limit, ByteString cursor) {
        return shell.ask(
                new ListDirectory(),
                ListRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setLimit(limit)
                        .setCursor(cursor)
                        .build(),
                Shell.principal("root"));
    }

    private ListTreeReply tree(String path, int limit, ByteString cursor, boolean wantDirectories) {
        Reply reply = shell.ask(
                new ListTree(),
                ListTreeRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setLimit(limit)
                        .setCursor(cursor)
                        .setWantDirectories(wantDirectories)
                        .build(),
                Shell.principal("root"));
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return (ListTreeReply) reply.body();
    }

    private void makeFiles(int count) {
        shell.given("mkdir /d");
        for (int i = 0; i < count; i++) {
            shell.given("create /d/file-" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 99, 100, 101})
    void pagesTogetherAreTheDirectoryInHashOrder(int limit) {
        makeFiles(100);
        List<String> names = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        int pages = 0;
        do {
            ListReply page = (ListReply) list("/d", limit, cursor).body();
            assertThat(page.getEntriesCount()).isBetween(1, limit);
            assertThat(page.getAttributes().getEntries()).isEqualTo(100);
            page.getEntriesList().forEach(entry -> names.add(entry.getName()));
            cursor = page.getCursor();
            pages++;
        } while (!cursor.isEmpty());
        assertThat(names).doesNotHaveDuplicates().hasSize(100);
        assertThat(names).isSortedAccordingTo(Comparator.comparing(NameHash::of, Long::compareUnsigned));
        assertThat(pages).isEqualTo((100 + limit - 1) / limit);
    }

    @Test
    void aCursorOutlivesItsEntry() {
        makeFiles(20);
        ListReply first = (ListReply) list("/d", 5, ByteString.EMPTY).body();
        List<String> whole = ((ListReply) list("/d", 0, ByteString.EMPTY).body())
                .getEntriesList().stream().map(Entry::getName).toList();
        first.getEntriesList().forEach(entry -> shell.given("delete /d/" + entry.getName()));
        ListReply rest = (ListReply) list("/d", 0, first.getCursor()).body();
        assertThat(rest.getEntriesList().stream().map(Entry::getName)).containsExactlyElementsOf(whole.subList(5, 20));
        assertThat(rest.getCursor().isEmpty()).isTrue();
    }

    @Test
    void boundsHold() {
        makeFiles(Page.MAX_ENTRIES + 1);
        ListReply page = (ListReply) list("/d", 5000, ByteString.EMPTY).body();
        assertThat(page.getEntriesCount()).isEqualTo(Page.MAX_ENTRIES);
        assertThat(page.getCursor().isEmpty()).isFalse();
        assertThat(list("/d", -1, ByteString.EMPTY).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(list("/d", 0, ByteString.copyFrom(new byte[7])).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(list("/d", 0, ByteString.copyFrom(new byte[8])).error()).isEqualTo(FsError.OK);
        assertThat(list("/d", 0, ByteString.copyFrom(new byte[8 + 255])).error())
                .isEqualTo(FsError.OK);
        assertThat(list("/d", 0, ByteString.copyFrom(new byte[8 + 256])).error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    @Test
    void aFileListsAsItself() {
        shell.given("create /f");
        ListReply reply = shell.list("/f");
        assertThat(reply.getEntriesCount()).isEqualTo(1);
        assertThat(reply.getEntries(0).getName()).isEmpty();
        assertThat(reply.getEntries(0).getAttributes()).isEqualTo(reply.getAttributes());
        assertThat(tree("/f", 0, ByteString.EMPTY, false).getEntries(0).getName())
                .isEmpty();
    }

    private void makeTree() {
        shell.given("mkdirs /t/a/b/c; mkdirs /t/a/e; mkdirs /t/z; create /t/1; create /t/a/2; create /t/a/b/3; "
                + "create /t/a/b/c/4; create /t/a/b/c/5; create /t/z/6; mkdir /outside; create /outside/x");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 100})
    void pagesOfATreeTogetherAreTheTree(int limit) {
        makeTree();
        List<String> paths = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            ListTreeReply page = tree("/t", limit, cursor, true);
            assertThat(page.getEntriesCount()).isLessThanOrEqualTo(limit);
            page.getEntriesList().forEach(entry -> paths.add(entry.getName()));
            cursor = page.getCursor();
        } while (!cursor.isEmpty());
        assertThat(paths)
                .containsExactlyInAnyOrder(
                        "a", "a/b", "a/b/c", "a/e", "z", "1", "a/2", "a/b/3", "a/b/c/4", "a/b/c/5", "z/6");
        for (String path : paths) {
            int slash = path.lastIndexOf('/');
            if (slash > 0) {
                assertThat(paths.indexOf(path.substring(0, slash))).isLessThan(paths.indexOf(path));
            }
        }
        assertThat(tree("/t", 0, ByteString.EMPTY, false).getEntriesList().stream()
                        .map(Entry::getName))
                .containsExactlyInAnyOrder("1", "a/2", "a/b/3", "a/b/c/4", "a/b/c/5", "z/6");
    }

    /** While a tree is listed one entry at a time, others go; what stays is listed once. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aTreeThatShrinksWhileListed(long seed) {
        Random random = new Random(seed);
        shell.given("mkdir /t");
        TreeSet<String> left = new TreeSet<>();
        for (int i = 0; i < 60; i++) {
            String path = random.nextInt(4) + "/" + random.nextInt(4) + "/" + random.nextInt(6);
            if (left.add(path)) {
                shell.given("creates /t/" + path);
            }
        }
        TreeSet<String> met = new TreeSet<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            ListTreeReply page = tree("/t", 1, cursor, false);
            page.getEntriesList()
                    .forEach(entry -> assertThat(met.add(entry.getName()))
                            .as("seed %s: %s is listed once", seed, entry.getName())
                            .isTrue());
            cursor = page.getCursor();
            if (random.nextInt(3) == 0) {
                String prefix = random.nextInt(4) + (random.nextBoolean() ? "/" + random.nextInt(4) : "");
                if (shell.as("root", "delete-r /t/" + prefix).isOk()) {
                    left.removeIf(path -> path.startsWith(prefix + "/"));
                }
            }
        } while (!cursor.isEmpty());
        assertThat(met).as("seed %s", seed).containsAll(left);
    }

    /** Empty directories that are not asked for: nothing is listed of them. */
    @Test
    void aPageOfATreeEndsAfterSoManyEntriesListedOrNot() {
        shell.given("mkdir /t");
        for (int i = 0; i < ListTree.MAX_MET; i++) {
            shell.given("mkdir /t/" + i);
        }
        ListTreeReply whole = tree("/t", 0, ByteString.EMPTY, false);
        assertThat(whole.getEntriesCount()).isZero();
        assertThat(whole.getCursor().isEmpty()).isTrue();

        shell.given("mkdir /t/more; create /t/more/file");
        List<String> files = new ArrayList<>();
        ListTreeReply first = tree("/t", 0, ByteString.EMPTY, false);
        assertThat(first.getCursor().isEmpty()).isFalse();
        ListTreeReply second = tree("/t", 0, first.getCursor(), false);
        assertThat(second.getCursor().isEmpty()).isTrue();
        first.getEntriesList().forEach(entry -> files.add(entry.getName()));
        second.getEntriesList().forEach(entry -> files.add(entry.getName()));
        assertThat(files).containsExactly("more/file");
    }

    /** They are listed, whether directories are asked for or not. */
    @Test
    void directoriesElsewhereFillAPageOfATree() {
        shell.given("mkdir /t");
        Handle top = new Handle(shell.stat("/t").getHandle());
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i <= Page.MAX_ENTRIES; i++) {
            records.add(DirentSet.directory(DirentKey.of(top, "far" + i), Handle.of(Handle.shardOwner(1), 0, 100 + i)));
        }
        shell.state.replay(records);
        ListTreeReply first = tree("/t", 0, ByteString.EMPTY, false);
        assertThat(first.getEntriesList()).hasSize(Page.MAX_ENTRIES).allMatch(Entry::getElsewhere);
        ListTreeReply second = tree("/t", 0, first.getCursor(), false);
        assertThat(second.getEntriesList()).hasSize(1);
        assertThat(second.getCursor().isEmpty()).isTrue();
    }

    @Test
    void sumsCountTheTopToo() {
        makeTree();
        setLength("/t/1", 10);
        setLength("/t/a/b/c/4", 1L << 40);
        setLength("/outside/x", 1);
        assertThat(shell.summary("/t"))
                .isEqualTo(ContentSummaryReply.newBuilder()
                        .setFiles(6)
                        .setDirectories(6)
                        .setLength(10 + (1L << 40))
                        .setSpace(10 + (1L << 40))
                        .build());
        assertThat(shell.summary("/t/1"))
                .isEqualTo(ContentSummaryReply.newBuilder()
                        .setFiles(1)
                        .setLength(10)
                        .setSpace(10)
                        .build());
    }

    private void setLength(String path, long length) {
        Handle handle = new Handle(shell.stat(path).getHandle());
        shell.state.replay(List.of(new MetafileSet(
                handle,
                Metafiles.find(shell.state.view(), handle).orElseThrow().toBuilder()
                        .setLength(length)
                        .build())));
    }
}
