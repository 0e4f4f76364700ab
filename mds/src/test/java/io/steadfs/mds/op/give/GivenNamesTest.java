package io.steadfs.mds.op.give;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.PlacedName;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.partition.Begun;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.Occasion;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.mds.xattr.XattrSet;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a directory begins to give names, and what ends that. */
class GivenNamesTest {
    private static final int NAMES = 40;
    private static final String UPPER = PlacedName.inHalf(true);
    private static final PartitionLimits LIMITS = new PartitionLimits(8, 8, 10_000);
    private static final long PLENTY = 1 << 20;

    private final Shell shell = new Shell();
    private final Handle wide;

    GivenNamesTest() {
        shell.given("mkdir wide");
        for (int i = 0; i < NAMES; i++) {
            shell.given("create wide/f" + i);
        }
        wide = new Handle(shell.stat("wide").getHandle());
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
    }

    private Begun begin(PartitionLimits limits, long mostBytes) {
        return begin(limits, mostBytes, 0);
    }

    private Begun begin(PartitionLimits limits, long mostBytes, int rate) {
        Decision<Begun> decision = new BeginGiving(wide, limits, mostBytes, new Occasion(rate, 0))
                .decide(shell.state.view(), shell.inputs());
        shell.state.replay(decision.records());
        return decision.answer();
    }

    private boolean end() {
        Decision<Boolean> decision = new EndGiving(wide).decide(shell.state.view(), shell.inputs());
        shell.state.replay(decision.records());
        return decision.answer();
    }

    private boolean isMarked() {
        return Directories.find(shell.state.view(), wide)
                .map(DirectoryRow::hasGiving)
                .orElseThrow();
    }

