package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.local.OwnCluster;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages of each operation, counted on the servers where they arrive, and the client's steps. A file with bytes in n
 * columns, one write each, costs CREATE + n WRITE + CLOSE; the writes are sent together, so that it takes 3 steps whatever
 * n is. An hflush or hsync of new bytes adds an ATTACH, which tells their length.
 */
@TestInstance(Lifecycle.PER_CLASS)
class MessageCountTest {
    private static final int STRIP = 1 << 16;
    private static final int IO_SERVERS = 8;

    /** These come at times of their own. */
    private static final Set<String> UPKEEP =
            Set.of("CLUSTER_MAP", "RENEW_SESSION", "CONFIRM_DATAFILES", "ACKNOWLEDGE_DATAFILES", "REMOVE");

    private final Cleanup cleanup = new Cleanup();
    private final Connection connection;
    private final Connection basecase;
    private final SteadFs fs;

    MessageCountTest(@TempDir Path data) throws IOException {
        Connections connections = cleanup.add(Connections.ofProcess());
        SteadUri cluster = OwnCluster.start(data, IO_SERVERS, cleanup);
        connection = cleanup.add(connections.open(cluster));
        basecase = cleanup.add(connections.open(cluster, Map.of("stead.create.protocol", "basecase")));
        fs = connection.fs();
    }

    @BeforeAll
    void openSession() throws IOException {
        fs.mkdirs(path("/counted"), 0755, true, true);
        basecase.fs().mkdirs(path("/counted/basecase"), 0755, true, true);
    }

    @AfterAll
    void stop() {
        cleanup.close();
    }

    @Test
    void create() throws IOException {
        assertThat(messages(() -> fs.create(path("/counted/open"), CreateOptions.DEFAULT)))
                .isEqualTo(Map.of("CREATE", 1L));
        assertThat(connection.transport().steps()).isEqualTo(1);
    }

    @Test
    void createMakesParentsToo() throws IOException {
        assertThat(messages(() -> fs.create(path("/counted/a/b/c/d"), CreateOptions.DEFAULT)))
                .isEqualTo(Map.of("CREATE", 1L));
    }

    @Test
    void emptyFile() throws IOException {
        assertThat(messages(() ->
                        fs.create(path("/counted/empty"), CreateOptions.DEFAULT).close()))
                .isEqualTo(Map.of("CREATE", 1L, "CLOSE", 1L));
        assertThat(connection.transport().steps()).isEqualTo(2);
    }

