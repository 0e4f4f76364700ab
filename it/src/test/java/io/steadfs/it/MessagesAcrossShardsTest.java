package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages of operations on a cluster of three shards, counted on the servers where they arrive. A walk begins at the
 * root, on shard 0, and is sent on once for each other shard that holds a directory on the way: each leg is one message.
 * What an operation changes at another shard than the one that decides costs a PREPARE there, and a FINISH afterwards.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class MessagesAcrossShardsTest {
    private static final int SHARDS = 3;

    /** These come at times of their own. */
    private static final Set<String> UPKEEP = Set.of(
            "CLUSTER_MAP",
            "RENEW_SESSION",
            "SESSION_STATUS",
            "INTENT_STATUS",
            "CONFIRM_DATAFILES",
            "ACKNOWLEDGE_DATAFILES",
            "REMOVE",
            "STATUS");

    private static final List<String> UNFINISHED = List.of("intents.", "outbox.", "deletion.");

    private final Cluster cluster;
    private final Connections connections = Connections.ofProcess();
    private final Connection connection;
    private final SteadFs fs;
    private final Grounds grounds;

    MessagesAcrossShardsTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, SHARDS, SHARDS, 4, Map.of());
        connection = connections.open(SteadUri.parse(cluster.local().uri().toString()));
        fs = connection.fs();
        grounds = Grounds.make(fs, "counted", SHARDS);
    }

    /** So that every shard knows the session. */
    @BeforeAll
    void useEveryShard() throws IOException {
        for (int shard = 0; shard < SHARDS; shard++) {
            write(in(shard, "first"));
        }
    }

    @AfterAll
    void stop() throws IOException {
        connection.close();
        connections.close();
        cluster.close();
    }

    private FsPath in(int shard, String name) {
        return grounds.onShard(shard).child(name);
    }

    /** A directory at depth 2 is dealt out by its name; this finds a name that is dealt to the shard. */
    private FsPath directoryOn(int parent, int shard, String name) throws IOException {
        for (int i = 0; ; i++) {
            FsPath path = in(parent, name + i);
            if (fs.mkdirs(path, 0755, false, true).handle().shard() == shard) {
                return path;
            }
            fs.delete(path, false);
        }
    }

    private void write(FsPath path) throws IOException {
        try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT)) {
            writer.write(new byte[100], 0, 100);
        }
    }

    /** What is counted. */
    private interface Work {
        void run() throws IOException;
    }

    private void settle() {
        await("what goes on behind")
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(cluster.gauges(UNFINISHED)).isEmpty());
    }

    private Map<String, Long> messages(String what, Work work) throws IOException {
        settle();
        Counters before = connection.counters();
        work.run();
        settle();
        TreeMap<String, Long> messages =
                new TreeMap<>(connection.counters().since(before).messages());
        messages.keySet().removeAll(UPKEEP);
        System.out.println(what + ": " + messages);
        return messages;
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
        try (Connection basecase = connections.open(
                SteadUri.parse(cluster.local().uri().toString()), Map.of("stead.create.protocol", "basecase"))) {
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
     * Shard 0 puts moves of directories in an order: one PREPARE there, and two at the source's shard, for the name and
     * for the directory's parent. One FINISH for each of the two shards.
     */
    @Test
    void aDirectoryMovesInTheOrderOfShardZero() throws IOException {
        FsPath directory = directoryOn(1, 1, "tree");
        write(directory.child("file"));

        assertThat(messages(
                        "directory to another parent",
                        () -> fs.rename(directory, in(2, "tree"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 4L, "PREPARE", 3L, "FINISH", 2L));
    }
}