    @Test
    void theUpperHalfIsMarkedUntilItEnds() {
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.GIVES);
        assertThat(isMarked()).isTrue();
        GivingRow row = Givings.find(shell.state.view(), wide).orElseThrow();
        assertThat(row.getNumber()).isEqualTo(1);
        assertThat(row.getDepth()).isEqualTo(1);
        assertThat(row.getTarget()).isEqualTo(1);
        assertThat(row.getKept()).as("the lower half of all hashes").isEqualTo(1 << 29);
        assertThat(begin(LIMITS, PLENTY)).as("while it gives").isEqualTo(Begun.NO);
        for (String change :
                List.of("delete wide/%s", "create! wide/%s", "rename wide/%s other", "rename wide/%s wide/free")) {
            assertThat(shell.as("root", String.format(Locale.ROOT, change, UPPER))
                            .error())
                    .as(change)
                    .isEqualTo(FsError.BUSY);
        }
        assertThat(shell.as("root", "stat wide/" + UPPER).isOk()).isTrue();
        assertThat(end()).isTrue();
        assertThat(isMarked()).isFalse();
        assertThat(Givings.all(shell.state.view())).isEmpty();
        assertThat(end()).as("again").isTrue();
    }

    @Test
    void halfOfFewNamesGoIfManyAreMade() {
        PartitionLimits many = new PartitionLimits(NAMES, 8, 10_000);
        assertThat(begin(many, PLENTY, 1_500)).isEqualTo(Begun.GIVES);
        GivingRow row = Givings.find(shell.state.view(), wide).orElseThrow();
        assertThat(row.getWhat()).isEqualTo(What.UPPER_HALF);
        assertThat(row.getRate()).isEqualTo(1_500);
    }

    /** Otherwise the small partition would merge back, and split again. */
    @Test
    void aHotDirectoryWithHardlyANameInItsUpperHalfStays() {
        PartitionLimits many = new PartitionLimits(NAMES, 8, 10_000);
        for (int i = 0; i < NAMES; i++) {
            if (NameHash.of("f" + i) < 0 && !UPPER.equals("f" + i)) {
                shell.given("delete wide/f" + i);
            }
        }
        assertThat(begin(many, PLENTY, 1_500)).isEqualTo(Begun.NO);
    }

    @Test
    void aDirectoryThatIsToBeClearedGivesNothing() {
        shell.state.replay(List.of(new TreeQueued(wide)));
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.NO);
    }

    @Test
    void fewNamesStay() {
        assertThat(begin(new PartitionLimits(NAMES, 8, 10_000), PLENTY)).isEqualTo(Begun.NO);
        assertThat(begin(new PartitionLimits(NAMES - 1, 8, 10_000), PLENTY)).isEqualTo(Begun.GIVES);
    }

    @Test
    void aPartitionIsHalvedIfItsNamesDoNotFitIntoAMessage() {
        assertThat(begin(LIMITS, 100)).isEqualTo(Begun.CHANGED);
        assertThat(isMarked()).isFalse();
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.GIVES);
        assertThat(Givings.find(shell.state.view(), wide).orElseThrow().getWhat())
                .as("one half of what is in the directory")
                .isEqualTo(What.MOVED);
    }

    @Test
    void aPartitionIsNotHalvedWhileAnEarlierAttemptIsOnRecord() {
        assertThat(begin(LIMITS, 100)).isEqualTo(Begun.CHANGED);
        PartitionMap before = Maps.whole(shell.state.view(), wide);
        List<LogRecord> staged = IntStream.of(2, 3)
                .<LogRecord>mapToObj(number -> new MapEntrySet(
                        wide, new MapEntry(new Partition(number, 2, Handle.of(Handle.shardOwner(0), 0, 900)), true)))
                .toList();
        shell.state.replay(staged);
        assertThat(begin(LIMITS, 100)).isEqualTo(Begun.LATER);
        assertThat(Maps.whole(shell.state.view(), wide)).isEqualTo(before);
        shell.state.replay(List.of(new MapEntryGone(wide, 2), new MapEntryGone(wide, 3)));
        assertThat(begin(LIMITS, 100)).as("after the undo").isEqualTo(Begun.CHANGED);
    }

    /** The parts that go are small, and the map has all of them. */
    @Test
    void moreThanTenThousandNamesGoInParts() {
        for (int i = NAMES; i < 70_000; i++) {
            shell.state.replay(List.of(DirentSet.file(DirentKey.of(wide, "f" + i), new Handle(1L << 40 | i))));
        }
        count(70_000);
        int halved = 0;
        while (begin(LIMITS, Long.MAX_VALUE) == Begun.CHANGED) {
            halved++;
        }
        assertThat(halved).isEqualTo(3);
        assertThat(Maps.whole(shell.state.view(), wide).partitions())
                .extracting(Partition::depth)
                .containsExactlyInAnyOrder(1, 2, 3, 3);
        GivingRow row = Givings.find(shell.state.view(), wide).orElseThrow();
        assertThat(row.getWhat()).isEqualTo(What.MOVED);
        assertThat(row.getDepth()).isEqualTo(3);
    }

    private void count(long entries) {
        CountsRow counts = DirectoryCounts.find(shell.state.view(), wide).orElseThrow();
        shell.state.replay(List.of(
                new CountsSet(wide, counts.toBuilder().setEntries(entries).build())));
    }

    /** Parts that cannot be small enough stay, and nobody looks at their names again and again. */
    @Test
    void partsWithTooManyNamesStayUnseen() {
        count(1_000_000_000);
        while (begin(LIMITS, PLENTY) == Begun.CHANGED) {
            assertThat(Maps.entries(shell.state.view(), wide)).hasSizeLessThanOrEqualTo(PartitionMap.MOST);
        }
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.NO);
        assertThat(isMarked()).isFalse();
    }

    @Test
    void namesStayWhileARenameHoldsOneOfThem() {
        DirentKey key = DirentKey.of(wide, UPPER);
        DirentRow row = Dirents.find(shell.state.view(), key).orElseThrow();
        LockRow lock = LockRow.newBuilder().setIntent(3).build();
        shell.state.replay(
                List.of(new DirentSet(key, row.toBuilder().setLock(lock).build())));
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.LATER);
        shell.state.replay(List.of(new DirentSet(key, row)));
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.GIVES);
    }

    @Test
    void aDirectoryForOneShardKeepsItsNames() {
        DirectoryRow row = Directories.find(shell.state.view(), wide).orElseThrow();
        shell.state.replay(List.of(
                new DirectorySet(wide, row.toBuilder().setXattrs(1).build()),
                new XattrSet(wide, DirectoryHints.MAX_SHARDS, ByteString.copyFromUtf8("1"))));
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.NO);
    }

    /** Nothing can be told of where the names should go, so they stay. */
    @Test
    void aRowThatCannotBeReadEnds() {
        assertThat(begin(LIMITS, PLENTY)).isEqualTo(Begun.GIVES);
        LogRecord unreadable = view -> view.put(ShardTables.GIVING, Keys.of(wide.value()), new byte[] {-1, -1});
        shell.state.replay(List.of(unreadable));
        assertThat(end()).isTrue();
        assertThat(isMarked()).isFalse();
        assertThat(Givings.all(shell.state.view())).isEmpty();
    }

    @Test
    void aDirectoryThatIsNotThereGivesNothing() {
        shell.state.replay(List.of(
                new GivingSet(new Handle(1L << 50), GivingRow.getDefaultInstance()),
                new CountsSet(new Handle(1L << 50), DirectoryCounts.first(1))));
        Decision<Boolean> decision = new EndGiving(new Handle(1L << 50)).decide(shell.state.view(), shell.inputs());
        shell.state.replay(decision.records());
        assertThat(Givings.all(shell.state.view())).isEmpty();
    }
}
