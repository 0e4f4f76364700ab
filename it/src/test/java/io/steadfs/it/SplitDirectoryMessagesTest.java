package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of operations in a directory with 16 partitions on three shards, of the client and between shards, as {@link
 * DirectMessagesTest} counts those of directories with one partition. The client has met the directory. Copies are good
 * for the whole test.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class SplitDirectoryMessagesTest {
    private static final Map<String, String> SETTINGS =
            Map.of("stead.lookup", "direct", "stead.mds.copies.term", "600000", "stead.partition.per.shard", "4");
    private static final int DEPTH = 4;
    private static final int PARTITIONS = 1 << DEPTH;
    private static final int EXPECTED_FILES = 200_000;
    private static final int HOME = 1;
    private static final long OTHER_SHARDS = CountedShards.SHARDS - 1;

    private final CountedShards shards;
    private final SteadFs fs;
    private final FsPath wide;
    private final List<FsPath> unused = new ArrayList<>();
    private final List<FsPath> used = new ArrayList<>();

    SplitDirectoryMessagesTest(@TempDir Path data) throws IOException {
        shards = new CountedShards(data, SETTINGS);
        fs = shards.fs();
        wide = wide(HOME, "wide");
        for (int shard = 0; shard < 2; shard++) {
            unused.add(wide(shard, "unused"));
            used.add(wide(shard, "used"));
        }
        for (int shard = 0; shard < CountedShards.SHARDS; shard++) {
            fs.create(in(wide, shard, 0, "first"), CreateOptions.DEFAULT).close();
            for (FsPath each : used) {
                fs.create(in(each, shard, 0, "first"), CreateOptions.DEFAULT).close();
            }
        }
        fs.listSorted(wide);
    }

    @AfterAll
    void stop() throws IOException {
        shards.close();
    }

    /** A directory on this shard with all its partitions, in a directory of shard 0. */
    private FsPath wide(int shard, String name) throws IOException {
        FsPath path = shards.directoryOn(0, shard, name);
        fs.find(path.child("nothing"));
        assertThat(messages("hint on expected files", () -> SplitDirectories.spread(fs, path, EXPECTED_FILES)))
                .containsEntry("SET_XATTR", 1L);
        assertThat(fs.partitions(path)).hasSize(PARTITIONS);
        return path;
    }

    /**
     * A new name in a partition on this shard.
     *
     * @param which of the shard's partitions
     */
    private FsPath in(FsPath directory, int shard, int which, String prefix) throws IOException {
        List<PartitionInfo> partitions = fs.partitions(directory);
        int left = which;
        for (int range = 0; range < partitions.size(); range++) {
            PartitionInfo each = partitions.get(range);
            if (each.shard() == shard && left-- == 0) {
                return directory.child(SplitDirectories.name(prefix, DEPTH, range));
            }
        }
        throw new IllegalStateException("shard " + shard + " has too few partitions of " + directory);
    }

    private Map<String, Long> messages(String what, CountedShards.Work work) throws IOException {
        return shards.messages(what, work);
    }

    /** As in a directory with one partition, whatever the shard. A new directory is where its name is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aNameCostsOneMessage(int shard) throws IOException {
        FsPath file = in(wide, shard, 0, "file");
        FsPath small = in(wide, shard, 1, "small");
        FsPath nothing = in(wide, shard, 0, "nothing");
        FsPath directory = in(wide, shard, 0, "directory");
        assertThat(messages(
                        "create", () -> fs.create(file, CreateOptions.DEFAULT).close()))
                .isEqualTo(Map.of("CREATE", 1L, "CLOSE", 1L));
        assertThat(messages("small file", () -> shards.write(small)))
                .isEqualTo(Map.of("CREATE", 1L, "WRITE", 1L, "CLOSE", 1L));
        assertThat(messages("stat", () -> fs.stat(file))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages("stat of nothing", () -> fs.find(nothing))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages("delete", () -> fs.delete(file, false))).isEqualTo(Map.of("DELETE", 1L));
        assertThat(messages("mkdir", () -> fs.mkdirs(directory, 0755, false, true)))
                .isEqualTo(Map.of("MKDIRS", 1L));
        assertThat(messages("rmdir", () -> fs.delete(directory, false))).isEqualTo(Map.of("DELETE", 1L));
    }

    @Test
    void aRenameBetweenShardsLocksTheSource() throws IOException {
        FsPath file = in(wide, 0, 0, "a");
        FsPath beside = in(wide, 0, 0, "b");
        FsPath inAnother = in(wide, 0, 1, "c");
        FsPath onAnother = in(wide, 2, 0, "d");
        fs.create(file, CreateOptions.DEFAULT).close();
        assertThat(messages("rename within a partition", () -> fs.rename(file, beside, RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));
        assertThat(messages(
                        "rename between partitions of a shard",
                        () -> fs.rename(beside, inAnother, RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));
        assertThat(messages("rename between shards", () -> fs.rename(inAnother, onAnother, RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L, "PREPARE", 1L, "FINISH", 1L));
        assertThat(messages("stat of a file of another shard", () -> fs.stat(onAnother)))
                .isEqualTo(Map.of("STAT", 1L, "STAT_HANDLES", 1L));
        assertThat(messages("delete of a file of another shard", () -> fs.delete(onAnother, false)))
                .isEqualTo(Map.of("DELETE", 1L, "NOTIFY", 1L));
    }

    /** A page is asked for at the home shard, which names the shard of the page's partition. */
    @Test
    void theDirectoryItselfAsksEachOtherShardOnce() throws IOException {
        assertThat(messages("stat of the directory", () -> fs.stat(wide)))
                .isEqualTo(Map.of("STAT", 1L, "STAT_HANDLES", OTHER_SHARDS));
        long elsewhere = fs.partitions(wide).stream()
                .filter(each -> each.shard() != HOME)
                .count();
        assertThat(messages("list", () -> fs.listSorted(wide))).isEqualTo(Map.of("LIST", PARTITIONS + elsewhere));
    }

    /**
     * The parent's shard, which is shard 0, decides, whether it is the directory's or not. Copies of the directory and of
     * its name are taken back from each shard that has some.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aRemovalTellsEachOtherShard(int shard) throws IOException {
        FsPath empty = unused.get(shard);
        assertThat(butRecalls(messages("rmdir of the split directory", () -> fs.delete(empty, false))))
                .isEqualTo(Map.of("DELETE", 1L, "PREPARE", OTHER_SHARDS, "FINISH", OTHER_SHARDS));
        FsPath full = used.get(shard);
        assertThat(butRecalls(messages("recursive delete", () -> fs.delete(full, true))))
                .isEqualTo(Map.of("DELETE", 1L, "NOTIFY", shard == 0 ? OTHER_SHARDS : 1 + OTHER_SHARDS));
    }

    private static Map<String, Long> butRecalls(Map<String, Long> messages) {
        Map<String, Long> others = new TreeMap<>(messages);
        Long recalls = others.remove("RECALL_COPIES");
        assertThat(recalls == null ? 0 : recalls).as("recalls").isBetween(0L, 2 * OTHER_SHARDS);
        return others;
    }

    /** One message to a shard that the path has by chance, and one to the shard that it names, at the most. */
    @Test
    void whoHasNotMetItNeedsTwo() throws IOException {
        FsPath file = in(wide, 2, 0, "cold");
        fs.create(file, CreateOptions.DEFAULT).close();
        try (Connection other = shards.connect(SETTINGS)) {
            Map<String, Long> messages =
                    messages("stat by who has not met it", () -> other.fs().stat(file));
            assertThat(messages).containsOnlyKeys("STAT");
            assertThat(messages.get("STAT")).isBetween(1L, 2L);
        }
    }
}
