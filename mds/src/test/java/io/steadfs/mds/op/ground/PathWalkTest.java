package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.metafile.MetafileGone;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a walk begins, and where another shard has to go on. */
class PathWalkTest {
    private static final Handle ELSEWHERE = Handle.of(Handle.shardOwner(1), 0, 9);

    private static final Handle WIDE = Handle.of(Handle.shardOwner(0), 0, 500);
    private static final Handle NEAR_PARTITION = Handle.of(Handle.shardOwner(0), 0, 501);
    private static final Handle FAR_PARTITION = Handle.of(Handle.shardOwner(1), 0, 7);

    private final Shell shell = new Shell().given("mkdirs /a/b; create /a/b/f");

    /** Another shard may send walks on to this one. */
    private void addShard() {
        shell.cluster = shell.cluster.toBuilder().setShardCount(2).build();
    }

    private Reply stat(Handle start, String path) {
        Location location = shell.from("anna", start, path);
        return shell.ask(
                new Stat(), StatRequest.newBuilder().setLocation(location).build(), Shell.principal("anna"));
    }

    @Test
    void anyDirectoryOfTheShardIsAStart() {
        addShard();
        Handle a = new Handle(shell.stat("/a").getHandle());
        StatReply reply = (StatReply) stat(a, "b/f").body();
        assertThat(reply.getAttributes().getHandle())
                .isEqualTo(shell.stat("/a/b/f").getHandle());
        assertThat(((StatReply) stat(a, "").body()).getAttributes().getHandle()).isEqualTo(a.value());
    }

    @Test
    void soIsAFileForWhatIsAskedOfTheFileItself() {
        addShard();
        Attributes file = shell.stat("/a/b/f");
        StatReply reply = (StatReply) stat(new Handle(file.getHandle()), "").body();
        assertThat(reply.getAttributes().getHandle()).isEqualTo(file.getHandle());
    }

    @Test
    void aTreeThatWasCutOffIsNoStart() {
        addShard();
        Handle b = new Handle(shell.stat("/a/b").getHandle());
        shell.state.replay(List.of(new TreeQueued(b)));
        assertThat(stat(b, "f").error()).isEqualTo(FsError.STALE_START);
    }

    @Test
    void noOtherStartIs() {
        addShard();
        assertThat(stat(ELSEWHERE, "b").error()).isEqualTo(FsError.NOT_OWNER);
        assertThat(stat(Handle.of(1, 0, 1), "b").error()).isEqualTo(FsError.NOT_OWNER);
        assertThat(stat(Handle.of(Handle.shardOwner(0), 0, 999), "b").error()).isEqualTo(FsError.STALE_START);
        assertThat(stat(new Handle(shell.stat("/a/b/f").getHandle()), "x").error())
                .isEqualTo(FsError.NOT_A_DIRECTORY);
    }

