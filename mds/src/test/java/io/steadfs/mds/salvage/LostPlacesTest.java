package io.steadfs.mds.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.store.rocks.SalvageReport;
import io.steadfs.store.rocks.StoreSalvage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real files of RocksDB with a damaged block, salvaged: what is told of the rows that were in it. */
class LostPlacesTest {
    private static final Handle A = shard(0, 2);
    private static final Handle B = shard(0, 3);
    /** Its name is at another shard. */
    private static final Handle GUEST = shard(0, 4);

    private static final int NAMES = 4_000;
    private static final int FIRST_FILE = 1_000;

    private static final Pattern OBJECTS = Pattern.compile(
            "(?<kind>[a-z]+) with handles from (?<from>[^ ]+) to (?<to>[^ ]+), among them (?<paths>.*) and more;"
                    + " of others the path is unknown until fsck");

    private final Path store;

    LostPlacesTest(@TempDir Path directory) {
        store = directory.resolve("shard-0");
    }

    private static Handle shard(int shard, long sequence) {
        return Handle.of(Handle.FIRST_SHARD_OWNER + shard, 1, sequence);
    }

    /** Commits and closes, so that these rows are in files of their own. */
    private void write(Rows rows) throws IOException {
        try (RocksStore open = RocksStore.open(store, ShardTables.ALL, Settings.defaults());
                Overlay overlay = open.overlay()) {
            rows.put(overlay);
            open.commit(overlay, true);
        }
        // Opened again, it writes what is in its log to a file.
        RocksStore.open(store, ShardTables.ALL, Settings.defaults()).close();
    }

    private interface Rows {
        void put(Overlay overlay);
    }

    private static void directory(Overlay rows, Handle handle, Handle parent) {
        new DirectorySet(
                        handle,
                        DirectoryRow.newBuilder().setParent(parent.value()).build())
                .replay(rows);
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> all = Files.list(store)) {
            return all.filter(file -> file.toString().endsWith(".sst")).sorted().toList();
        }
    }

    /** What a salvage tells of the first range that it lost of the table, once the middle of these files is damaged. */
    private String lost(String table, List<Path> files) throws IOException {
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                open.seek(open.length() / 3);
                int before = open.read();
                open.seek(open.length() / 3);
                open.write(before ^ 1);
            }
        }
        AtomicReference<SalvageReport> report = new AtomicReference<>();
        assertThat(StoreSalvage.run(store, ShardTables.ALL, Settings.defaults(), ShardSalvage::fix, report::set))
                .isPresent();
        SalvageReport told = Objects.requireNonNull(report.get());
        SalvageReport.Lost range = told.lost().stream()
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow(() -> new AssertionError(told.text()));
        assertThat(told.text()).contains("; these are " + told.place(range));
        return told.place(range);
    }

    private void above() throws IOException {
        write(rows -> {
            directory(rows, Handle.ROOT, Handle.NONE);
            directory(rows, A, Handle.ROOT);
            directory(rows, B, A);
            directory(rows, GUEST, shard(1, 9));
            DirentSet.directory(DirentKey.of(Handle.ROOT, "a"), A).replay(rows);
            DirentSet.directory(DirentKey.of(A, "b"), B).replay(rows);
        });
    }

    private String lostNamesOf(Handle directory) throws IOException {
        above();
        List<Path> before = tables();
        write(rows -> {
            for (int i = 0; i < NAMES; i++) {
                DirentSet.file(DirentKey.of(directory, "name-" + i), shard(0, FIRST_FILE + i))
                        .replay(rows);
            }
        });
        List<Path> made =
                tables().stream().filter(each -> !before.contains(each)).toList();
        return lost("dirent", made);
    }

    @Test
    void namesAreToldByThePathOfTheirDirectoryAndTheirNeighbours() throws IOException {
        assertThat(lostNamesOf(B))
                .matches("names of /a/b between 'name-[0-9]+' and 'name-[0-9]+' in the order of their hashes");
    }

    @Test
    void namesOfADirectoryWhoseNameIsElsewhereAreToldByItsHandle() throws IOException {
        assertThat(lostNamesOf(GUEST))
                .matches("names of directory " + GUEST + " \\(path unknown until fsck\\) between 'name-[0-9]+' and"
                        + " 'name-[0-9]+' in the order of their hashes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inode", "datafile"})
    void rowsOfFilesAreToldByTheNamesThatAreFound(String table) throws IOException {
        above();
        boolean isIndex = table.equals("datafile");
        write(rows -> {
            for (int i = 0; i < NAMES; i++) {
                Handle file = shard(0, FIRST_FILE + i);
                if (i % 2 == 0) {
                    DirentSet.file(DirentKey.of(B, "name-" + i), file).replay(rows);
                }
                if (isIndex) {
                    metafile(rows, file, i);
                }
            }
        });
        List<Path> before = tables();
        write(rows -> {
            for (int i = 0; i < NAMES; i++) {
                Handle file = shard(0, FIRST_FILE + i);
                if (isIndex) {
                    rows.put(ShardTables.DATAFILE, key(datafile(i)), key(file));
                } else {
                    metafile(rows, file, i);
                }
            }
        });
        List<Path> made =
                tables().stream().filter(each -> !before.contains(each)).toList();
        Matcher told = OBJECTS.matcher(lost(table, made));
        assertThat(told.matches()).as(told.toString()).isTrue();
        assertThat(told.group("kind")).isEqualTo(isIndex ? "datafiles" : "objects");
        List<String> paths = List.of(told.group("paths").split(", ", -1));
        assertThat(paths).hasSize(8).doesNotHaveDuplicates();
        for (String path : paths) {
            assertThat(path).startsWith("/a/b/name-");
            int number = Integer.parseInt(path.substring("/a/b/name-".length()));
            assertThat(isIndex ? datafile(number) : shard(0, FIRST_FILE + number))
                    .isBetween(Handle.parse(told.group("from")), Handle.parse(told.group("to")));
        }
    }

    private static Handle datafile(int number) {
        return Handle.of(1, 1, 1 + number);
    }

    private static byte[] key(Handle handle) {
        return ByteBuffer.allocate(Long.BYTES).putLong(handle.value()).array();
    }

    private static void metafile(Overlay rows, Handle file, int number) {
        new MetafileSet(
                        file,
                        MetafileRow.newBuilder()
                                .setLayout(LayoutRow.newBuilder()
                                        .addDatafiles(datafile(number).value()))
                                .build())
                .replay(rows);
    }
}
