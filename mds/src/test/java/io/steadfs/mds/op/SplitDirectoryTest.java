package io.steadfs.mds.op;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Listing;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.layout.ProtocolName;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.WalkingClient;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListPartitionsReply;
import io.steadfs.wire.proto.ListPartitionsRequest;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory with partitions on three shards. */
class SplitDirectoryTest {
    private static final int FILES = 60;

    private final SimulatedShards cluster = new SimulatedShards(3, 1);
    private final WalkingClient root = new WalkingClient(cluster, 42, "root");
    private WalkingClient client = root;

    private Reply ask(Kind kind, Message body) {
        CompletableFuture<Reply> reply = client.begin(kind, body);
        cluster.time().runUntil(kind + " " + body, reply::isDone, 120_000);
        return reply.join();
    }

    /** Whether requests have whole paths and go to any shard, or walk from shard to shard. */
    private void askAnyShard(boolean whole) {
        if (whole) {
            client.toAnyShard(new SplittableRandom(1));
        }
    }

    private Reply ok(Kind kind, Message body) {
        Reply reply = ask(kind, body);
        assertThat(reply.error())
                .as(kind + " " + body + reply.header().getMessage())
                .isEqualTo(FsError.OK);
        return reply;
    }

    private static Location at(String path) {
        return Location.newBuilder().setPath(path).build();
    }

    private FsError create(String path) {
        return ask(
                        Kind.CREATE,
                        CreateRequest.newBuilder()
                                .setLocation(at(path))
                                .setMode(0644)
                                .build())
                .error();
    }

    private FsError mkdir(String path) {
        return ask(
                        Kind.MKDIRS,
                        MkdirsRequest.newBuilder()
                                .setLocation(at(path))
                                .setMode(0755)
                                .build())
                .error();
    }

    /** Spreads the directory over as many partitions as so many files need. */
    private FsError expect(String path, long files) {
        return set(path, DirectoryHints.EXPECTED_FILES, Long.toString(files));
    }

    private FsError stat(String path) {
        return ask(Kind.STAT, StatRequest.newBuilder().setLocation(at(path)).build())
                .error();
    }

    private FsError rename(String source, String target) {
        return ask(
                        Kind.RENAME,
                        RenameRequest.newBuilder()
                                .setSource(at(source))
                                .setTarget(at(target))
                                .setMode(RenameRequest.Mode.NO_REPLACE)
                                .build())
                .error();
    }

