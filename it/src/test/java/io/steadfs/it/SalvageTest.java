package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Random damage of the stores of a cluster, one piece after another: each is salvaged, the servers start, every file none of whose rows
 * is told to be lost reads right, and checks with repair come to an end that finds nothing.
 */
class SalvageTest {
    private static final int ROUNDS = Integer.getInteger("stead.salvage.rounds", 3);
    private static final long SEED = Long.getLong("stead.seed", 1);
    private static final int SHARDS = 2;
    private static final int FILES = 40;
    private static final List<String> STORES = List.of("mds-1/shard-0", "io-1/store", "mds-1/shard-1", "io-2/store");
    private static final Pattern LOST = Pattern.compile(
            "cannot be read: (?:table (?<table>[a-z]+)|rows of a table that nobody knows), keys from (?<from>[0-9a-f]*)"
                    + " to before (?<to>[0-9a-f]*): .*");
    /** What a line of these tables tells besides keys. */
    private static final Map<String, String> PLACES = Map.of(
            "dirent", "; these are names of ",
            "inode", "; these are objects with handles from ",
            "datafile", "; these are datafiles with handles from ");

    private static final Pattern ROWS = Pattern.compile("[a-z]+ +\\d+ rows");

    private final Path data;
    private final Cluster cluster;
    private final Random random = new Random(SEED);
    private final Map<String, Made> files = new LinkedHashMap<>();

    /** A file as it was made. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Made(int round, FileInfo info, List<Handle> directories, List<String> names, byte[] content) {}

    /** Keys that a salvage tells as lost. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Lost(String table, byte[] from, byte[] to) {
        boolean has(String rows, byte[] key) {
            return (table.isEmpty() || table.equals(rows))
                    && Arrays.compareUnsigned(from, key) <= 0
                    && Arrays.compareUnsigned(key, to) < 0;
        }
    }

    /** What a salvage told. */
    private record Told(String store, List<Lost> lost, boolean logsDamaged, String text) {}

    SalvageTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(data, 1, SHARDS, 2, Map.of());
    }

    @Test
    void serversGoOnAfterRandomDamage() throws Exception {
        int untouched = 0;
        int doubtful = 0;
        int damagedFiles = 0;
        try (cluster) {
            for (int round = 0; round < ROUNDS; round++) {
                try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                    make(fs, round);
                }
                cluster.stop();
                for (String store : STORES) {
                    assertThat(run(0, "salvage", "--settled", server(store)))
                            .as("the check before settled all")
                            .doesNotContain("is settled");
                }
                // Each has its turn, of shards and IO servers by turns.
                String store = STORES.get(round % STORES.size());
                String damage = damage(data.resolve(store));
                Told told = told(store, run(0, "salvage", server(store)));
                cluster.startAgain();
                Map<String, Made> sure = new LinkedHashMap<>();
                for (Map.Entry<String, Made> each : files.entrySet()) {
                    if (!isDoubtful(each.getValue(), told, round)) {
                        sure.put(each.getKey(), each.getValue());
                    }
                }
                try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                    readAll(fs, sure, damage + ": " + told.text());
                }
                int found = fsck(round, damage, told);
                int before = files.size();
                try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                    readAll(fs, sure, "repaired, " + damage + ": " + told.text());
                    files.entrySet().removeIf(each -> !sure.containsKey(each.getKey()) && !reads(fs, each));
                }
                untouched += sure.size();
                doubtful += before - sure.size();
                damagedFiles += before - files.size();
                System.out.printf(
                        "round %d, %s: %s; %d ranges lost; %d files sure, %d of %d others read right; %d findings%n",
                        round,
                        store,
                        damage,
                        told.lost().size(),
                        sure.size(),
                        files.size() - sure.size(),
                        before - sure.size(),
                        found);
            }
        }
        System.out.printf(
                "%d rounds from seed %d: %d times a file untouched read right, %d times a file in doubt, %d of these lost%n",
                ROUNDS, SEED, untouched, doubtful, damagedFiles);
    }

    /** Data directory of the server that has the store. */
    private String server(String store) {
        return data.resolve(store.substring(0, store.indexOf('/'))).toString();
    }

    private void make(SteadFs fs, int round) throws IOException {
        String directory = "/round-" + round % 5 + "/" + round;
        fs.mkdirs(FsPath.parse(directory), 0755, true, false);
        for (int i = 0; i < FILES; i++) {
            String path = directory + "/" + i;
            byte[] content = new byte[i % 10 == 0 ? 150_000 : 1 + random.nextInt(3_000)];
            random.nextBytes(content);
            write(fs, path, content);
            if (i % 7 == 3) {
                fs.delete(FsPath.parse(path), false);
                continue;
            }
            if (i % 7 == 5) {
                write(fs, path, content);
            }
            List<Handle> directories = new ArrayList<>();
            List<String> names = List.of("round-" + round % 5, Integer.toString(round), Integer.toString(i));
            directories.add(Handle.ROOT);
            directories.add(fs.stat(FsPath.parse("/round-" + round % 5)).handle());
            directories.add(fs.stat(FsPath.parse(directory)).handle());
            try (var reader = fs.open(FsPath.parse(path))) {
                files.put(path, new Made(round, reader.info(), directories, names, content));
            }
        }
    }

    private static void write(SteadFs fs, String path, byte[] content) throws IOException {
        try (var out = fs.create(
                FsPath.parse(path), CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
            out.write(content, 0, content.length);
        }
    }

    private static void readAll(SteadFs fs, Map<String, Made> sure, String why) throws IOException {
        for (Map.Entry<String, Made> each : sure.entrySet()) {
            assertThat(read(fs, each.getKey()))
                    .as("%s after %s", each.getKey(), why)
                    .isEqualTo(each.getValue().content());
        }
    }

    private static boolean reads(SteadFs fs, Map.Entry<String, Made> file) {
        try {
            return Arrays.equals(read(fs, file.getKey()), file.getValue().content());
        } catch (IOException e) {
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

    /** Whether a row that the file needs is told to be lost, or to be of before. */
    private static boolean isDoubtful(Made file, Told told, int round) {
        if (told.logsDamaged() && file.round() == round) {
            return true;
        }
        List<Handle> datafiles = file.info().layout().orElseThrow().datafiles();
        if (told.store().startsWith("io-")) {
            int server = Integer.parseInt(told.store().substring(3, 4));
            return datafiles.stream()
                    .filter(each -> each.owner() == server)
                    .anyMatch(each -> isLost(told, "datafile", key(each, 0))
                            || isLost(told, "small", key(each, 0))
                            || isLost(told, "chunks", key(each, 4)));
        }
        int shard = Integer.parseInt(told.store().substring(told.store().length() - 1));
        List<Handle> way = file.directories();
        for (int i = 0; i < way.size(); i++) {
            boolean isHere = way.get(i).shard() == shard;
            if (isHere
                    && (isLost(told, "inode", key(way.get(i), 0))
                            || isLost(told, "partition", key(way.get(i), 4))
                            || isLost(
                                    told,
                                    "dirent",
                                    key(DirentKey.of(way.get(i), file.names().get(i)))))) {
                return true;
            }
        }
        return file.info().handle().shard() == shard
                && (isLost(told, "inode", key(file.info().handle(), 0))
                        || datafiles.stream().anyMatch(each -> isLost(told, "datafile", key(each, 0))));
    }

    private static boolean isLost(Told told, String table, byte[] key) {
        return told.lost().stream().anyMatch(each -> each.has(table, key));
    }

    private static byte[] key(Handle handle, int zeros) {
        return ByteBuffer.allocate(Long.BYTES + zeros).putLong(handle.value()).array();
    }

    private static byte[] key(DirentKey name) {
        byte[] text = name.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + text.length)
                .putLong(name.directory().value())
                .putLong(name.hash())
                .put(text)
                .array();
    }

    private static Told told(String store, String text) {
        List<Lost> lost = new ArrayList<>();
        boolean logs = false;
        for (String line : text.lines().toList()) {
            Matcher range = LOST.matcher(line);
            if (range.matches()) {
                String table = range.group("table");
                assertThat(line).contains(PLACES.getOrDefault(table == null ? "" : table, ""));
                lost.add(new Lost(
                        table == null ? "" : table,
                        HexFormat.of().parseHex(range.group("from")),
                        HexFormat.of().parseHex(range.group("to"))));
            } else if (!ROWS.matcher(line).matches()) {
                logs |= line.contains("log");
            }
        }
        return new Told(store, lost, logs, text);
    }

    /** Checks and repairs until nothing is found; answers how much was found first. */
    private int fsck(int round, String damage, Told told) throws IOException {
        int first = -1;
        JsonNode last = null;
        for (int i = 0; i < 4; i++) {
            StringWriter out = new StringWriter();
            CommandLine command =
                    Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
            int code = command.execute(
                    "fsck", "--uri", "stead://" + cluster.local().address(), "--scrub", "--repair", "all", "--json");
            JsonNode passes = new ObjectMapper().readTree(out.toString()).get("passes");
            last = passes.get(passes.size() - 1);
            first = first < 0 ? passes.get(0).get("findings").size() : first;
            if (code == 0) {
                return first;
            }
        }
        throw new AssertionError("round " + round + ", " + damage + ": " + told.text() + ": " + last);
    }

    private static String run(int code, String... arguments) {
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        assertThat(command.execute(arguments))
                .as("%s: %s", List.of(arguments), out)
                .isEqualTo(code);
        return out.toString();
    }

    /** One piece of damage; answers what it is. */
    private String damage(Path store) throws IOException {
        List<Path> tables = files(store, ".*\\.sst");
        Path file = tables.get(random.nextInt(tables.size()));
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                return flip(file);
            }
            case 3 -> {
                long offset = random.nextLong(Files.size(file) / 4096 + 1) * 4096;
                try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                    open.seek(offset);
                    open.write(new byte[(int) Math.min(4096, open.length() - offset)]);
                }
                return "4 KiB zeroed in " + file.getFileName();
            }
            case 4 -> {
                return cut(file);
            }
            case 5 -> {
                Files.delete(file);
                return "removed " + file.getFileName();
            }
            case 6 -> {
                Path manifest = files(store, "MANIFEST-.*").get(0);
                return random.nextBoolean() ? cut(manifest) : flip(manifest);
            }
            case 7 -> {
                Path current = store.resolve("CURRENT");
                if (random.nextBoolean()) {
                    Files.delete(current);
                    return "removed CURRENT";
                }
                return flip(current);
            }
            case 8 -> {
                List<Path> logs = files(store, ".*\\.log");
                return flip(logs.get(logs.size() - 1));
            }
            default -> {
                List<Path> options = files(store, "OPTIONS-.*");
                return flip(options.get(options.size() - 1));
            }
        }
    }

    private static List<Path> files(Path store, String name) throws IOException {
        try (Stream<Path> all = Files.list(store)) {
            return all.filter(file -> file.getFileName().toString().matches(name))
                    .sorted()
                    .toList();
        }
    }

    private String flip(Path file) throws IOException {
        long size = Files.size(file);
        long offset = size == 0 ? 0 : random.nextLong(size);
        if (size > 0) {
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                open.seek(offset);
                int before = open.read();
                open.seek(offset);
                open.write(before ^ (1 << random.nextInt(8)));
            }
        }
        return "a bit flipped in " + file.getFileName() + " at " + offset + " of " + size;
    }

    private String cut(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            long size = open.length();
            open.setLength(random.nextLong(size));
            return file.getFileName() + " cut to " + open.length() + " of " + size;
        }
    }
}
