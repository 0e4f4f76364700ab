package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.client.CreateOptions;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.fsck.FindingKind;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Damage of each kind is planted on the disks of a cluster, and found while clients work; nothing else is. */
class FsckTest {
    private static final int EACH = 20;
    private static final int FILES = 1_000;
    private static final int WORKERS = 4;
    private static final int SHARDS = 2;

    private final Path data;
    private final Cluster cluster;

    FsckTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(
                data, 1, SHARDS, 2, Map.of("stead.io.lease.duration", "2000", "stead.io.lease.check.interval", "100"));
    }

    private JsonNode fsck(int exitCode) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = command.execute(
                "fsck",
                "--uri",
                "stead://" + cluster.local().address(),
                "--page",
                "100",
                "--findings",
                "100000",
                "--json");
        assertThat(code).as("%s%s", out, err).isEqualTo(exitCode);
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void findsWhatWasPlantedAndNothingElse() throws Exception {
        try (cluster) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                for (int i = 0; i < FILES; i++) {
                    write(fs, "/sound-" + i % 16 + "/" + i, 100);
                }
            }
            AtomicLong files = new AtomicLong();
            busy(files, () -> {
                for (int i = 0; i < 3; i++) {
                    fsck(0);
                }
            });
            cluster.stop();
            Map<FindingKind, Integer> planted = plant();
            cluster.startAgain();
            busy(files, () -> {
                for (int i = 0; i < 2; i++) {
                    JsonNode result = fsck(3);
                    assertThat(result.get("complete").asBoolean()).isTrue();
                    Map<String, Integer> counts = new TreeMap<>();
                    for (FindingKind kind : FindingKind.values()) {
                        counts.put(
                                kind.label(),
                                result.get("counts").get(kind.label()).asInt());
                    }
                    Map<String, Integer> expected = new TreeMap<>();
                    planted.forEach((kind, count) -> expected.put(kind.label(), count));
                    assertThat(counts).as("%s", result.get("findings")).isEqualTo(expected);
                }
            });
            System.out.printf("%s found among %d files, beside %d that were made%n", planted, FILES, files.get());
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** While clients create, append to and delete files, by protocols with leases and without. */
    private void busy(AtomicLong files, Step step) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                int number = i;
                workers.add(threads.submit(() -> work(number, over, files)));
            }
            long before = files.get();
            org.awaitility.Awaitility.await()
                    .atMost(java.time.Duration.ofSeconds(60))
                    .until(() -> files.get() > before + 50);
            step.run();
            over.set(true);
            for (Future<?> each : workers) {
                each.get();
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private Void work(int number, AtomicBoolean over, AtomicLong files) throws IOException {
        String protocol = List.of("unified", "precreated", "delegated", "lazy").get(number % WORKERS);
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.create.protocol", protocol))) {
            for (int i = 0; !over.get(); i++) {
                String name = "/work/" + number + "/" + i % 20;
                write(fs, name, i % 3 == 0 ? 0 : 70_000);
                if (i % 5 == 0) {
                    fs.delete(FsPath.parse(name), false);
                }
                files.incrementAndGet();
            }
        }
        return null;
    }

    private static void write(SteadFs fs, String name, int bytes) throws IOException {
        try (var out = fs.create(
                FsPath.parse(name), CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
            out.write(new byte[bytes], 0, bytes);
        }
    }

    /** A closed file with bytes in its first column. */
    private record Sound(Handle metafile, MetafileRow row) {
        Handle datafile() {
            return new Handle(row.getLayout().getDatafiles(0));
        }
    }

    private Map<FindingKind, Integer> plant() throws IOException {
        Map<FindingKind, Integer> planted = new EnumMap<>(FindingKind.class);
        for (FindingKind kind : FindingKind.values()) {
            planted.put(kind, EACH);
        }
        // What is listed twice is another metafile's at its IO server.
        planted.put(FindingKind.FOREIGN_DATAFILE, 2 * EACH);
        try (Store shard = openShard(0);
                Store other = openShard(1);
                Store first = StoredDatafiles.openStore(data, ServerId.parse("io-1"));
                Store second = StoredDatafiles.openStore(data, ServerId.parse("io-2"))) {
            List<Sound> sound = sound(shard);
            List<Sound> greedy = sound(other);
            assertThat(sound).hasSizeGreaterThan(7 * EACH);
            assertThat(greedy).hasSizeGreaterThan(EACH);
            Overlay shardRows = shard.overlay();
            Overlay otherRows = other.overlay();
            Map<Integer, Store> stores = Map.of(1, first, 2, second);
            Map<Integer, Overlay> rows = Map.of(1, first.overlay(), 2, second.overlay());
            for (int i = 0; i < EACH; i++) {
                Handle leaked = Handle.of(1 + i % 2, 0xff, 1 + i);
                Sound model = sound.get(i);
                put(rows, leaked, datafileRow(stores, model.datafile()));

                Handle missing = sound.get(EACH + i).datafile();
                at(rows, missing).delete(DatafileTables.DATAFILE, DatafileTables.key(missing));

                Handle foreign = sound.get(2 * EACH + i).datafile();
                put(rows, foreign, datafileRow(stores, sound.get(3 * EACH + i).datafile()));

                Sound cut = sound.get(4 * EACH + i);
                shardRows.put(
                        ShardTables.INODE,
                        key(cut.metafile()),
                        typed(cut.row().toBuilder().setLength(200).build()));

                Handle unreadable = sound.get(5 * EACH + i).datafile();
                put(rows, unreadable, new byte[] {1, 2, 3});

                Handle twice = sound.get(6 * EACH + i).datafile();
                Sound by = greedy.get(i);
                MetafileRow.Builder more = by.row().toBuilder();
                more.getLayoutBuilder().setDatafiles(1, twice.value());
                otherRows.put(ShardTables.INODE, key(by.metafile()), typed(more.build()));
                otherRows.put(ShardTables.DATAFILE, key(twice), listed(by.metafile(), 1));

                Handle stray = Handle.of(1 + i % 2, 0xfe, 1 + i);
                shardRows.put(
                        ShardTables.DATAFILE, key(stray), listed(Handle.of(Handle.FIRST_SHARD_OWNER, 0, 1L << 30), 0));
            }
            shard.commit(shardRows, true);
            other.commit(otherRows, true);
            first.commit(at(rows, 1), true);
            second.commit(at(rows, 2), true);
        }
        return planted;
    }

    private static byte[] listed(Handle metafile, int index) {
        return ByteBuffer.allocate(12).putLong(metafile.value()).putInt(index).array();
    }

    private static List<Sound> sound(Store shard) throws IOException {
        List<Sound> sound = new ArrayList<>();
        try (ReadView.Cursor cursor = shard.committed().scan(ShardTables.INODE, new byte[0], end())) {
            while (cursor.next()) {
                if (cursor.value()[0] == 1) {
                    MetafileRow row =
                            MetafileRow.parseFrom(Arrays.copyOfRange(cursor.value(), 1, cursor.value().length));
                    if (row.getLength() == 100 && row.getWriterSession() == 0) {
                        sound.add(new Sound(
                                new Handle(ByteBuffer.wrap(cursor.key()).getLong()), row));
                    }
                }
            }
        }
        return sound;
    }

    private Store openShard(int number) throws IOException {
        return RocksStore.open(data.resolve("mds-1").resolve("shard-" + number), ShardTables.ALL, Settings.defaults());
    }

    private static byte[] end() {
        byte[] end = new byte[10];
        Arrays.fill(end, (byte) -1);
        return end;
    }

    private static byte[] key(Handle handle) {
        return ByteBuffer.allocate(Long.BYTES).putLong(handle.value()).array();
    }

    private static byte[] typed(MetafileRow row) {
        byte[] bytes = row.toByteArray();
        return ByteBuffer.allocate(1 + bytes.length).put((byte) 1).put(bytes).array();
    }

    private static Overlay at(Map<Integer, Overlay> rows, int server) {
        return java.util.Objects.requireNonNull(rows.get(server));
    }

    private static Overlay at(Map<Integer, Overlay> rows, Handle datafile) {
        return at(rows, datafile.owner());
    }

    private static void put(Map<Integer, Overlay> rows, Handle datafile, byte[] row) {
        at(rows, datafile).put(DatafileTables.DATAFILE, DatafileTables.key(datafile), row);
    }

    private static byte[] datafileRow(Map<Integer, Store> stores, Handle datafile) {
        Table table = DatafileTables.DATAFILE;
        return java.util.Objects.requireNonNull(stores.get(datafile.owner()))
                .committed()
                .get(table, DatafileTables.key(datafile))
                .orElseThrow();
    }
}
