package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.Listing;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Layout;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.PartitionMap;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.TruncateFileReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What no server of ours would answer: the operation is refused with the value, whatever waits for it. */
final class ImpossibleAnswersTest {
    private static final Handle METAFILE = Handle.of(Handle.FIRST_SHARD_OWNER, 0, 5);
    private static final Handle DATAFILE = Handle.of(1, 0, 5);

    private final ScriptedShards shards = new ScriptedShards();

    private static Attributes.Builder file() {
        return Attributes.newBuilder()
                .setHandle(METAFILE.value())
                .setType(FileType.FILE)
                .setWriteGeneration(3)
                .setLayout(layout());
    }

    private static Layout.Builder layout() {
        return Layout.newBuilder()
                .setStripSize(1 << 16)
                .setWidth(1)
                .setReplicas(1)
                .addServers(1)
                .addDatafiles(DATAFILE.value());
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                Arguments.of("handle", file().setHandle(DATAFILE.value()), DATAFILE.toString()),
                Arguments.of("no handle", file().setHandle(0), Handle.NONE.toString()),
                Arguments.of("length", file().setLength(-1), "18446744073709551615 bytes"),
                Arguments.of("long", file().setLength((255L << 48) + 1), "71776119061217281 bytes"),
                Arguments.of("strip", file().setLayout(layout().setStripSize(0)), "strip size 0"),
                Arguments.of("long strip", file().setLayout(layout().setStripSize(1 << 30 | 1)), "1073741825"),
                Arguments.of("width", file().setLayout(layout().setWidth(0)), "width 0"),
                Arguments.of("columns", file().setLayout(layout().setWidth(256)), "256 columns"),
                Arguments.of("copies", file().setLayout(layout().setReplicas(2)), "2 copies"),
                // 16 x 2^28 = 2^32, which is 0 as an int.
                Arguments.of(
                        "overflow",
                        file().setLayout(layout().setWidth(16)
                                .setReplicas(1 << 28)
                                .clearServers()
                                .clearDatafiles()),
                        "268435456 copies"),
                Arguments.of("server", file().setLayout(layout().setServers(0, 0x8000)), "IO server 32768"),
                Arguments.of(
                        "datafile", file().setLayout(layout().setDatafiles(0, METAFILE.value())), METAFILE.toString()));
    }

    private <T> void isRefused(CompletableFuture<T> operation, String named) {
        shards.time.runUntil("its end", operation::isDone, 600_000);
        assertThatThrownBy(operation::join).cause().isInstanceOfSatisfying(FsException.class, refused -> {
            assertThat(refused.error()).isEqualTo(FsError.FAULT);
            assertThat(refused).hasMessageContaining(named);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void attributesOfAStat(String what, Attributes.Builder attributes, String named) throws FsException {
        shards.then(Reply.ok(StatReply.newBuilder().setAttributes(attributes).build()));
        isRefused(shards.fs.attributes().stat(FsPath.parse("f")), named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void attributesThatATruncateWaitsFor(String what, Attributes.Builder attributes, String named) throws FsException {
        Attributes.Builder truncated = file().setRecovering(true);
        shards.then(
                Reply.ok(TruncateFileReply.newBuilder().setAttributes(truncated).build()));
        if (attributes.getHandle() == METAFILE.value()) {
            shards.then(
                    Reply.ok(StatReply.newBuilder().setAttributes(attributes).build()));
            isRefused(shards.fs.writes().truncate(FsPath.parse("f"), 1), named);
        }
    }

    private List<io.steadfs.client.list.Entry> listed(Listing listing) {
        CompletableFuture<List<io.steadfs.client.list.Entry>> page = listing.next();
        shards.time.runUntil("its end", page::isDone, 600_000);
        return page.join();
    }

    private static Entry entry(String name, Attributes.Builder attributes) {
        return Entry.newBuilder().setName(name).setAttributes(attributes).build();
    }

    /** The others are as they are; the one has no layout, so that who opens it is told what is wrong with it. */
    private void isListed(List<io.steadfs.client.list.Entry> entries, Attributes.Builder impossible, String named)
            throws FsException {
        assertThat(entries).extracting(io.steadfs.client.list.Entry::name).containsExactly("a", "b", "c");
        assertThat(entries)
                .extracting(entry -> entry.info().layout().isPresent())
                .containsExactly(true, false, true);
        FileInfo told = entries.get(1).info();
        assertThat(told.owner()).isEqualTo("ben");
        assertThat(told.length()).isEqualTo(impossible.getLength() == 7 ? 7 : 1);
        assertThat(told.handle()).isEqualTo(impossible.getHandle() == METAFILE.value() ? METAFILE : Handle.NONE);
        shards.then(Reply.ok(StatReply.newBuilder().setAttributes(impossible).build()));
        isRefused(shards.fs.reads().open(FsPath.parse("b"), told), named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void oneEntryOfAListing(String what, Attributes.Builder attributes, String named) throws FsException {
        Attributes.Builder impossible = withAnOwner(attributes);
        shards.then(Reply.ok(ListReply.newBuilder()
                .addEntries(entry("a", file()))
                .addEntries(entry("b", impossible))
                .addEntries(entry("c", file()))
                .build()));
        isListed(listed(shards.fs.lists().list(FsPath.parse("d"))), impossible, named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void oneEntryOfATree(String what, Attributes.Builder attributes, String named) throws FsException {
        Attributes.Builder impossible = withAnOwner(attributes);
        shards.then(Reply.ok(ListTreeReply.newBuilder()
                .addEntries(entry("a", file()))
                .addEntries(entry("b", impossible))
                .addEntries(entry("c", file()))
                .build()));
        isListed(listed(shards.fs.lists().listTree(FsPath.parse("d"), true)), impossible, named);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("impossible")
    void oneEntryOfATreeThatIsSummedUp(String what, Attributes.Builder attributes, String named) throws FsException {
        shards.then(Reply.ok(ListTreeReply.newBuilder()
                .addEntries(entry("a", file()))
                .addEntries(entry("b", attributes))
                .build()));
        isRefused(shards.fs.lists().contentSummary(FsPath.parse("d")), named);
    }

    /** And 7 bytes, unless it is the length that cannot be. */
    private static Attributes.Builder withAnOwner(Attributes.Builder attributes) {
        Attributes.Builder owned = attributes.build().toBuilder().setOwner("ben");
        return owned.getLength() == 0 ? owned.setLength(7) : owned;
    }

    @Test
    void aDirectoryElsewhereThatIsNoDirectory() throws FsException {
        Entry.Builder elsewhere = Entry.newBuilder()
                .setName("d")
                .setElsewhere(true)
                .setAttributes(Attributes.newBuilder().setHandle(DATAFILE.value()));
        shards.then(Reply.ok(ListTreeReply.newBuilder().addEntries(elsewhere).build()));
        isRefused(shards.fs.lists().listTree(FsPath.parse("t"), false).next(), DATAFILE.toString());
    }

    @Test
    void aPartitionMapThatIsNone() throws FsException {
        shards.then(Reply.refused(
                Kind.DELETE,
                FsError.WRONG_PARTITION,
                ReplyHeader.newBuilder()
                        .setContinueShard(1)
                        .setPartitionMap(PartitionMap.newBuilder().setDirectory(DATAFILE.value()))));
        isRefused(shards.fs.names().delete(FsPath.parse("f"), false), DATAFILE.toString());
    }

    @Test
    void aClusterMapWithAPortThatIsNone() {
        for (ClusterMap.Role role : new ClusterMap.Role[] {ClusterMap.Role.MDS, ClusterMap.Role.IO}) {
            ClusterMap.Builder map = SimulatedCluster.map(1, 1).toBuilder();
            map.addServersBuilder().setRole(role).setId(7).setHost("far").setPort(70_000);
            assertThatThrownBy(() -> new ClusterView(map.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(role + " server 7")
                    .hasMessageContaining("70000 of far");
        }
    }

    @Test
    void aClientThatIsToldOfSuchAPortSaysSo() throws FsException {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        cluster.shard.map = cluster.shard.map.toBuilder()
                .setServers(1, cluster.shard.map.getServers(1).toBuilder().setPort(70_000))
                .build();
        assertThatThrownBy(() -> cluster.await(cluster.fs.clusterMap()))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("70000 of io1");
    }
}
