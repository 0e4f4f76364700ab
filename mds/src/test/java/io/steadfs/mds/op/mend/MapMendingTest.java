package io.steadfs.mds.op.mend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.mds.intent.SlotFinished;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.MendMap;
import io.steadfs.wire.proto.MendMapEntry;
import io.steadfs.wire.proto.MendName;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.NewMapEntry;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A map becomes whole: which entries stay, and which are made. */
class MapMendingTest {
    private static final Handle WIDE = Handle.of(Handle.shardOwner(0), 0, 1 << 20);

    private final Shell shell = new Shell();

    /** Entries as number and depth. The directory itself has those of partition 0. */
    @ParameterizedTest(name = "{0}: {1} becomes {2}")
    @CsvSource({
        "whole,                 0/1 1/1,             0/1 1/1",
        "upper half lost,       0/1,                 0/1 1/1",
        "lower half lost,       1/1,                 0/1 1/1",
        "a quarter lost,        0/2 1/1,             0/2 2/2 1/1",
        "in the middle,         0/2 3/2,             0/2 2/2 1/2 3/2",
        "all but an eighth,     5/3,                 0/1 1/3 5/3 3/2",
        "two at the same place, 0/1 1/1 2/2,         0/1 1/1",
        "a wider one first,     0/0 1/1,             ''",
        "all lost,              '',                  ''",
    })
    void holesAreFilledAndOverlapsGo(String what, String before, String after) {
        give(before);
        MendRequest.Builder request =
                MendRequest.newBuilder().setMap(MendMap.newBuilder().setDirectory(WIDE.value()));
        for (int times = 0; times < 2; times++) {
            assertThat(mend(request)).isEqualTo(FsError.OK);
            assertThat(entries()).isEqualTo(after);
        }
        assertThat(Directories.find(shell.state.view(), WIDE).map(DirectoryRow::getSplit))
                .contains(!after.isEmpty());
        if (!after.isEmpty()) {
            for (Partition each : Maps.whole(shell.state.view(), WIDE).partitions()) {
                assertThat(each.handle().equals(WIDE)).isEqualTo(each.number() == 0);
            }
        }
    }

    private void give(String entries) {
        DirectoryRow row = DirectoryRow.newBuilder()
                .setMode(0777)
                .setSplit(true)
                .setParent(Handle.ROOT.value())
                .build();
        shell.state.replay(List.of(new DirectorySet(WIDE, row), new CountsSet(WIDE, DirectoryCounts.first(1))));
        for (String each : entries.isEmpty() ? new String[0] : entries.split(" ", -1)) {
            int number = each.charAt(0) - '0';
            shell.state.replay(List.of(new MapEntrySet(
                    WIDE, new MapEntry(new Partition(number, each.charAt(2) - '0', handle(number)), false))));
        }
    }

    private static Handle handle(int number) {
        return number == 0 ? WIDE : Handle.of(Handle.shardOwner(0), 0, (1 << 20) + number);
    }

    private FsError mend(MendRequest.Builder request) {
        return shell.decide(new Mend(), request.build(), Shell.principal("root"))
                .error();
    }

    /** Its depth is lost with its entry, where its shard is that of the directory. Another lost one may need some hashes. */
    @ParameterizedTest(name = "{0} and {1} at depth {2} or more become {4}")
    @CsvSource({
        "0/1,         1, 0, OK,            0/1 1/1",
        "0/2 2/2,     1, 0, OK,            0/2 2/2 1/1",
        "0/1 3/2,     1, 0, OK,            0/1 1/2 3/2",
        "0/2 1/1,     2, 0, OK,            0/2 2/2 1/1",
        "1/1,         0, 0, OK,            0/1 1/1",
        "0/1 1/1,     3, 0, STALE_VERSION, 0/1 1/1",
        "0/1,         1, 2, OK,            0/1 1/2",
        "0/1 3/2,     1, 1, OK,            0/1 1/2 3/2",
    })
    void aLostPartitionGetsTheWidestRangeThatIsFree(String before, int number, int depth, FsError error, String after) {
        give(before);
        assertThat(mend(MendRequest.newBuilder()
                        .setNewMapEntry(NewMapEntry.newBuilder()
                                .setRange(CheckedPartitionRange.newBuilder()
                                        .setDirectory(WIDE.value())
                                        .setNumber(number)
                                        .setDepth(depth)
                                        .setDepthUnknown(true))
                                .setPartition(handle(number).value()))))
                .isEqualTo(error);
        assertThat(entries()).isEqualTo(after);
    }

    @Test
    void aMarkThatNamesAreGivenGoesOnlyWithoutItsRow() {
        give("0/1 1/1");
        Giving giving = Giving.newBuilder().setNumber(2).setDepth(2).build();
        DirectoryRow row = Directories.find(shell.state.view(), WIDE).orElseThrow();
        shell.state.replay(List.of(
                new DirectorySet(WIDE, row.toBuilder().setGiving(giving).build()),
                new GivingSet(WIDE, GivingRow.getDefaultInstance())));
        MendRequest.Builder request =
                MendRequest.newBuilder().setMap(MendMap.newBuilder().setDirectory(WIDE.value()));
        assertThat(mend(request)).isEqualTo(FsError.BUSY);
        shell.state.replay(List.of(GivingGone.kept(WIDE)));
        assertThat(mend(request)).isEqualTo(FsError.OK);
        assertThat(Directories.find(shell.state.view(), WIDE)).contains(row);
    }