    /** /a is closed to anna, but what is below it is open to all. */
    @Test
    void withOneShardEveryWalkBeginsAtTheRoot() {
        Handle b = new Handle(shell.stat("/a/b").getHandle());
        shell.given("chmod 700 /a");
        assertThat(stat(Handle.ROOT, "a/b/f").error()).isEqualTo(FsError.PERMISSION_DENIED);
        Reply refused = stat(b, "f");
        assertThat(refused.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(refused.header().getMessage()).contains(b.toString());
        assertThat(stat(Handle.of(Handle.shardOwner(0), 0, 999), "b").error())
                .as("nothing is said of what exists")
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(stat(ELSEWHERE, "b").error()).isEqualTo(FsError.NOT_OWNER);
    }

    @Test
    void nothingIsMadeInATreeThatWasCutOff() {
        Handle b = new Handle(shell.stat("/a/b").getHandle());
        shell.given("delete-r /a");
        MkdirsRequest request = MkdirsRequest.newBuilder()
                .setLocation(shell.from("root", b, "lost"))
                .setMode(0755)
                .build();
        assertThat(shell.decide(new Mkdirs(0), request, Shell.principal("root")).error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    @ParameterizedTest
    @CsvSource({"a/far, ''", "a/far/x, x", "a/far/x/y, x/y"})
    void goesOnAtTheShardOfTheNextDirectory(String path, String rest) {
        Handle a = new Handle(shell.stat("/a").getHandle());
        shell.state.replay(List.of(DirentSet.directory(DirentKey.of(a, "far"), ELSEWHERE)));
        Reply reply = stat(Handle.ROOT, path);
        assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
        assertThat(reply.header().getContinueDirectory()).isEqualTo(ELSEWHERE.value());
        assertThat(reply.header().getContinuePath()).isEqualTo(rest);
    }

    /** Directory /wide has three partitions: itself, one more on this shard, and one on the other. */
    private void makeWide() {
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(0777)
                .setParent(Handle.ROOT.value())
                .build();
        shell.state.replay(List.of(
                DirentSet.directory(DirentKey.of(Handle.ROOT, "wide"), WIDE),
                new DirectorySet(WIDE, row.toBuilder().setSplit(true).build()),
                new CountsSet(WIDE, DirectoryCounts.first(1)),
                new MapEntrySet(WIDE, new MapEntry(new Partition(0, 2, WIDE), false)),
                new MapEntrySet(WIDE, new MapEntry(new Partition(1, 1, FAR_PARTITION), false)),
                new MapEntrySet(WIDE, new MapEntry(new Partition(2, 2, NEAR_PARTITION), false)),
                new DirectorySet(
                        NEAR_PARTITION,
                        row.toBuilder()
                                .setMode(0)
                                .setPartOf(PartOf.newBuilder()
                                        .setDirectory(WIDE.value())
                                        .setPartition(2))
                                .build()),
                new CountsSet(NEAR_PARTITION, DirectoryCounts.first(1))));
    }

    @Test
    void aNameIsLookedUpInItsPartition() {
        makeWide();
        addShard();
        int[] met = new int[3];
        for (int i = 0; i < 100; i++) {
            String name = "n" + i;
            Reply reply = stat(Handle.ROOT, "wide/" + name);
            if (NameHash.of(name) < 0) {
                met[1]++;
                assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
                assertThat(reply.header().getContinueDirectory()).isEqualTo(FAR_PARTITION.value());
                assertThat(reply.header().getContinuePath()).isEqualTo(name);
                continue;
            }
            assertThat(reply.error()).isEqualTo(FsError.NOT_FOUND);
            Handle partition = NameHash.of(name) << 1 < 0 ? NEAR_PARTITION : WIDE;
            met[partition.equals(WIDE) ? 0 : 2]++;
            shell.given("create /wide/" + name);
            assertThat(Dirents.find(shell.state.view(), DirentKey.of(partition, name)))
                    .isPresent();
            assertThat(stat(Handle.ROOT, "wide/" + name).isOk()).isTrue();
        }
        assertThat(met[0]).isBetween(10, 40);
        assertThat(met[1]).isBetween(30, 70);
        assertThat(met[2]).isBetween(10, 40);
        assertThat(entries(WIDE)).isEqualTo(met[0]);
        assertThat(entries(NEAR_PARTITION)).isEqualTo(met[2]);
    }

    /** The rows of a partition may go later than those of its directory, on another shard. */
    @Test
    void aWalkFromAPartitionOfADirectoryThatIsGoneBeginsAnew() {
        addShard();
        shell.state.replay(List.of(
                new DirectorySet(
                        NEAR_PARTITION,
                        DirectoryRow.newBuilder()
                                .setPartOf(PartOf.newBuilder()
                                        .setDirectory(ELSEWHERE.value())
                                        .setPartition(1))
                                .build()),
                new CountsSet(NEAR_PARTITION, DirectoryCounts.first(1)),
                new MapEntrySet(ELSEWHERE, new MapEntry(new Partition(1, 1, NEAR_PARTITION), false))));
        for (String rest : List.of("f", "d/f")) {
            Need.Ask copies = Facts.copies(0, ELSEWHERE, rest.contains("/") ? List.of("d") : List.of());
            shell.peerAnswers = shell.peerAnswers.with(Map.of(
                    copies,
                    Reply.ok(GiveCopiesReply.newBuilder().setNoDirectory(true).build())));
            assertThat(stat(NEAR_PARTITION, rest).error()).as(rest).isEqualTo(FsError.STALE_START);
        }
    }

    private long entries(Handle partition) {
        return DirectoryCounts.find(shell.state.view(), partition).orElseThrow().getEntries();
    }

    @Test
    void aCycleIsSeenFromAnyStart() {
        addShard();
        Handle a = new Handle(shell.stat("/a").getHandle());
        Handle b = new Handle(shell.stat("/a/b").getHandle());
        RenameRequest request = RenameRequest.newBuilder()
                .setSource(Shell.at("/a"))
                .setTarget(shell.from("root", b, "a"))
                .build();
        shell.peerAnswers = shell.peerAnswers.with(Map.of(
                Prepared.move(a, new TreeSet<>(List.of(Handle.ROOT, a, b))),
                Reply.ok(PrepareReply.getDefaultInstance())));
        assertThat(shell.decide(new RenamePath(), request, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.INVALID_RENAME);
    }

    @Test
    void aDirentThatLeadsNowhereIsNamed() {
        shell.state.replay(
                List.of(new MetafileGone(new Handle(shell.stat("/a/b/f").getHandle()))));
        Reply reply = stat(Handle.ROOT, "a/b/f");
        assertThat(reply.error()).isEqualTo(FsError.FAULT);
        assertThat(reply.header().getMessage()).contains("/a/b/f", "missing metafile");
    }

    @ParameterizedTest
    @CsvSource({"/no/x, /no does", "/a/no/x, /a/no does", "/a/b/f/x, /a/b/f is a file", "/a/b/no, /a/b/no does"})
    void refusalsNameTheComponent(String path, String message) {
        assertThat(shell.as("anna", "stat " + path).header().getMessage()).startsWith(message);
    }
}
