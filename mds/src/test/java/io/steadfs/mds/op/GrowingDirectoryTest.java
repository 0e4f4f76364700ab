package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.Listing;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory on three shards whose partitions give names to each other while it grows. */
class GrowingDirectoryTest {
    private static final int NAMES = 100;
    private static final int CHAINS = 6;
    private static final Map<String, String> SETTINGS = Map.of(
            "stead.partition.split.entries", "4",
            "stead.partition.per.shard", "4",
            "stead.partition.merge.quiet", "0");
    /** Partitions go in parts of two names. */
    private static final Map<String, String> IN_PARTS = Map.of(
            "stead.partition.split.entries", "4",
            "stead.partition.per.shard", "4",
            "stead.partition.merge.quiet", "0",
            "stead.partition.give.names", "2");

    private static final FsPath WIDE = parsed("wide");

    private static FsPath parsed(String path) {
        try {
            return FsPath.parse(path);
        } catch (FsException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FsPath name(int i) {
        return WIDE.child("d" + i);
    }

    private SimulatedShards cluster(long seed) {
        return new SimulatedShards(3, seed, seed % 2 == 0 ? SETTINGS : IN_PARTS);
    }

    private static void grow(SimulatedShards cluster, AsyncSteadFs fs) {
        for (int i = 0; i < NAMES; i++) {
            cluster.await("mkdir " + i, fs.names().mkdirs(name(i), 0777, true, false));
        }
    }

    private static List<PartitionInfo> partitions(SimulatedShards cluster, AsyncSteadFs fs) {
        return cluster.await("partitions", fs.lists().partitions(WIDE));
    }

    private static void settle(SimulatedShards cluster) {
        cluster.time().runFor(10_000);
        for (int seconds = 0; seconds < 120 && isGiving(cluster); seconds++) {
            cluster.time().runFor(1_000);
        }
        assertThat(isGiving(cluster)).isFalse();
        cluster.quiet();
    }

    private static boolean isGiving(SimulatedShards cluster) {
        return IntStream.range(0, cluster.count())
                .anyMatch(shard -> !Givings.all(cluster.committed(shard)).isEmpty());
    }

    private static void rename(SimulatedShards cluster, AsyncSteadFs fs, FsPath source, FsPath target) {
        cluster.await("rename " + source, fs.names().rename(source, target, RenameMode.NO_REPLACE));
    }

    /** The copies of the map with which shards find sources of renames are from before the splits. */
    @Test
    void aRenameIsDoneBetweenPartitionsThatSplitSinceTheMapWasCopied() {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("stead.mds.copies.term", "600000");
        SimulatedShards cluster = new SimulatedShards(3, 1, settings);
        AsyncSteadFs fs = cluster.client("root");
        for (int i = 0; i < 12; i++) {
            cluster.await("mkdir " + i, fs.names().mkdirs(WIDE.child("e" + i), 0777, true, false));
        }
        settle(cluster);
        int before = partitions(cluster, fs).size();
        assertThat(before).isGreaterThan(1);
        for (int i = 0; i < 12; i++) {
            rename(cluster, fs, WIDE.child("e" + i), WIDE.child("f" + i));
        }
        grow(cluster, fs);
        settle(cluster);
        assertThat(partitions(cluster, fs)).hasSizeGreaterThan(before);
        for (int i = 0; i < NAMES; i++) {
            rename(cluster, fs, name(i), WIDE.child("g" + i));
        }
        assertThat(list(cluster, fs)).hasSize(NAMES + 12).noneMatch(name -> name.startsWith("d"));
    }

    /** Each partition has a name that a rename holds most of the time, and none ever stays. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void renamesAllTheTimeDoNotKeepADirectoryWhole(long seed) {
        SimulatedShards cluster = cluster(seed);
        AsyncSteadFs fs = cluster.client("root");
        for (int chain = 0; chain < CHAINS; chain++) {
            cluster.await("mkdir", fs.names().mkdirs(chained(chain, 0), 0777, true, false));
        }
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Integer>> chains = IntStream.range(0, CHAINS)
                .mapToObj(chain -> renamed(fs, chain, 0, isOver))
                .toList();
        grow(cluster, fs);
        for (int waited = 0; waited < 60_000 && partitions(cluster, fs).size() < 8; waited += 100) {
            cluster.time().runFor(100);
        }
        assertThat(partitions(cluster, fs)).hasSizeGreaterThanOrEqualTo(8);
        isOver.set(true);
        List<String> last = new ArrayList<>(List.of(names()));
        for (int chain = 0; chain < CHAINS; chain++) {
            int renames = cluster.await("chain " + chain, chains.get(chain));
            assertThat(renames).isGreaterThan(100);
            last.add(chained(chain, renames).name());
        }
        settle(cluster);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrderElementsOf(last);
    }

    private static FsPath chained(int chain, int renames) {
        return WIDE.child("r" + chain + "-" + renames);
    }

    /** Renames an object again and again, each time right after the last time. Returns how often it was. */
    private static CompletableFuture<Integer> renamed(AsyncSteadFs fs, int chain, int renames, AtomicBoolean isOver) {
        return isOver.get()
                ? CompletableFuture.completedFuture(renames)
                : fs.names()
                        .rename(chained(chain, renames), chained(chain, renames + 1), RenameMode.NO_REPLACE)
                        .thenCompose(moved -> renamed(fs, chain, renames + 1, isOver));
    }

    private static List<String> list(SimulatedShards cluster, AsyncSteadFs fs) {
        List<String> listed = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            ListPage page = cluster.await("a page", fs.lists().list(WIDE, cursor, 7));
            page.entries().forEach(entry -> listed.add(entry.name()));
            cursor = page.cursor();
        } while (!cursor.isEmpty());
        return listed;
    }

    private static String[] names() {
        return IntStream.range(0, NAMES).mapToObj(i -> "d" + i).toArray(String[]::new);
    }

    @Test
    void namesAreFoundWhereverTheyWereGiven() {
        SimulatedShards cluster = cluster(1);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        List<PartitionInfo> partitions = partitions(cluster, fs);
        assertThat(partitions).hasSizeGreaterThanOrEqualTo(8);
        assertThat(partitions.stream().map(PartitionInfo::shard).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(0, 1, 2);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrder(names());
        assertThat(partitions.stream().mapToLong(PartitionInfo::entries).sum()).isEqualTo(NAMES);
        for (int i = 0; i < NAMES; i++) {
            cluster.await("stat " + i, fs.attributes().stat(name(i)));
            cluster.await("delete " + i, fs.names().delete(name(i), false));
        }
        cluster.await("delete", fs.names().delete(WIDE, false));
    }

    /** Partitions get too many names at about the same time, and each shard that gives goes by the map at that time. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void noShardGetsMoreThanTheFullestHadWhenSeveralGiveAtOnce(long seed) {
        SimulatedShards cluster = new SimulatedShards(12, seed, Map.of("stead.partition.split.entries", "20"));
        AsyncSteadFs fs = cluster.client("root");
        cluster.await("mkdir", fs.names().mkdirs(WIDE, 0777, true, false));
        Handle wide = cluster.await("stat", fs.attributes().stat(WIDE)).handle();
        long fullest = Long.MAX_VALUE;
        for (int i = 0; i < 800; ) {
            List<CompletableFuture<?>> made = new ArrayList<>();
            for (int end = i + 40; i < end; i++) {
                made.add(fs.names().mkdirs(name(i), 0777, true, false));
            }
            made.forEach(each -> cluster.await("mkdir", each));
            for (int millis = 0; millis < 2_000; millis++) {
                cluster.time().runFor(1);
                long now = fullest(cluster.committed(wide.shard()), wide);
                assertThat(now)
                        .as("most of the hashes at a shard, units of 2^-30")
                        .isLessThanOrEqualTo(fullest);
                fullest = now;
            }
        }
        assertThat(fullest).as("an eighth").isLessThanOrEqualTo(1 << 27);
    }

    /** The part of the directory's hashes that the shard with most of them has, as its home shard knows. */
    private static long fullest(ReadView home, Handle directory) {
        Map<Integer, Long> shares = Maps.entries(home, directory).stream()
                .collect(Collectors.groupingBy(
                        each -> each.handle().shard(),
                        Collectors.summingLong(each -> each.partition().share())));
        return shares.isEmpty() ? 1L << PartitionMap.MAX_DEPTH : Collections.max(shares.values());
    }

    /** That a time was set is known by the number of changes in all partitions together. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
    void aTimeThatWasSetIsToldWhileADirectorySplits(long seed) {
        SimulatedShards cluster = cluster(seed);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        AttributeChange time = AttributeChange.times(OptionalLong.of(1_000_000), OptionalLong.empty());
        cluster.await("set time", fs.attributes().setAttributes(WIDE, time));
        int before = partitions(cluster, fs).size();
        do {
            FileInfo told = cluster.await("stat", fs.attributes().stat(WIDE));
            assertThat(told.modificationTime()).isEqualTo(1_000_000);
            cluster.time().runFor(1);
        } while (isGiving(cluster) || cluster.time().wallMillis() % 5_000 != 0);
        assertThat(partitions(cluster, fs)).hasSizeGreaterThan(before);
    }

    /** The listing has read some pages when a directory of the tree begins to give its names to other shards. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14})
    void aTreeListingSeesEachNameOnceWhileADirectorySplits(int pages) {
        SimulatedShards cluster = cluster(pages);
        AsyncSteadFs fs = cluster.client("root", Map.of("stead.client.list.page", "1"));
        List<String> wanted = new ArrayList<>();
        for (String directory : List.of("a", "b", "c")) {
            for (int i = 0; i < 3; i++) {
                FsPath path = parsed("top/all/" + directory + "/d" + i);
                cluster.await("mkdirs", fs.names().mkdirs(path, 0777, true, false));
                wanted.add(directory + "/d" + i);
            }
            wanted.add(directory);
        }
        Listing listing = fs.lists().listTree(parsed("top/all"), true);
        List<String> seen = new ArrayList<>();
        for (int page = 0; !listing.isOver(); page++) {
            if (page == pages) {
                for (int i = 0; i < 30; i++) {
                    cluster.await("mkdir", fs.names().mkdirs(parsed("top/all/b/more" + i), 0777, false, true));
                }
                settle(cluster);
                assertThat(cluster.await("partitions", fs.lists().partitions(parsed("top/all/b"))))
                        .hasSizeGreaterThan(2);
            }
            cluster.await("a page", listing.next()).forEach(entry -> seen.add(entry.name()));
        }
        seen.removeIf(name -> name.startsWith("b/more"));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** Deletes all names but some, and waits for the merges. */
    private static void shrink(SimulatedShards cluster, AsyncSteadFs fs, String... left) {
        for (String each : list(cluster, fs)) {
            if (!List.of(left).contains(each)) {
                cluster.await("delete " + each, fs.names().delete(WIDE.child(each), false));
            }
        }
        for (int seconds = 0; seconds < 1_200 && partitions(cluster, fs).size() > 1; seconds += 10) {
            cluster.time().runFor(10_000);
        }
        settle(cluster);
    }

    /** Each page of the listing ends with a partition. After some pages all of them merge. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8, 12})
    void aTreeListingSeesEachNameOnceWhilePartitionsMerge(int pages) {
        SimulatedShards cluster = cluster(pages);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        Listing listing = fs.lists().listTree(WIDE, true);
        List<String> seen = new ArrayList<>();
        for (int page = 0; !listing.isOver(); page++) {
            if (page == pages) {
                shrink(cluster, fs, seen.get(0));
                assertThat(partitions(cluster, fs)).hasSize(1);
            }
            cluster.await("a page", listing.next()).forEach(entry -> seen.add(entry.name()));
        }
        assertThat(seen).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void partitionsMergeWhenNamesGo(int left) {
        SimulatedShards cluster = cluster(left);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        assertThat(partitions(cluster, fs)).hasSizeGreaterThanOrEqualTo(8);
        shrink(cluster, fs, Arrays.copyOf(names(), left));
        assertThat(partitions(cluster, fs)).hasSize(1);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrder(Arrays.copyOf(names(), left));
        nothingIsLeft(cluster);
        grow(cluster, fs);
        settle(cluster);
        assertThat(partitions(cluster, fs)).hasSizeGreaterThanOrEqualTo(8);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrder(names());
    }

    /** Partitions with few names in which there is work stay: they would split again. */
    @Test
    void partitionsInWhichNamesChangeDoNotMerge() {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("stead.partition.merge.quiet", "60000");
        SimulatedShards cluster = new SimulatedShards(3, 2, settings);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        int before = partitions(cluster, fs).size();
        assertThat(before).isGreaterThanOrEqualTo(8);
        for (int i = 0; i < NAMES; i++) {
            cluster.await("delete " + i, fs.names().delete(name(i), false));
        }
        for (int seconds = 0; seconds < 120; seconds += 20) {
            for (int i = 0; i < NAMES; i++) {
                cluster.await("mkdir " + i, fs.names().mkdirs(name(i), 0777, true, false));
                cluster.await("delete " + i, fs.names().delete(name(i), false));
            }
            cluster.time().runFor(20_000);
            assertThat(partitions(cluster, fs)).hasSize(before);
        }
        shrink(cluster, fs);
        assertThat(partitions(cluster, fs)).hasSize(1);
    }

    /** On two shards, a partition and the one from which it was split may be on the same shard. */
    @Test
    void partitionsOfOneShardMergeWhenTheHintIsGone() {
        SimulatedShards cluster = new SimulatedShards(2, 1, SETTINGS);
        AsyncSteadFs fs = cluster.client("root");
        cluster.await("mkdir", fs.names().mkdirs(WIDE, 0777, true, false));
        ByteString many = ByteString.copyFromUtf8("1000");
        cluster.await(
                "hint", fs.attributes().setXattr(WIDE, DirectoryHints.EXPECTED_FILES, many.toByteArray(), true, true));
        assertThat(partitions(cluster, fs)).hasSize(8);
        grow(cluster, fs);
        for (int i = 3; i < NAMES; i++) {
            cluster.await("delete " + i, fs.names().delete(name(i), false));
        }
        cluster.time().runFor(60_000);
        assertThat(partitions(cluster, fs)).as("as the hint says").hasSize(8);
        cluster.await("no hint", fs.attributes().removeXattr(WIDE, DirectoryHints.EXPECTED_FILES));
        // A partition without a change would not be looked at.
        grow(cluster, fs);
        shrink(cluster, fs, "d0");
        assertThat(partitions(cluster, fs)).hasSize(1);
        assertThat(list(cluster, fs)).containsExactly("d0");
        nothingIsLeft(cluster);
    }

    /** While a partition tries, its names do not change. So it does not try each time that one has changed. */
    @Test
    void aPartitionThatAHintKeepsTriesOnceToMerge() {
        SimulatedShards cluster = cluster(1);
        AsyncSteadFs fs = cluster.client("root");
        cluster.await("mkdir", fs.names().mkdirs(WIDE, 0777, true, false));
        byte[] many = ByteString.copyFromUtf8("1000").toByteArray();
        cluster.await("hint", fs.attributes().setXattr(WIDE, DirectoryHints.EXPECTED_FILES, many, true, true));
        settle(cluster);
        long before = intents(cluster);
        for (int i = 0; i < NAMES; i++) {
            cluster.await("link " + i, fs.names().createSymlink(name(i), "target", false, 0755));
            cluster.await("unlink " + i, fs.names().delete(name(i), false));
            cluster.time().runFor(300);
        }
        assertThat(intents(cluster) - before).as("tries to merge").isZero();
    }

    /** Number of operations over several shards that were begun. */
    private static long intents(SimulatedShards cluster) {
        return cluster.views().stream().mapToLong(Intents::next).sum();
    }

    /** No shard has rows of a partition. */
    private static void nothingIsLeft(SimulatedShards cluster) {
        for (int shard = 0; shard < cluster.count(); shard++) {
            assertThat(Maps.all(cluster.committed(shard))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8, 9})
    void nothingIsLostWhenShardsCrashWhilePartitionsMerge(long seed) {
        SimulatedShards cluster = cluster(seed);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        crash(cluster, seed);
        shrink(cluster, fs, "d0");
        assertThat(partitions(cluster, fs)).hasSize(1);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrder(Arrays.copyOf(names(), 1));
        nothingIsLeft(cluster);
    }

    private static void crash(SimulatedShards cluster, long seed) {
        for (int shard = 0; shard < 3; shard++) {
            for (int step = 20; step < 2_000; step += 37 + (int) seed) {
                cluster.shard(shard).crashAt(step + 11 * shard, step % 2 == 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5, 6, 7, 8, 9})
    void nothingIsLostWhenShardsCrash(long seed) {
        SimulatedShards cluster = cluster(seed);
        crash(cluster, seed);
        AsyncSteadFs fs = cluster.client("root");
        grow(cluster, fs);
        settle(cluster);
        List<PartitionInfo> partitions = partitions(cluster, fs);
        assertThat(partitions).hasSizeGreaterThanOrEqualTo(8);
        assertThat(list(cluster, fs)).containsExactlyInAnyOrder(names());
        assertThat(partitions.stream().mapToLong(PartitionInfo::entries).sum()).isEqualTo(NAMES);
    }
}
