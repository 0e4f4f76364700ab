package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.fsck.FindingKind;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every place where bytes of files or names lie, and every damage that it can have: a scrub finds each, with its path where it has one, and
 * nothing else; a repair without kinds takes nothing away that can be read.
 */
class ScrubTableTest {
    private static final int EACH = 20;
    private static final int SHARDS = 2;
    private static final int IO_SERVERS = 2;
    private static final int SMALL_BYTES = 100;
    private static final int LARGE_BYTES = 140_000;
    private static final String XATTR = "user.mark";

    /** What happens to a row, or to a file. */
    private enum Damage {
        /** One bit on the disk. */
        FLIPPED,
        /** The half of it is left. */
        CUT,
        GONE,
        /** The checksum of the block in which the store keeps it is another. */
        BLOCK,
        /** It was written with another bit. */
        CHANGED
    }

    /** Where bytes lie. */
    private enum Place {
        LARGE,
        SMALL,
        CHUNKS,
        DATAFILE,
        DIRENT,
        INODE,
        PARTITION,
        INDEX,
        XATTR_ROW;

        Set<Damage> damages() {
            return switch (this) {
                case LARGE -> EnumSet.of(Damage.FLIPPED, Damage.CUT, Damage.GONE);
                case SMALL, CHUNKS -> EnumSet.allOf(Damage.class);
                // A value says nothing about itself: one that is cut is another value.
                case XATTR_ROW -> EnumSet.of(Damage.FLIPPED, Damage.GONE, Damage.BLOCK);
                default -> EnumSet.of(Damage.FLIPPED, Damage.CUT, Damage.GONE, Damage.BLOCK);
            };
        }

        boolean isLarge() {
            return this == LARGE || this == CHUNKS;
        }
    }

    private record Cell(Place place, Damage damage) {
        String directory() {
            return "/" + place + "-" + damage;
        }

        String path(int i) {
            return directory() + "/" + i;
        }

        boolean isOfStore() {
            return place != Place.LARGE && (damage == Damage.FLIPPED || damage == Damage.BLOCK);
        }

        /** The finding that tells of it. */
        FindingKind told() {
            if (isOfStore()) {
                return FindingKind.UNREADABLE_ROWS;
            }
            boolean cut = damage == Damage.CUT;
            return switch (place) {
                case LARGE, SMALL, CHUNKS -> FindingKind.CHECKSUM_FAILURE;
                case DATAFILE -> cut ? FindingKind.UNREADABLE_DATAFILE : FindingKind.MISSING_DATAFILE;
                case DIRENT -> cut ? FindingKind.UNREADABLE_RECORD : FindingKind.ORPHAN_METAFILE;
                case INODE -> cut ? FindingKind.UNREADABLE_OBJECT : FindingKind.DANGLING_DIRENT;
                case PARTITION -> cut ? FindingKind.UNREADABLE_RECORD : FindingKind.UNPARTITIONED_DIRECTORY;
                case INDEX -> cut ? FindingKind.UNREADABLE_RECORD : FindingKind.MISSING_INDEX;
                case XATTR_ROW -> FindingKind.WRONG_COUNTER;
            };
        }

        /** What follows from it, and is told as well. */
        Set<FindingKind> follows() {
            Set<FindingKind> follows = others();
            if (damage == Damage.GONE) {
                // Where the place of a row that is gone lies in a block that cannot be read.
                follows.add(FindingKind.UNREADABLE_ROWS);
            }
            return follows;
        }

        private Set<FindingKind> others() {
            return switch (place) {
                case DIRENT ->
                    damage == Damage.CUT
                            ? EnumSet.of(FindingKind.ORPHAN_METAFILE)
                            : EnumSet.of(FindingKind.WRONG_COUNTER);
                case INODE -> EnumSet.of(FindingKind.STRAY_INDEX, FindingKind.LEAKED_DATAFILE);
                case INDEX -> EnumSet.of(FindingKind.MISSING_INDEX);
                default -> EnumSet.noneOf(FindingKind.class);
            };
        }
    }

    /** One row or file of one cell. */
    private static final class Planted {
        private final Cell cell;
        private final String path;
        private final Handle object;
        private final Handle parent;
        private final Optional<Handle> datafile;
        private boolean found;

