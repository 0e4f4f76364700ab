package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.Connection;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
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

/**
 * Messages of operations with {@code stead.lookup=component} on a cluster of three shards, counted on the servers where
 * they arrive. A walk begins at the root, on shard 0, and is sent on once for each other shard that holds a directory on
 * the way: each leg is one message. What an operation changes at another shard than the one that decides costs a PREPARE
 * there, and a FINISH afterwards.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class MessagesAcrossShardsTest {
    private final CountedShards shards;
    private final SteadFs fs;

    MessagesAcrossShardsTest(@TempDir Path data) throws IOException {
        shards = new CountedShards(data, Map.of("stead.lookup", "component"));
        fs = shards.fs();
    }

    @AfterAll
    void stop() throws IOException {
        shards.close();
    }

    private FsPath in(int shard, String name) {
        return shards.in(shard, name);
    }

    private FsPath directoryOn(int parent, int shard, String name) throws IOException {
        return shards.directoryOn(parent, shard, name);
    }

    private void write(FsPath path) throws IOException {
        shards.write(path);
    }

    private Map<String, Long> messages(String what, CountedShards.Work work) throws IOException {
        return shards.messages(what, work);
    }

    @Test
    void aWalkCostsALegForEachShardOnItsWay() throws IOException {
        FsPath deep = directoryOn(1, 2, "deep").child("file");
        write(deep);

        assertThat(messages("stat, 1 shard", () -> fs.stat(in(0, "first")))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages("stat, 2 shards", () -> fs.stat(in(1, "first")))).isEqualTo(Map.of("STAT", 2L));
        assertThat(messages("stat, 3 shards", () -> fs.stat(deep))).isEqualTo(Map.of("STAT", 3L));
        assertThat(messages("list, 3 shards", () -> fs.listSorted(deep.parent())))
                .isEqualTo(Map.of("LIST", 3L));
    }

    @Test
    void aFileIsMadeWhereItsDirectoryIs() throws IOException {
        assertThat(messages("small file, 1 shard", () -> write(in(0, "small"))))
                .isEqualTo(Map.of("CREATE", 1L, "WRITE", 1L, "CLOSE", 1L));
        assertThat(messages("small file, 2 shards", () -> write(in(1, "small"))))
                .isEqualTo(Map.of("CREATE", 2L, "WRITE", 1L, "CLOSE", 1L));
        assertThat(messages("unlink, 2 shards", () -> fs.delete(in(1, "small"), false)))
                .isEqualTo(Map.of("DELETE", 2L));
    }

    /**
     * N + 3 messages of the client, wherever the metafile is. Where that is another shard than the name's, the name's asks
     * it once, and tells it once.
     */
    @Test
    void aBasecaseFileIsMadeInPiecesThatTheClientPutsTogether() throws IOException {
        int columns = 4;
        boolean apart = false;
        boolean together = false;
        try (Connection basecase = shards.connect(Map.of("stead.create.protocol", "basecase"))) {
            basecase.fs().create(in(0, "first-basecase"), CreateOptions.DEFAULT).close();
            for (int i = 0; !apart || !together; i++) {
                FsPath path = in(0, "basecase-" + i);
                CreateOptions options = CreateOptions.DEFAULT.withLayout(columns, 64 * 1024);
                List<FileWriter> made = new ArrayList<>();
                Map<String, Long> messages = messages(
                        "basecase, 4 columns", () -> made.add(basecase.fs().create(path, options)));
                made.get(0).close();
                int shard = fs.stat(path).handle().shard();
                Map<String, Long> expected = new TreeMap<>(
                        Map.of("CREATE_METAFILE", 1L, "CREATE_DATAFILE", (long) columns, "ATTACH", 1L, "LINK", 1L));
                if (shard != 0) {
                    expected.putAll(Map.of("STAT_HANDLES", 1L, "NOTIFY", 1L));
                }
                assertThat(messages).as("metafile on shard %d", shard).isEqualTo(expected);
                apart |= shard != 0;
                together |= shard == 0;
            }
        }
    }

    /** The coordinator is the parent's shard; the directory is prepared where it will be. */
    @Test
    void aDirectoryOnAnotherShardIsPreparedThere() throws IOException {
        FsPath here = directoryOn(1, 1, "here");
        fs.delete(here, false);
        FsPath there = directoryOn(1, 2, "there");
        fs.delete(there, false);

        assertThat(messages("mkdir on its parent's shard", () -> fs.mkdirs(here, 0755, false, true)))
                .isEqualTo(Map.of("MKDIRS", 2L));
        assertThat(messages("mkdir on another shard", () -> fs.mkdirs(there, 0755, false, true)))
                .isEqualTo(Map.of("MKDIRS", 2L, "PREPARE", 1L, "FINISH", 1L));
        assertThat(messages("rmdir on its parent's shard", () -> fs.delete(here, false)))
                .isEqualTo(Map.of("DELETE", 2L));
        assertThat(messages("rmdir on another shard", () -> fs.delete(there, false)))
                .isEqualTo(Map.of("DELETE", 2L, "PREPARE", 1L, "FINISH", 1L));
    }

    /**
     * Only the name moves: the file's data and attributes stay where they are. The source is resolved first and then the
     * target, each from the root, so that two paths of the same other shard cost four legs: to shard 0, there, back,
     * and there.
     */
    @Test
    void aRenameLocksTheSourceWhereItIs() throws IOException {
        write(in(0, "a"));
        write(in(1, "b"));
        write(in(1, "c"));

        assertThat(messages(
                        "rename within a shard", () -> fs.rename(in(0, "a"), in(0, "moved"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));
        assertThat(messages(
                        "rename within another shard",
                        () -> fs.rename(in(1, "b"), in(1, "moved"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 4L));
        assertThat(messages(
                        "rename between shards", () -> fs.rename(in(1, "c"), in(2, "moved"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 4L, "PREPARE", 1L, "FINISH", 1L));
    }

    /**
     * Shard 0 admits moves of directories: one PREPARE there, and two at the source's shard, for the name and
     * for the directory's parent. One FINISH for each of the two shards.
     */
    @Test
    void aMoveOfADirectoryIsAdmittedByShardZero() throws IOException {
        FsPath directory = directoryOn(1, 1, "tree");
        write(directory.child("file"));

        assertThat(messages(
                        "directory to another parent",
                        () -> fs.rename(directory, in(2, "tree"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 4L, "PREPARE", 3L, "FINISH", 2L));
    }
}