    @Test
    void smallFile() throws IOException {
        assertThat(messages(() -> write("/counted/small", 1, 4096)))
                .isEqualTo(Map.of("CREATE", 1L, "WRITE", 1L, "CLOSE", 1L));
        assertThat(connection.transport().steps()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void columns(int width) throws IOException {
        Map<String, Long> messages = messages(() -> write("/counted/columns-" + width, width, width * STRIP));

        assertThat(messages).isEqualTo(Map.of("CREATE", 1L, "WRITE", (long) width, "CLOSE", 1L));
        assertThat(connection.transport().steps()).isEqualTo(3);
    }

    @Test
    void aFlushOfNewBytesTellsTheirLength() throws IOException {
        Map<String, Long> messages = messages(() -> {
            try (FileWriter writer = fs.create(path("/counted/flushed"), CreateOptions.DEFAULT.withLayout(1, STRIP))) {
                writer.write(new byte[4096], 0, 4096);
                writer.hflush();
                writer.write(new byte[4096], 0, 4096);
                writer.hflush();
                writer.hflush();
                writer.hsync();
            }
        });

        // Two flushes had nothing new to tell. The column is made durable at the end by a SYNC, because its last write
        // was not.
        assertThat(messages).isEqualTo(Map.of("CREATE", 1L, "WRITE", 2L, "ATTACH", 2L, "SYNC", 1L, "CLOSE", 1L));
    }

    @Test
    void columnsWithoutBytesCostNothing() throws IOException {
        assertThat(messages(() -> write("/counted/wide", 8, 3 * STRIP)))
                .isEqualTo(Map.of("CREATE", 1L, "WRITE", 3L, "CLOSE", 1L));
    }

    /** The paper's four steps: metafile; N datafiles; attributes; dirent. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void basecaseCreate(int width) throws IOException {
        FsPath path = path("/counted/basecase/create-" + width);
        CreateOptions options = CreateOptions.DEFAULT.withLayout(width, STRIP);
        Map<String, Long> reportedBefore = reported();

        Map<String, Long> messages = messages(basecase, () -> basecase.fs().create(path, options));

        assertThat(messages)
                .isEqualTo(Map.of("CREATE_METAFILE", 1L, "CREATE_DATAFILE", (long) width, "ATTACH", 1L, "LINK", 1L));
        assertThat(sum(messages)).isEqualTo(width + 3);
        assertThat(basecase.transport().steps()).isEqualTo(4);
        Map<String, Long> reported = reported();
        reportedBefore.forEach((name, count) -> reported.merge(name, -count, Long::sum));
        assertThat(reported)
                .as("what the protocol says of itself")
                .isEqualTo(Map.of("files", 1L, "messages", width + 3L, "steps", 4L));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void basecaseFile(int width) throws IOException {
        FsPath path = path("/counted/basecase/file-" + width);
        CreateOptions options = CreateOptions.DEFAULT.withLayout(width, STRIP);

        Map<String, Long> messages = messages(basecase, () -> {
            try (FileWriter writer = basecase.fs().create(path, options)) {
                writer.write(new byte[width * STRIP], 0, width * STRIP);
            }
        });

        assertThat(messages)
                .isEqualTo(Map.of(
                        "CREATE_METAFILE",
                        1L,
                        "CREATE_DATAFILE",
                        (long) width,
                        "ATTACH",
                        1L,
                        "LINK",
                        1L,
                        "WRITE",
                        (long) width,
                        "CLOSE",
                        1L));
        assertThat(basecase.transport().steps()).isEqualTo(6);
        assertThat(fs.stat(path).length()).isEqualTo((long) width * STRIP);
        assertThat(fs.stat(path).group()).isEqualTo(fs.stat(path("/counted")).group());
    }

    @Test
    void aRefusedBasecaseCreateIsTakenBack() throws IOException {
        FsPath path = path("/counted/basecase/twice");
        CreateOptions options = CreateOptions.DEFAULT.withLayout(4, STRIP);
        basecase.fs().create(path, options).close();

        Map<String, Long> messages = messages(
                basecase,
                () -> assertThatThrownBy(() -> basecase.fs().create(path, options))
                        .isInstanceOfSatisfying(
                                FsException.class,
                                refused -> assertThat(refused.error()).isEqualTo(FsError.ALREADY_EXISTS)));

        assertThat(messages)
                .isEqualTo(Map.of(
                        "CREATE_METAFILE",
                        1L,
                        "CREATE_DATAFILE",
                        4L,
                        "ATTACH",
                        1L,
                        "LINK",
                        1L,
                        "ABANDON_METAFILE",
                        1L));
    }

    private Map<String, Long> reported() {
        Map<String, Long> reported = new TreeMap<>();
        ((SteadClient) basecase.fs()).counters().forEach((name, count) -> {
            if (name.startsWith("create.basecase.")) {
                reported.put(name.substring("create.basecase.".length()), count);
            }
        });
        return reported;
    }

    private static long sum(Map<String, Long> messages) {
        return messages.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void readOfAClosedFile() throws IOException {
        write("/counted/read", 1, 4096);

        assertThat(messages(() -> {
                    try (FileReader reader = fs.open(path("/counted/read"))) {
                        assertThat(reader.read(0, ByteBuffer.allocate(4096))).isEqualTo(4096);
                    }
                }))
                .isEqualTo(Map.of("STAT", 1L, "READ", 1L));
    }

    @Test
    void names() throws IOException {
        write("/counted/names/file", 1, 1);

        assertThat(messages(() -> fs.stat(path("/counted/names/file")))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages(() -> fs.find(path("/counted/names/absent")))).isEqualTo(Map.of("STAT", 1L));
        assertThat(messages(() -> fs.listSorted(path("/counted/names")))).isEqualTo(Map.of("LIST", 1L));
        assertThat(messages(() -> fs.mkdirs(path("/counted/names/x/y/z"), 0755, true, false)))
                .isEqualTo(Map.of("MKDIRS", 1L));
        assertThat(messages(() ->
                        fs.rename(path("/counted/names/file"), path("/counted/names/moved"), RenameMode.NO_REPLACE)))
                .isEqualTo(Map.of("RENAME", 1L));
        assertThat(messages(() -> fs.delete(path("/counted/names"), true))).isEqualTo(Map.of("DELETE", 1L));
    }

    private void write(String path, int width, int bytes) throws IOException {
        try (FileWriter writer = fs.create(path(path), CreateOptions.DEFAULT.withLayout(width, STRIP))) {
            writer.write(new byte[bytes], 0, bytes);
        }
    }

    private Map<String, Long> messages(Work work) throws IOException {
        return messages(connection, work);
    }

    /** @param client that does the work */
    private static Map<String, Long> messages(Connection client, Work work) throws IOException {
        Counters before = client.counters();
        client.transport().beginOperation();
        work.run();
        TreeMap<String, Long> messages =
                new TreeMap<>(client.counters().since(before).messages());
        messages.keySet().removeAll(UPKEEP);
        return messages;
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    /** What is counted. */
    private interface Work {
        void run() throws IOException;
    }
}