    @Test
    void aPartitionThatNoOperationPreparesOwnsItsNames() {
        give("0/1 1/1");
        PartOf part =
                PartOf.newBuilder().setDirectory(WIDE.value()).setPartition(1).build();
        DirectoryRow owned = DirectoryRow.newBuilder().setPartOf(part).build();
        DirectoryRow staged = DirectoryRow.newBuilder()
                .setPartOf(part.toBuilder().setStaged(true))
                .build();
        shell.state.replay(List.of(
                new DirectorySet(handle(1), staged),
                new MapEntrySet(WIDE, new MapEntry(new Partition(1, 1, handle(1)), true))));
        assertThat(entries()).isEqualTo("0/1");
        MendRequest.Builder request = MendRequest.newBuilder()
                .setMap(MendMap.newBuilder().setDirectory(handle(1).value()));
        SlotId slot = new SlotId(1, 7, 0);
        shell.state.replay(List.of(new SlotPrepared(slot, preparing(handle(1)))));
        assertThat(mend(request)).isEqualTo(FsError.BUSY);
        shell.state.replay(List.of(new SlotFinished(slot)));
        assertThat(mend(request)).isEqualTo(FsError.OK);
        assertThat(entries()).isEqualTo("0/1 1/1");
        assertThat(Directories.find(shell.state.view(), handle(1))).contains(owned);
    }

    private static PreparedRow preparing(Handle partition) {
        return PreparedRow.newBuilder()
                .setAction(PrepareAction.newBuilder()
                        .setTakePartition(TakePartition.getDefaultInstance())
                        .build()
                        .toByteString())
                .setReply(PrepareReply.newBuilder()
                        .addPartitions(partition.value())
                        .build()
                        .toByteString())
                .build();
    }

    @Test
    void aMapIsLeftAloneWhileAHandOverHoldsAnEntry() {
        give("0/1");
        LockRow lock = LockRow.newBuilder().setIntent(7).build();
        Partition held = new Partition(1, 2, handle(1));
        shell.state.replay(List.of(new MapEntrySet(WIDE, new MapEntry(held, false).lockedBy(lock))));
        assertThat(mend(MendRequest.newBuilder().setMap(MendMap.newBuilder().setDirectory(WIDE.value()))))
                .isEqualTo(FsError.BUSY);
        assertThat(mend(MendRequest.newBuilder()
                        .setMapEntry(MendMapEntry.newBuilder()
                                .setKey(ByteString.copyFrom(ByteBuffer.allocate(12)
                                        .putLong(WIDE.value())
                                        .putInt(1)
                                        .array()))
                                .setPartition(held.handle().value())
                                .setReplace(true))))
                .isEqualTo(FsError.BUSY);
        assertThat(entries()).isEqualTo("0/1 1/2");
    }

    private String entries() {
        return Maps.entries(shell.state.view(), WIDE).stream()
                .map(each -> each.number() + "/" + each.partition().depth())
                .collect(Collectors.joining(" "));
    }

    /** A name whose place nobody knows is left where it is: a symbolic link has nothing else. */
    @Test
    void aMisplacedNameStaysUntilItsPlaceIsKnown() {
        give("0/2 1/1");
        String name = IntStream.range(0, 1_000)
                .mapToObj(i -> "n" + i)
                .filter(each -> new Partition(2, 2, WIDE).has(NameHash.of(each)))
                .findFirst()
                .orElseThrow();
        DirentKey key = DirentKey.of(WIDE, name);
        Handle link = Handle.of(Handle.shardOwner(0), 0, 1 << 21);
        shell.state.replay(List.of(DirentSet.symlink(
                key, link, SymlinkRow.newBuilder().setTarget("nowhere").build())));
        byte[] bytes = ByteBuffer.allocate(16 + name.length())
                .putLong(WIDE.value())
                .putLong(key.hash())
                .put(name.getBytes(StandardCharsets.UTF_8))
                .array();
        MendRequest.Builder keep = MendRequest.newBuilder()
                .setName(MendName.newBuilder()
                        .setKey(ByteString.copyFrom(bytes))
                        .setObject(link.value())
                        .setKeep(true)
                        .setType(FileType.SYMLINK));
        assertThat(mend(keep)).isEqualTo(FsError.STALE_VERSION);
        assertThat(Dirents.find(shell.state.view(), key)).isPresent();
        give("0/2 2/2 1/1");
        shell.state.replay(List.of(
                new DirectorySet(handle(2), DirectoryRow.getDefaultInstance()),
                new CountsSet(handle(2), DirectoryCounts.first(1)),
                new CountsSet(
                        WIDE, DirectoryCounts.first(1).toBuilder().setEntries(1).build())));
        DirentKey right = key.in(handle(2));
        shell.state.replay(List.of(DirentSet.file(right, handle(3))));
        assertThat(mend(keep)).as("another name has its place").isEqualTo(FsError.ALREADY_EXISTS);
        assertThat(Dirents.find(shell.state.view(), key)).isPresent();
        shell.state.replay(List.of(new DirentGone(right)));
        assertThat(mend(keep)).isEqualTo(FsError.OK);
        assertThat(Dirents.find(shell.state.view(), key)).isEmpty();
        assertThat(Dirents.find(shell.state.view(), right)).isPresent();
        assertThat(DirectoryCounts.find(shell.state.view(), handle(2))
                        .orElseThrow()
                        .getEntries())
                .isEqualTo(1);
    }
}