        Planted(Cell cell, String path, FileInfo info, Handle parent) {
            this.cell = cell;
            this.path = path;
            this.object = info.handle();
            this.parent = parent;
            this.datafile = info.layout().map(layout -> layout.datafiles().get(0));
        }

        /** "shard 0", "io-1". */
        String server() {
            return switch (cell.place()) {
                case LARGE, SMALL, CHUNKS, DATAFILE ->
                    "io-" + datafile.orElseThrow().owner();
                case DIRENT -> "shard " + parent.shard();
                default -> "shard " + object.shard();
            };
        }

        Table table() {
            return switch (cell.place()) {
                case LARGE, DATAFILE -> DatafileTables.DATAFILE;
                case SMALL -> DatafileTables.SMALL;
                case CHUNKS -> DatafileTables.CHUNKS;
                case DIRENT -> ShardTables.DIRENT;
                case INODE -> ShardTables.INODE;
                case PARTITION -> ShardTables.PARTITION;
                case INDEX -> ShardTables.DATAFILE;
                case XATTR_ROW -> ShardTables.XATTR;
            };
        }

        byte[] key() {
            return switch (cell.place()) {
                case LARGE, SMALL, DATAFILE, INDEX -> key(datafile.orElseThrow(), 0);
                case CHUNKS, PARTITION -> key(cell.place() == Place.CHUNKS ? datafile.orElseThrow() : object, 4);
                case DIRENT -> key(DirentKey.of(parent, path.substring(path.lastIndexOf('/') + 1)));
                case INODE -> key(object, 0);
                case XATTR_ROW -> {
                    byte[] name = XATTR.getBytes(StandardCharsets.UTF_8);
                    yield ByteBuffer.allocate(Long.BYTES + name.length)
                            .putLong(object.value())
                            .put(name)
                            .array();
                }
            };
        }

        private static byte[] key(DirentKey name) {
            byte[] text = name.name().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(2 * Long.BYTES + text.length)
                    .putLong(name.directory().value())
                    .putLong(name.hash())
                    .put(text)
                    .array();
        }

        private static byte[] key(Handle handle, int zeros) {
            return ByteBuffer.allocate(Long.BYTES + zeros)
                    .putLong(handle.value())
                    .array();
        }

        boolean is(Handle handle) {
            return !handle.isNone()
                    && (handle.equals(object)
                            || handle.equals(parent)
                            || datafile.filter(handle::equals).isPresent());
        }
    }

    private final Path data;
    private final Cluster cluster;
    private final List<Planted> planted = new ArrayList<>();

    ScrubTableTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(
                        data, 1, SHARDS, IO_SERVERS, Map.of(ConfirmDatafiles.AFTER.name(), FsckDamage.NEVER_CONFIRMED))
                .unchecked("rows of its stores cannot be read");
    }

    private static List<Cell> cells() {
        return Arrays.stream(Place.values())
                .flatMap(place -> place.damages().stream().map(damage -> new Cell(place, damage)))
                .toList();
    }

    @Test
    void eachDamageInEachPlaceIsFoundAndNothingElse() throws Exception {
        try (cluster) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                for (Cell cell : cells()) {
                    make(fs, cell);
                }
            }
            // First what the store can read: behind a row that it cannot, nobody can say that another one is not there.
            check(cell -> !cell.isOfStore());
            check(Cell::isOfStore);
            print();
            repairsTakeNothingThatCanBeRead();
        }
    }

    private void check(Predicate<Cell> cells) throws IOException {
        cluster.stop();
        Map<String, List<Planted>> byServer = new TreeMap<>();
        planted.stream()
                .filter(each -> cells.test(each.cell))
                .forEach(each -> byServer.computeIfAbsent(each.server(), unused -> new ArrayList<>())
                        .add(each));
        for (Map.Entry<String, List<Planted>> server : byServer.entrySet()) {
            plant(server.getKey(), server.getValue());
        }
        cluster.startAgain();
        JsonNode result = Fsck.run(cluster, Fsck.FOUND, "--scrub").get(0);
        assertThat(result.get("complete").asBoolean())
                .as("%s", result.get("problems"))
                .isTrue();
        List<String> strange = new ArrayList<>();
        result.get("findings").forEach(finding -> take(finding).ifPresent(strange::add));
        assertThat(planted.stream()
                        .filter(each -> cells.test(each.cell) && !each.found)
                        .map(each -> each.path))
                .isEmpty();
        assertThat(strange).isEmpty();
    }

    /** Without kinds: files of damaged blocks are as they were, and what is readable of them reads right. */
    private void repairsTakeNothingThatCanBeRead() throws IOException {
        JsonNode passes = Fsck.run(cluster, Fsck.FOUND, "--repair");
        JsonNode last = passes.get(passes.size() - 1);
        Set<String> left = new HashSet<>();
        last.get("findings").forEach(finding -> left.add(finding.get("kind").asText()));
        assertThat(left)
                .contains(FindingKind.UNREADABLE_ROWS.label(), FindingKind.MISSING_DATAFILE.label())
                .doesNotContain(FindingKind.ORPHAN_METAFILE.label(), FindingKind.LEAKED_DATAFILE.label());
        int read = 0;
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (Planted each : planted) {
                boolean isWhole = each.cell.place() == Place.INDEX || each.cell.place() == Place.XATTR_ROW;
                if (each.cell.isOfStore() && isWhole) {
                    read += isRead(fs, each.path) ? 1 : 0;
                }
            }
        }
        assertThat(read).isPositive();
    }

    private void print() {
        Map<Place, Map<Damage, String>> table = new LinkedHashMap<>();
        for (Cell cell : cells()) {
            long found = planted.stream()
                    .filter(each -> each.cell.equals(cell) && each.found)
                    .count();
            table.computeIfAbsent(cell.place(), unused -> new HashMap<>()).put(cell.damage(), EACH + ", " + found);
        }
        System.out.println("| planted, found in | flipped bit | cut | gone | unreadable block | changed |");
        System.out.println("|---|---|---|---|---|---|");
        table.forEach((place, row) -> System.out.printf(
                "| %s | %s |%n",
                place,
                String.join(
                        " | ",
                        Arrays.stream(Damage.values())
                                .map(damage -> row.getOrDefault(damage, "-"))
                                .toList())));
    }

    /** Notes what it tells of; answers what nobody planted. */
    private Optional<String> take(JsonNode finding) {
        String kind = finding.get("kind").asText();
        boolean known = false;
        for (Planted each : planted) {
            boolean isIt = isAbout(finding, each);
            if (isIt && kind.equals(each.cell.told().label())) {
                each.found = true;
                known = true;
            }
            known |= isIt && each.cell.follows().stream().anyMatch(follow -> kind.equals(follow.label()));
            known |= kind.equals(FindingKind.DAMAGED_FILE.label())
                    && each.cell.isOfStore()
                    && finding.get("server").asText().equals(each.server())
                    && finding.get("table").asText().equals(each.table().name());
        }
        return known ? Optional.empty() : Optional.of(finding.toString());
    }

    private static boolean isAbout(JsonNode finding, Planted planted) {
        String path = finding.get("path").asText();
        if (path.equals(planted.path)) {
            return true;
        }
        if (!finding.get("object").asText().isEmpty()
                || !finding.get("other").asText().isEmpty()) {
            return planted.is(handle(finding, "object")) || planted.is(handle(finding, "other"));
        }
        byte[] from = HexFormat.of().parseHex(finding.get("key").asText());
        byte[] until = HexFormat.of().parseHex(finding.get("until").asText());
        return finding.get("server").asText().equals(planted.server())
                && finding.get("table").asText().equals(planted.table().name())
                && Arrays.compareUnsigned(from, planted.key()) <= 0
                && (until.length == 0 || Arrays.compareUnsigned(planted.key(), until) < 0);
    }

    private static Handle handle(JsonNode finding, String field) {
        String text = finding.get(field).asText();
        return text.isEmpty() ? Handle.NONE : Handle.parse(text);
    }

    private void make(SteadFs fs, Cell cell) throws IOException {
        fs.mkdirs(FsPath.parse(cell.directory()), 0755, true, false);
        IntStream.range(0, EACH).parallel().forEach(i -> {
            try {
                make(fs, cell, cell.path(i));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Handle parent = fs.stat(FsPath.parse(cell.directory())).handle();
        for (int i = 0; i < EACH; i++) {
            FileInfo info =
                    cell.place() == Place.PARTITION ? fs.stat(FsPath.parse(cell.path(i))) : info(fs, cell.path(i));
            planted.add(new Planted(cell, cell.path(i), info, parent));
        }
    }

    private static FileInfo info(SteadFs fs, String path) throws IOException {
        try (var reader = fs.open(FsPath.parse(path))) {
            return reader.info();
        }
    }

    private static void make(SteadFs fs, Cell cell, String path) throws IOException {
        if (cell.place() == Place.PARTITION) {
            fs.mkdirs(FsPath.parse(path), 0755, true, false);
            return;
        }
        byte[] bytes = bytes(cell.place().isLarge() ? LARGE_BYTES : SMALL_BYTES);
        try (var out = fs.create(FsPath.parse(path), CreateOptions.DEFAULT.withLayout(1, 1 << 16))) {
            out.write(bytes, 0, bytes.length);
        }
        if (cell.place() == Place.XATTR_ROW) {
            fs.setXattr(FsPath.parse(path), XATTR, bytes(SMALL_BYTES), true, false);
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 'x');
        return bytes;
    }

    /** Else a directory on the way has a row beside one that cannot be read. */
    private static boolean isRead(SteadFs fs, String path) throws IOException {
        try {
            assertThat(read(fs, path)).as(path).isEqualTo(bytes(SMALL_BYTES));
            return true;
        } catch (FsException e) {
            assertThat(e).hasMessageContaining("cannot read");
            return false;
        }
    }

    private static byte[] read(SteadFs fs, String path) throws IOException {
        try (var reader = fs.open(FsPath.parse(path))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) reader.info().length());
            while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
                // A read may return less than asked for.
            }
            return bytes.array();
        }
    }

    private void plant(String server, List<Planted> here) throws IOException {
        boolean isShard = server.startsWith("shard ");
        Path directory = isShard
                ? data.resolve("mds-1").resolve(server.replace(' ', '-'))
                : StoredDatafiles.directory(data, ServerId.parse(server)).resolve("store");
        List<Table> tables = isShard ? ShardTables.ALL : DatafileTables.ALL;
        Map<Planted, byte[]> values = new HashMap<>();
        try (Store store = RocksStore.open(directory, tables, Settings.defaults());
                Overlay rows = store.overlay()) {
            for (Planted each : here) {
                if (each.cell.place() == Place.LARGE) {
                    damageFile(each);
                    continue;
                }
                byte[] value = store.committed().get(each.table(), each.key()).orElseThrow();
                values.put(each, value);
                switch (each.cell.damage()) {
                    case CUT -> rows.put(each.table(), each.key(), Arrays.copyOf(value, value.length / 2));
                    case GONE -> rows.delete(each.table(), each.key());
                    case CHANGED -> {
                        value[value.length / 2] ^= 1;
                        rows.put(each.table(), each.key(), value);
                    }
                    case FLIPPED, BLOCK -> {
                        // On the disk, below.
                    }
                }
            }
            store.commit(rows, true);
        }
        if (here.stream().noneMatch(each -> each.cell.isOfStore())) {
            return;
        }
        BlockDamage blocks = BlockDamage.rewrite(directory, tables);
        for (Planted each : here) {
            if (each.cell.isOfStore()) {
                byte[] value = Objects.requireNonNull(values.get(each));
                if (each.cell.damage() == Damage.FLIPPED) {
                    blocks.flip(each.table(), each.key(), value);
                } else {
                    blocks.spoil(each.table(), each.key(), value);
                }
            }
        }
    }

    private void damageFile(Planted each) throws IOException {
        Handle datafile = each.datafile.orElseThrow();
        Path directory = StoredDatafiles.directory(data, ServerId.io(datafile.owner()));
        Path file;
        try (Stream<Path> all = Files.walk(directory)) {
            file = all.filter(path -> path.endsWith(datafile.toString()))
                    .findAny()
                    .orElseThrow();
        }
        switch (each.cell.damage()) {
            case GONE -> Files.delete(file);
            case CUT -> {
                try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                    open.setLength(LARGE_BYTES / 2);
                }
            }
            default -> {
                try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                    open.seek(LARGE_BYTES / 2);
                    open.write('x' ^ 1);
                }
            }
        }
    }
}
