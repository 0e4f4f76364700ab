package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.PlacedName;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.check.ScanEntries;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.watch.Watches;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.HoldMap;
import io.steadfs.wire.proto.MakePartitions;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;
import io.steadfs.wire.proto.TakePartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakePartitionPartTest {
    private static final SlotId SLOT = new SlotId(1, 7, 0);

    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(1), 0, 20);

    private static final Handle OWN = Handle.of(Handle.shardOwner(0), 0, 30);

    private static final Handle ELSEWHERE = Handle.of(Handle.shardOwner(2), 0, 9);

    private static final Handle FARTHER = Handle.of(Handle.shardOwner(3), 0, 5);

    private static final String UPPER = PlacedName.inHalf(true);

    private static final Handle NAMED = Handle.of(Handle.shardOwner(1), 0, 21);

    private static final int HALF = 1 << 29;

    private final Shell shell = new Shell();

    private Participation.Held prepared(int rateThere, double rateHere) throws Refused {
        return prepared(range(1, 1).setRate(rateThere), rateHere);
    }

    private static TakePartition.Builder range(int number, int depth) {
        return TakePartition.newBuilder()
                .setDirectory(DIRECTORY.value())
                .setNumber(number)
                .setDepth(depth);
    }

    private Participation.Held prepared(TakePartition.Builder request, double rateHere) throws Refused {
        Context context = new Context(
                Shell.principal("root"), shell.state.view(), shell.inputs().withNamesPerSecond(rateHere));
        return new TakePartitionPart(request.build()).prepare(SLOT, context);
    }

    @Test
    void aBusyShardTakesNoNamesOfAnotherBusyShard() throws Refused {
        assertThat(prepared(1_000, 499).records()).isNotEmpty();
        assertThatThrownBy(() -> prepared(1_000, 501))
                .isInstanceOf(Refused.class)
                .hasMessage("this shard makes 501 names a second, more than half of 1000");
        assertThat(prepared(0, 501).records())
                .as("a directory that is too large")
                .isNotEmpty();
    }

    @Test
    void aShardThatGotOtherNamesMeanwhileTakesNoMore() throws Refused {
        assertThatThrownBy(() -> prepared(range(1, 1).setKept(HALF - 1), 0))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("other names of directory " + DIRECTORY);
        shell.state.replay(prepared(range(1, 2).setKept(HALF / 2), 0).records());
        assertThatThrownBy(() -> prepared(range(2, 2).setKept(HALF - 1), 0))
                .as("beside what is staged")
                .isInstanceOf(Refused.class)
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(FsError.BUSY));
        assertThat(prepared(range(2, 2).setKept(HALF), 0).records()).isNotEmpty();
        assertThat(prepared(range(2, 2), 0).records())
                .as("a shard of an earlier release says nothing")
                .isNotEmpty();
        own(new MapEntry(new Partition(3, 2, OWN), false));
        assertThatThrownBy(() -> prepared(range(2, 3).setKept(HALF), 0))
                .as("beside what is staged, and what it owns")
                .isInstanceOf(Refused.class);
    }

    private void own(MapEntry entry) {
        shell.state.replay(List.of(new MapEntrySet(DIRECTORY, entry)));
    }

    /** An attempt that is not undone yet. The next attempt of the same shard gave the names elsewhere. */
    @Test
    void namesOfAnUndoneAttemptGoAlsoIfTheEntryLeadsElsewhere() throws Refused {
        TakePartitionPart part = withName();
        Participation.Held held = part.prepare(SLOT, context());
        shell.state.replay(held.records());
        Handle names = new Handle(held.reply().getPartitions(0));
        assertThat(Dirents.find(shell.state.view(), DirentKey.of(names, UPPER))).isPresent();
        MapEntry other = new MapEntry(new Partition(1, 1, OWN), false);
        own(other);
        shell.state.replay(part.undo(SLOT, held.reply(), context()));
        assertThat(Directories.find(shell.state.view(), names)).isEmpty();
        assertThat(DirectoryCounts.find(shell.state.view(), names)).isEmpty();
        assertThat(Dirents.find(shell.state.view(), DirentKey.of(names, UPPER))).isEmpty();
        assertThat(Maps.get(shell.state.view(), DIRECTORY, 1)).contains(other);
    }

    private static TakePartitionPart withName() {
        return new TakePartitionPart(range(1, 1)
                .addNames(TakePartition.Name.newBuilder()
                        .setName(UPPER)
                        .setRow(DirentRow.newBuilder()
                                .setHandle(NAMED.value())
                                .build()
                                .toByteString()))
                .build());
    }

    /** A check looks at one shard after the other. A name must not get from the next one to the last one unseen. */
    @Test
    void aWatchNotesNamesThatAreGiven() throws Refused {
        Watches watches = new Watches(new SimulatedTime(1));
        long watch = watches.begin(List.of(NAMED));
        TakePartitionPart part = withName();
        Participation.Held held = part.prepare(SLOT, context());
        watches.committing(held.records());
        assertThat(watches.seen(watch).orElseThrow().touched()).containsExactly(NAMED);
        shell.state.replay(held.records());
        assertThat(checkedName().getHeld()).as("before the decision").isTrue();
        shell.state.replay(part.commit(SLOT, held.reply(), context()));
        assertThat(checkedName().getHeld()).as("after the decision").isFalse();
    }

    private CheckedEntry checkedName() {
        ScanEntriesRequest request =
                ScanEntriesRequest.newBuilder().setLimit(100).build();
        Reply reply = shell.ask(new ScanEntries(), request, Shell.principal("root"));
        return ((ScanEntriesReply) reply.body())
                .getEntriesList().stream()
                        .filter(entry -> entry.getObject() == NAMED.value())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void emptyPartitionsOfAnUndoneAttemptGoAlsoIfTheEntryLeadsElsewhere() throws Refused {
        MakePartitionsPart part = new MakePartitionsPart(MakePartitions.newBuilder()
                .setDirectory(DIRECTORY.value())
                .addNumbers(1)
                .addNumbers(3)
                .setDepth(2)
                .build());
        Participation.Held held = part.prepare(SLOT, context());
        shell.state.replay(held.records());
        MapEntry other = new MapEntry(new Partition(3, 2, OWN), false);
        own(other);
        shell.state.replay(part.undo(SLOT, held.reply(), context()));
        assertThat(held.reply().getPartitionsList())
                .hasSize(2)
                .allSatisfy(made -> assertThat(Directories.find(shell.state.view(), new Handle(made)))
                        .isEmpty());
        assertThat(Maps.get(shell.state.view(), DIRECTORY, 1)).isEmpty();
        assertThat(Maps.get(shell.state.view(), DIRECTORY, 3)).contains(other);
    }

    /** A directory of this shard with its upper half on another one. */
    private Handle halfElsewhere() {
        shell.given("mkdir wide");
        Handle wide = new Handle(shell.stat("wide").getHandle());
        shell.state.replay(List.of(
                new MapEntrySet(wide, new MapEntry(new Partition(0, 1, wide), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(1, 1, ELSEWHERE), false))));
        return wide;
    }

    /** The other shard gives half of what it has. */
    private static HoldMapPart hold(Handle wide, Handle given) {
        return new HoldMapPart(HoldMap.newBuilder()
                .setDirectory(wide.value())
                .setNumber(1)
                .setDepth(1)
                .setHandle(ELSEWHERE.value())
                .setGivenHandle(given.value())
                .build());
    }

    /** The home shard is prepared for a partition; after that attempt, another shard is. */
    @Test
    void whatAnotherAttemptPreparedIsNotReplaced() throws Refused {
        Handle wide = halfElsewhere();
        TakePartition take = TakePartition.newBuilder()
                .setDirectory(wide.value())
                .setNumber(3)
                .setDepth(2)
                .build();
        Participation.Held held = new TakePartitionPart(take).prepare(SLOT, context());
        shell.state.replay(held.records());
        SlotId later = new SlotId(2, 8, 1);
        assertThatThrownBy(() -> hold(wide, FARTHER).prepare(later, context()))
                .isInstanceOf(Refused.class)
                .hasMessage("partition 3 of directory " + wide + " is on record already");
        Handle staged = new Handle(held.reply().getPartitions(0));
        assertThat(hold(wide, staged).prepare(later, context()).records())
                .as("of the same attempt")
                .isNotEmpty();
        shell.state.replay(new TakePartitionPart(take).undo(SLOT, held.reply(), context()));
        shell.state.replay(hold(wide, OWN).prepare(later, context()).records());
        assertThatThrownBy(() -> new TakePartitionPart(take).prepare(SLOT, context()))
                .as("a late prepare of an earlier attempt")
                .isInstanceOf(Refused.class)
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(FsError.BUSY));
    }

    /** The notices of a removal went to the partitions that the map had. The new one gets its own. */
    @Test
    void aPartitionGoesWithItsDirectoryThatWentMeanwhile() throws Refused {
        Handle wide = halfElsewhere();
        HoldMapPart part = hold(wide, FARTHER);
        Participation.Held held = part.prepare(SLOT, context());
        shell.state.replay(held.records());
        shell.state.replay(List.of(new TreeQueued(wide)));
        assertThat(part.commit(SLOT, held.reply(), context()))
                .contains(new NoticeQueued(new Notice(Notice.Kind.CUT_TREE, FARTHER)));
        shell.state.replay(part.undo(SLOT, held.reply(), context()));
        assertThatThrownBy(() -> part.prepare(SLOT, context()))
                .isInstanceOf(Refused.class)
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(FsError.STALE_START));
    }

    private Context context() {
        return new Context(Shell.principal("root"), shell.state.view(), shell.inputs());
    }

    /** A move to the home shard has no entry there but the one that is there already. */
    @Test
    void theHomeShardCountsWhatMoves() throws Refused {
        shell.given("mkdir wide");
        Handle wide = new Handle(shell.stat("wide").getHandle());
        shell.state.replay(List.of(
                new MapEntrySet(wide, new MapEntry(new Partition(0, 2, wide), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(2, 2, ELSEWHERE), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(1, 2, ELSEWHERE), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(3, 2, ELSEWHERE), false))));
        TakePartition.Builder first = move(wide, 2, ELSEWHERE);
        TakePartition.Builder second = move(wide, 1, ELSEWHERE);
        assertThat(prepared(second, 0).records()).isNotEmpty();
        shell.state.replay(prepared(first, 0).records());
        assertThatThrownBy(() -> prepared(second, 0))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("other names of directory " + wide);
    }

    private static TakePartition.Builder move(Handle directory, int number, Handle from) {
        return TakePartition.newBuilder()
                .setDirectory(directory.value())
                .setNumber(number)
                .setDepth(2)
                .setFrom(from.value())
                .setKept(HALF);
    }
}