    /** All names in the order of their hashes, by pages of a few. */
    private List<String> list(String path) {
        List<String> names = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            Reply reply = ask(
                    Kind.LIST,
                    ListRequest.newBuilder()
                            .setLocation(at(path))
                            .setLimit(7)
                            .setCursor(cursor)
                            .build());
            assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.OK);
            ListReply page = (ListReply) reply.body();
            page.getEntriesList().forEach(entry -> names.add(entry.getName()));
            cursor = page.getCursor();
        } while (!cursor.isEmpty());
        return names;
    }

    private FsError delete(String path) {
        return ask(Kind.DELETE, DeleteRequest.newBuilder().setLocation(at(path)).build())
                .error();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void namesAreMadeFoundAndRemovedInAllPartitions(boolean whole) {
        askAnyShard(whole);
        makeWide();
        for (int i = 0; i < FILES; i++) {
            assertThat(create("wide/f" + i)).as("file %d", i).isEqualTo(FsError.OK);
            assertThat(create("wide/f" + i)).isEqualTo(FsError.ALREADY_EXISTS);
            assertThat(mkdir("wide/d" + i)).as("directory %d", i).isEqualTo(FsError.OK);
            assertThat(create("wide/d" + i + "/f")).as("file in %d", i).isEqualTo(FsError.OK);
        }
        assertThat(list("wide"))
                .hasSize(2 * FILES)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(Comparator.comparing(NameHash::of, Long::compareUnsigned));
        for (int i = 0; i < FILES; i++) {
            assertThat(stat("wide/f" + i)).as("file %d", i).isEqualTo(FsError.OK);
            assertThat(stat("wide/d" + i + "/f")).as("file in %d", i).isEqualTo(FsError.OK);
            assertThat(rename("wide/f" + i, "wide/g" + i)).as("rename %d", i).isEqualTo(FsError.OK);
            assertThat(stat("wide/f" + i)).isEqualTo(FsError.NOT_FOUND);
            assertThat(rename("wide/g" + i, "wide/d" + i + "/h")).isEqualTo(FsError.OK);
            assertThat(rename("wide/d" + i, "wide/e" + i)).as("directory %d", i).isEqualTo(FsError.OK);
            assertThat(rename("wide/e" + i + "/h", "wide/f" + i)).isEqualTo(FsError.OK);
            assertThat(delete("wide/f" + i)).as("file %d", i).isEqualTo(FsError.OK);
            assertThat(stat("wide/f" + i)).isEqualTo(FsError.NOT_FOUND);
            assertThat(stat("wide/e" + i + "/f")).as("file in %d", i).isEqualTo(FsError.OK);
            assertThat(delete("wide")).as("directory with %d and more", i).isEqualTo(FsError.NOT_EMPTY);
            assertThat(delete("wide/e" + i + "/f")).isEqualTo(FsError.OK);
            assertThat(delete("wide/e" + i)).isEqualTo(FsError.OK);
        }
        assertThat(delete("wide")).isEqualTo(FsError.OK);
        assertThat(stat("wide")).isEqualTo(FsError.NOT_FOUND);
        cluster.quiet();
        for (ReadView view : cluster.views()) {
            assertThat(Rows.count(view, ShardTables.MAP, new byte[] {(byte) 0x80}))
                    .isZero();
        }
    }

    private void makeWide() {
        assertThat(mkdir("wide")).isEqualTo(FsError.OK);
        assertThat(expect("wide", 60_000)).isEqualTo(FsError.OK);
        assertThat(partitions("wide")).hasSize(8);
        assertThat(shards("wide")).containsExactly(0, 1, 2);
    }

    private List<ListPartitionsReply.Partition> partitions(String path) {
        return ((ListPartitionsReply) ok(
                                Kind.LIST_PARTITIONS,
                                ListPartitionsRequest.newBuilder()
                                        .setLocation(at(path))
                                        .build())
                        .body())
                .getPartitionsList();
    }

    private Set<Integer> shards(String path) {
        return partitions(path).stream()
                .map(ListPartitionsReply.Partition::getShard)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void partitionsAreListedWithTheirNames() {
        makeWide();
        for (int i = 0; i < FILES; i++) {
            assertThat(create("wide/f" + i)).isEqualTo(FsError.OK);
        }
        long names = 0;
        for (ListPartitionsReply.Partition each : partitions("wide")) {
            Partition partition = new Partition(each.getNumber(), each.getDepth(), Handle.ROOT);
            long expected = IntStream.range(0, FILES)
                    .filter(i -> partition.has(NameHash.of("f" + i)))
                    .count();
            assertThat(each.getEntries()).as("names of %s", each).isEqualTo(expected);
            names += each.getEntries();
        }
        assertThat(names).isEqualTo(FILES);
        assertThat(partitions("/")).hasSize(1);
        assertThat(ask(
                                Kind.LIST_PARTITIONS,
                                ListPartitionsRequest.newBuilder()
                                        .setLocation(at("wide/f7"))
                                        .build())
                        .error())
                .isEqualTo(FsError.NOT_A_DIRECTORY);
    }

    @Test
    void aDirectoryIsOnAsManyShardsAsItMayUse() {
        assertThat(mkdir("two")).isEqualTo(FsError.OK);
        assertThat(set("two", DirectoryHints.MAX_SHARDS, "2")).isEqualTo(FsError.OK);
        assertThat(expect("two", 60_000)).isEqualTo(FsError.OK);
        assertThat(shards("two")).hasSize(2);
        assertThat(mkdir("one")).isEqualTo(FsError.OK);
        assertThat(set("one", DirectoryHints.MAX_SHARDS, "1")).isEqualTo(FsError.OK);
        assertThat(expect("one", 60_000)).isEqualTo(FsError.OK);
        assertThat(partitions("one")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5", "many", "1000000000001", "99999999999999999999"})
    void aHintThatIsNoNumberIsRefused(String hint) {
        assertThat(mkdir("wide")).isEqualTo(FsError.OK);
        assertThat(set("wide", DirectoryHints.EXPECTED_FILES, hint)).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(set("wide", DirectoryHints.MAX_SHARDS, hint)).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(partitions("wide")).hasSize(1);
    }

    /** The hint is kept, and has no effect on a directory with names or with partitions. */
    @Test
    void onlyAnEmptyDirectoryIsSpread() {
        assertThat(mkdir("full")).isEqualTo(FsError.OK);
        assertThat(create("full/f")).isEqualTo(FsError.OK);
        assertThat(expect("full", 60_000)).isEqualTo(FsError.OK);
        assertThat(partitions("full")).hasSize(1);
        makeWide();
        assertThat(expect("wide", 120_000)).isEqualTo(FsError.OK);
        assertThat(partitions("wide")).hasSize(8);
        assertThat(create("file")).isEqualTo(FsError.OK);
        assertThat(expect("file", 60_000)).isEqualTo(FsError.OK);
        assertThat(expect("nothing", 60_000)).isEqualTo(FsError.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/zz", "/80000000000000000", "/-1"})
    void aCursorOfATreeThatIsNoneIsRefused(String cursor) {
        assertThat(ask(
                                Kind.LIST_TREE,
                                ListTreeRequest.newBuilder()
                                        .setLocation(at("/"))
                                        .setCursor(ByteString.copyFromUtf8(cursor))
                                        .build())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    private Attributes attributes(String path) {
        return ((StatReply) ok(
                                Kind.STAT,
                                StatRequest.newBuilder().setLocation(at(path)).build())
                        .body())
                .getAttributes();
    }

    private void setTime(String path, long time) {
        ok(
                Kind.SET_ATTRIBUTES,
                SetAttributesRequest.newBuilder()
                        .setLocation(at(path))
                        .setModificationTime(time)
                        .build());
    }

    private void setMode(String path, int mode) {
        ok(
                Kind.SET_ATTRIBUTES,
                SetAttributesRequest.newBuilder()
                        .setLocation(at(path))
                        .setMode(mode)
                        .build());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAndTimesAreOfAllPartitions(boolean whole) {
        askAnyShard(whole);
        makeWide();
        for (int i = 0; i < FILES; i++) {
            assertThat(create("wide/f" + i)).isEqualTo(FsError.OK);
        }
        Attributes full = attributes("wide");
        assertThat(full.getEntries()).isEqualTo(FILES);
        long now = cluster.time().wallMillis();
        assertThat(full.getModificationTime()).isBetween(now - 60_000, now);
        setTime("wide", 1_000_000);
        assertThat(attributes("wide").getModificationTime()).isEqualTo(1_000_000);
        setMode("wide", 0700);
        assertThat(attributes("wide").getModificationTime()).isEqualTo(1_000_000);
        setTime("wide", 2_000_000);
        assertThat(attributes("wide").getModificationTime()).isEqualTo(2_000_000);
        for (Attributes entry : List.of(listed("/", "wide"), listedTree("/", "wide"))) {
            assertThat(entry.getEntries()).isEqualTo(FILES);
            assertThat(entry.getModificationTime()).isEqualTo(2_000_000);
        }
        assertThat(delete("wide/f7")).isEqualTo(FsError.OK);
        assertThat(attributes("wide").getEntries()).isEqualTo(FILES - 1);
        assertThat(attributes("wide").getModificationTime())
                .isBetween(now, cluster.time().wallMillis());
    }

    private Attributes listed(String path, String name) {
        ListReply page = (ListReply)
                ok(Kind.LIST, ListRequest.newBuilder().setLocation(at(path)).build())
                        .body();
        return of(page.getEntriesList(), name);
    }

    private Attributes listedTree(String path, String name) {
        ListTreeReply page = (ListTreeReply) ok(
                        Kind.LIST_TREE,
                        ListTreeRequest.newBuilder()
                                .setLocation(at(path))
                                .setWantDirectories(true)
                                .build())
                .body();
        return of(page.getEntriesList(), name);
    }

    private static Attributes of(List<Entry> entries, String name) {
        return entries.stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getAttributes();
    }

    private FsError deleteTree(String path) {
        return ask(
                        Kind.DELETE,
                        DeleteRequest.newBuilder()
                                .setLocation(at(path))
                                .setRecursive(true)
                                .build())
                .error();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTreeGoesWithAllPartitions(boolean whole) {
        askAnyShard(whole);
        makeWide();
        setMode("wide", 01777);
        setMode("/", 0777);
        client = new WalkingClient(cluster, 43, "anna");
        askAnyShard(whole);
        for (int i = 0; i < FILES; i++) {
            assertThat(create("wide/f" + i)).isEqualTo(FsError.OK);
        }
        assertThat(mkdir("wide/d")).isEqualTo(FsError.OK);
        assertThat(create("wide/d/f")).isEqualTo(FsError.OK);
        WalkingClient anna = client;
        client = new WalkingClient(cluster, 44, "berta");
        askAnyShard(whole);
        assertThat(deleteTree("wide")).as("the entries of anna").isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(create("wide/of-berta")).isEqualTo(FsError.OK);
        client = anna;
        assertThat(deleteTree("wide")).as("one entry of berta").isEqualTo(FsError.PERMISSION_DENIED);
        client = root;
        setMode("wide", 0755);
        client = anna;
        assertThat(deleteTree("wide")).as("no permission to write").isEqualTo(FsError.PERMISSION_DENIED);
        client = root;
        setMode("wide", 0777);
        client = anna;
        assertThat(deleteTree("wide")).isEqualTo(FsError.OK);
        assertThat(stat("wide")).isEqualTo(FsError.NOT_FOUND);
        cluster.quiet();
        for (ReadView view : cluster.views()) {
            for (Table table : List.of(ShardTables.MAP, ShardTables.DIRENT)) {
                assertThat(Rows.count(view, table, new byte[] {(byte) 0x80}))
                        .as(table.name())
                        .isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void objectsMoveIntoADirectoryWithPartitions(boolean whole) {
        askAnyShard(whole);
        makeWide();
        for (int i = 0; i < FILES; i++) {
            assertThat(create("f" + i)).isEqualTo(FsError.OK);
            assertThat(moveInto("f" + i, "wide")).isEqualTo(FsError.OK);
            assertThat(stat("wide/f" + i)).isEqualTo(FsError.OK);
            assertThat(stat("f" + i)).isEqualTo(FsError.NOT_FOUND);
            assertThat(mkdir("f" + i)).isEqualTo(FsError.OK);
            assertThat(moveInto("f" + i, "wide"))
                    .as("directory %d onto a file", i)
                    .isEqualTo(FsError.ALREADY_EXISTS);
            assertThat(moveInto("wide/f" + i, "wide")).isEqualTo(FsError.OK);
            assertThat(mkdir("d" + i)).isEqualTo(FsError.OK);
            assertThat(moveInto("d" + i, "wide")).isEqualTo(FsError.OK);
            assertThat(moveInto("f" + i, "wide/d" + i)).isEqualTo(FsError.OK);
            assertThat(stat("wide/d" + i + "/f" + i)).isEqualTo(FsError.OK);
            assertThat(moveInto("wide/d" + i, "wide/d" + i + "/f" + i)).isEqualTo(FsError.INVALID_RENAME);
        }
        assertThat(moveInto("wide", "wide/d7")).isEqualTo(FsError.INVALID_RENAME);
        assertThat(attributes("wide").getEntries()).isEqualTo(2 * FILES);
    }

    private FsError moveInto(String source, String target) {
        return ask(
                        Kind.RENAME,
                        RenameRequest.newBuilder()
                                .setSource(at(source))
                                .setTarget(at(target))
                                .setMode(RenameRequest.Mode.INTO_DIRECTORY)
                                .build())
                .error();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesGetTheHintOfTheirDirectory(boolean whole) {
        askAnyShard(whole);
        makeWide();
        for (String protocol : List.of("", "compound", "leased")) {
            if (!protocol.isEmpty()) {
                set("wide", ProtocolName.HINT, protocol);
            }
            for (int i = 0; i < FILES; i++) {
                CreateReply made = (CreateReply) ok(
                                Kind.CREATE,
                                CreateRequest.newBuilder()
                                        .setLocation(at("wide/" + protocol + i))
                                        .setMode(0644)
                                        .build())
                        .body();
                assertThat(made.getProtocolHint()).isEqualTo(protocol);
            }
        }
    }

    private FsError set(String path, String name, String value) {
        return ask(
                        Kind.SET_XATTR,
                        SetXattrRequest.newBuilder()
                                .setLocation(at(path))
                                .setName(name)
                                .setValue(ByteString.copyFromUtf8(value))
                                .setCreate(true)
                                .setReplace(true)
                                .build())
                .error();
    }

    /** A tree over two levels of directories with partitions. */
    @ParameterizedTest
    @ValueSource(strings = {"component", "direct"})
    void treesAreListedAndSummedUp(String lookup) throws FsException {
        AsyncSteadFs fs = cluster.client("root", Map.of("stead.lookup", lookup));
        Set<String> expected = new TreeSet<>();
        for (String top : List.of("wide", "wide/d7", "narrow")) {
            FsPath path = FsPath.parse(top);
            cluster.await("mkdir", fs.names().mkdirs(path, 0777, false, true));
            expected.add(top);
            if (!top.equals("narrow")) {
                assertThat(expect(top, 60_000)).isEqualTo(FsError.OK);
            }
            for (int i = 0; i < FILES; i++) {
                assertThat(create(top + "/f" + i)).isEqualTo(FsError.OK);
                expected.add(top + "/f" + i);
            }
        }
        for (int i = 0; i < FILES; i++) {
            if (i != 7) {
                assertThat(mkdir("wide/d" + i)).isEqualTo(FsError.OK);
                expected.add("wide/d" + i);
            }
            assertThat(create("wide/d" + i + "/f")).isEqualTo(FsError.OK);
            expected.add("wide/d" + i + "/f");
        }
        Listing listing = fs.lists().listTree(FsPath.ROOT, true);
        List<String> listed = new ArrayList<>();
        while (!listing.isOver()) {
            cluster.await("a page", listing.next()).forEach(entry -> listed.add(entry.name()));
        }
        assertThat(listed).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(listed)).isEqualTo(expected);
        ContentSummary sum = cluster.await("sum", fs.lists().contentSummary(FsPath.parse("wide")));
        assertThat(sum.files()).isEqualTo(3 * FILES);
        assertThat(sum.directories()).isEqualTo(1 + FILES);
    }

    private static long sentOn(AsyncSteadFs fs) {
        return Objects.requireNonNull(fs.counters().get("client.lookups.sent.on"));
    }

    /** A client that keeps the map asks the right shard at once. */
    @Test
    void aClientThatKnowsTheMapAsksOneShard() throws FsException {
        AsyncSteadFs fs = cluster.client("root");
        FsPath wide = FsPath.parse("wide");
        cluster.await("mkdir", fs.names().mkdirs(wide, 0777, false, true));
        cluster.await(
                "hint",
                fs.attributes().setXattr(wide, DirectoryHints.EXPECTED_FILES, "60000".getBytes(UTF_8), true, true));
        for (int i = 0; i < FILES; i++) {
            cluster.await("mkdir", fs.names().mkdirs(wide.child("d" + i), 0777, false, true));
        }
        long sentOn = sentOn(fs);
        assertThat(sentOn).isLessThan(5);
        for (int i = 0; i < FILES; i++) {
            cluster.await("delete", fs.names().delete(wide.child("d" + i), false));
        }
        assertThat(fs.counters()).containsEntry("client.lookups.sent.on", sentOn);
        cluster.await("delete", fs.names().delete(wide, false));
        cluster.await("mkdir", fs.names().mkdirs(wide, 0777, false, true));
        for (int i = 0; i < FILES; i++) {
            cluster.await("mkdir", fs.names().mkdirs(wide.child("d" + i), 0777, false, true));
        }
        assertThat(sentOn(fs)).isLessThan(sentOn + 5);
    }
}
