package io.steadfs.mds.op.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.copy.GivenCopies;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.Store;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.GiveCopiesRequest;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What shard 0 of three gives shard 1, and what it notes. */
class GiveCopiesTest {
    private static final int HOLDER = 1;
    private static final long TERM_MILLIS = 1_000;
    private static final Handle FAR = Handle.of(Handle.shardOwner(2), 0, 101);

    private final Shell shell = new Shell();
    private final SimulatedTime time = new SimulatedTime(1);
    private final GivenCopies given = new GivenCopies(time, time, TERM_MILLIS, new GivenCopies.Recaller() {
        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public CompletableFuture<Boolean> recall(int holder, RecallCopiesRequest request) {
            throw new AssertionError(holder + " is asked to give back " + request.getRowsCount());
        }
    });
    /** What is committed as soon as a state was looked at. */
    private List<LogRecord> next = List.of();

    private final GiveCopies give = new GiveCopies(given, () -> {
        Store.Snapshot looked = shell.state.snapshot();
        shell.state.replay(next);
        return looked;
    });
    private Handle top = Handle.ROOT;
    private Handle sub = Handle.ROOT;

    @BeforeEach
    void aTreeThatLeavesTheShard() {
        shell.given("mkdir /d 750; mkdir /d/sub 700; create /d/file");
        top = new Handle(shell.stat("/d").getHandle());
        sub = new Handle(shell.stat("/d/sub").getHandle());
        shell.state.replay(List.of(DirentSet.directory(DirentKey.of(sub, "far"), FAR)));
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
        given.admit(3);
    }

    private Reply ask(int holder, Handle directory, String... names) {
        GiveCopiesRequest request = GiveCopiesRequest.newBuilder()
                .setHolder(holder)
                .setDirectory(directory.value())
                .addAllNames(List.of(names))
                .build();
        return shell.ask(give, request, Shell.principal("root"));
    }

    private GiveCopiesReply given(Handle directory, String... names) {
        Reply reply = ask(HOLDER, directory, names);
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return (GiveCopiesReply) reply.body();
    }

    private static List<Long> directories(GiveCopiesReply reply) {
        return reply.getDirectoriesList().stream().map(each -> each.getHandle()).toList();
    }

    @Test
    void givesThePathAsFarAsItOwnsIt() {
        GiveCopiesReply reply = given(Handle.ROOT, "d", "sub", "far", "beyond");
        assertThat(reply.getChildrenList()).containsExactly(top.value(), sub.value(), FAR.value());
        assertThat(directories(reply)).containsExactly(Handle.ROOT.value(), top.value(), sub.value());
        assertThat(reply.getDirectories(2).getMode()).isEqualTo(0700);
        assertThat(reply.getDirectories(2).getOwner()).isEqualTo("root");
        assertThat(reply.getNoDirectory()).isFalse();
        assertThat(reply.getTermMillis()).isEqualTo(TERM_MILLIS);
        assertThat(given.rows()).isEqualTo(6);
    }

    @Test
    void whatLeadsToNoDirectoryIsNoCopy() {
        for (String name : List.of("file", "nothing")) {
            GiveCopiesReply reply = given(top, name);
            assertThat(reply.getNoDirectory()).isTrue();
            assertThat(reply.getChildrenList()).isEmpty();
            assertThat(directories(reply)).containsExactly(top.value());
        }
        assertThat(given.rows()).as("the row alone").isEqualTo(1);
    }

    @Test
    void aDirectoryThatIsGoneHasNoCopies() {
        shell.given("mkdir /d/empty");
        Handle empty = new Handle(shell.stat("/d/empty").getHandle());
        assertThat(directories(given(empty, "name"))).containsExactly(empty.value());
        shell.given("delete /d/empty");
        assertThat(directories(given(empty, "name"))).isEmpty();
    }

    /** Its map has holes meanwhile. The root is cleared, and stays. */
    @Test
    void aDirectoryThatIsBeingClearedHasNoCopies() {
        DirectoryRow row = Directories.find(shell.state.view(), top).orElseThrow();
        shell.state.replay(List.of(
                new DirectorySet(top, row.toBuilder().setSplit(true).build()),
                new MapEntrySet(top, new MapEntry(new Partition(1, 1, FAR), false)),
                new TreeQueued(top),
                new TreeQueued(Handle.ROOT)));
        assertThat(directories(given(top, "name"))).isEmpty();
        assertThat(directories(given(Handle.ROOT))).containsExactly(Handle.ROOT.value());
    }

    @Test
    void theMapIsOfTheSameStateAsTheRow() {
        DirectoryRow row = Directories.find(shell.state.view(), top).orElseThrow();
        Partition own = new Partition(0, 1, top);
        Partition other = new Partition(1, 1, FAR);
        shell.state.replay(List.of(
                new DirectorySet(top, row.toBuilder().setSplit(true).build()),
                new MapEntrySet(top, new MapEntry(own, false)),
                new MapEntrySet(top, new MapEntry(other, false))));
        next = List.of(new DirectorySet(top, row), new MapEntryGone(top, 0), new MapEntryGone(top, 1));
        assertThat(given(top).getDirectories(0).getPartitions())
                .isEqualTo(PartitionMap.of(top, List.of(own, other)).toProto());
        assertThat(given(top).getDirectories(0).hasPartitions()).isFalse();
    }

    @Test
    void aLockedNameIsGivenToNobodyAndNotNoted() {
        DirentKey key = DirentKey.of(top, "sub");
        var row = Dirents.find(shell.state.view(), key).orElseThrow();
        shell.state.replay(List.of(new DirentSet(
                key,
                row.toBuilder()
                        .setLock(LockRow.newBuilder().setCoordinator(2).setIntent(5))
                        .build())));
        Reply reply = ask(HOLDER, top, "sub");
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("sub");
        assertThat(given.rows()).as("the row alone").isEqualTo(1);
        assertThat(given(Handle.ROOT, "d", "sub").getChildrenList())
                .as("what is before it is given")
                .containsExactly(top.value());
    }

    /** A batch that was decided when this shard was alone holds no rows: a copy could miss its change. */
    @Test
    void aShardThatWasAddedGetsNoCopiesBeforeOlderBatchesAreDurable() {
        shell.cluster =
                shell.cluster.toBuilder().setAllShards(4).setServingShards(4).build();
        assertThat(ask(3, Handle.ROOT).error()).isEqualTo(FsError.BUSY);
        given.admit(4);
        assertThat(ask(3, Handle.ROOT).error()).isEqualTo(FsError.OK);
        given.admit(2);
        assertThat(ask(3, Handle.ROOT).error()).as("no count falls").isEqualTo(FsError.OK);
    }

    @Test
    void nonsenseIsRefused() {
        assertThat(ask(0, Handle.ROOT).error()).as("itself").isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(ask(3, Handle.ROOT).error())
                .as("perhaps it was added a moment ago")
                .isEqualTo(FsError.STALE_EPOCH);
        assertThat(ask(256, Handle.ROOT).error()).as("no shard").isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(ask(-1, Handle.ROOT).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(ask(HOLDER, FAR).error()).isEqualTo(FsError.NOT_OWNER);
    }
}
