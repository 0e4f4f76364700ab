package io.steadfs.store.rocks;

import io.steadfs.config.Settings;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.TableProperties;
import org.rocksdb.WALRecoveryMode;

/**
 * Opens a store with damaged files and reads as much as possible. The store's own files are never changed. RocksDB
 * works on links to the files of rows, which RocksDB never changes, and on copies of all other files.
 *
 * <pre>
 *  MANIFEST sound    the files that it lists; edits in the copy remove files that cannot be opened
 *  otherwise         all files of rows in the directory; a new MANIFEST lists them
 *  CURRENT, OPTIONS  made anew
 *  logs              replayed by RocksDB, without damaged changes; copies without an unfinished last commit
 * </pre>
 *
 * <p>A new MANIFEST also lists obsolete files that RocksDB had not deleted yet. Rows of an obsolete file have lower
 * sequence numbers than the rows that replaced them, so readers do not see them. A deleted row is an exception. If
 * RocksDB has already dropped the deletion mark of the row, readers see the row again.
 */
final class DamagedStore implements AutoCloseable {
    private static final Pattern FILE = Pattern.compile("(?<number>\\d{1,18})\\.(?<kind>sst|log)");
    private static final Pattern MANIFEST = Pattern.compile("MANIFEST-(?<number>\\d{1,18})");
    private static final String LOG = "log ";
    private static final long ANY_SEQUENCE = 1L << 55;
    private static final byte[] NO_KEY = {};
    private static final byte[] BEHIND_KEYS = behindKeys();

    private final Path store;
    private final Path scratch;
    private final List<Table> tables;
    private final Settings settings;
    private final SalvageReport report;
    private final Map<Long, Manifest.LiveFile> files = new TreeMap<>();
    private final List<Manifest.LiveFile> unopened = new ArrayList<>();
    private final List<Manifest.LiveFile> partly = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final Map<Integer, String> names = new TreeMap<>();
    private Optional<byte[]> manifest = Optional.empty();
    private long greatest;
    private Optional<RocksStore> all = Optional.empty();
    private Optional<RocksStore> sound = Optional.empty();

    private static byte[] behindKeys() {
        byte[] key = new byte[64];
        Arrays.fill(key, (byte) 0xff);
        return key;
    }

    private DamagedStore(Path store, Path scratch, List<Table> tables, Settings settings, SalvageReport report) {
        this.store = store;
        this.scratch = scratch;
        this.tables = tables;
        this.settings = settings;
        this.report = report;
    }

    /**
     * Opens the readable part of the store.
     *
     * @param scratch a directory on the same disk for links and copies. The caller removes this directory
     * @param report receives the files and logs that cannot be read
     * @throws IOException if RocksDB cannot open even the readable part
     */
    static DamagedStore open(Path store, Path scratch, List<Table> tables, Settings settings, SalvageReport report)
            throws IOException {
        DamagedStore damaged = new DamagedStore(store, scratch, tables, settings, report);
        damaged.look();
        damaged.all = Optional.of(damaged.view("all", damaged.unopened));
        return damaged;
    }

    /** The rows of all files that can be opened. */
    ReadView all() {
        return all.orElseThrow().committed();
    }

    /** The rows of all undamaged files; empty if no file that can be opened is damaged. */
    Optional<ReadView> withoutDamaged() {
        if (partly.isEmpty()) {
            return Optional.empty();
        }
        if (sound.isEmpty()) {
            List<Manifest.LiveFile> left = new ArrayList<>(unopened);
            left.addAll(partly);
            try {
                sound = Optional.of(view("sound", left));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sound.map(RocksStore::committed);
    }

    private void look() throws IOException {
        RocksLibrary.load();
        Map<Long, Path> rows = new TreeMap<>();
        SortedMap<Long, Path> manifests = new TreeMap<>();
        try (Stream<Path> list = Files.list(store)) {
            for (Path each : list.sorted().toList()) {
                Matcher file = FILE.matcher(each.getFileName().toString());
                Matcher edits = MANIFEST.matcher(each.getFileName().toString());
                if (file.matches()) {
                    long number = Long.parseLong(file.group("number"));
                    greatest = Math.max(greatest, number);
                    if (file.group("kind").equals("sst")) {
                        rows.put(number, each);
                    } else {
                        logs.add(each);
                    }
                } else if (edits.matches()) {
                    greatest = Math.max(greatest, Long.parseLong(edits.group("number")));
                    manifests.put(Long.parseLong(edits.group("number")), each);
                }
            }
        }
        checkLogs();
        Optional<Path> named = current(manifests);
        Manifest read = named.isPresent() ? Manifest.read(Files.readAllBytes(named.get())) : Manifest.read(new byte[0]);
        if (read.damage().isEmpty()) {
            manifest = Optional.of(Files.readAllBytes(named.orElseThrow()));
            read.files().forEach(file -> files.put(file.number, file));
        } else {
            report.note((named.isPresent() ? named.get().getFileName() : "MANIFEST") + " cannot be read ("
                    + read.damage().get(0)
                    + "): all files of rows were taken; a row that was deleted before may be there again");
            names(read);
            for (Map.Entry<Long, Path> each : rows.entrySet()) {
                taken(each.getKey(), each.getValue());
            }
        }
        names.putAll(read.damage().isEmpty() ? read.tables() : Map.of());
        files.values().forEach(file -> examine(file, rows.get(file.number)));
    }

    /**
     * The MANIFEST that the file CURRENT names. If CURRENT names no MANIFEST, the result is the one with the greatest
     * number.
     */
    private Optional<Path> current(SortedMap<Long, Path> manifests) throws IOException {
        Path current = store.resolve("CURRENT");
        String name = Files.exists(current) ? new String(Files.readAllBytes(current), StandardCharsets.ISO_8859_1) : "";
        Optional<Path> named = manifests.values().stream()
                .filter(each -> name.equals(each.getFileName() + "\n"))
                .findAny();
        if (named.isEmpty()) {
            report.note("CURRENT names no MANIFEST: the newest was taken");
            return manifests.values().stream().reduce((older, newer) -> newer);
        }
        return named;
    }

    /**
     * Finds the name that belongs to the number of each table. Readable edits give names. Tables without a readable
     * edit are numbered in the order in which a store makes its tables.
     */
    private void names(Manifest read) {
        names.put(0, "default");
        for (int i = 0; i < tables.size(); i++) {
            names.put(i + 1, tables.get(i).name());
        }
        read.tables().forEach((number, name) -> {
            names.values().remove(name);
            names.put(number, name);
        });
    }

    /** Adds a file of rows, with the table that the file itself names. */
    private void taken(long number, Path path) throws IOException {
        try (Options plain = new Options();
                SstFileReader reader = new SstFileReader(plain)) {
            reader.open(path.toString());
            TableProperties properties = reader.getTableProperties();
            int table = (int) properties.getColumnFamilyId();
            String name = new String(properties.getColumnFamilyName(), StandardCharsets.UTF_8);
            names.values().remove(name);
            names.put(table, name);
            files.put(number, new Manifest.LiveFile(table, 0, number, Files.size(path), NO_KEY, BEHIND_KEYS));
        } catch (RocksDBException e) {
            report.lost(new SalvageReport.Lost(
                    "",
                    NO_KEY,
                    BEHIND_KEYS,
                    "nothing of file " + path.getFileName() + " can be read: " + e.getMessage(),
                    0));
        }
    }

    private void examine(Manifest.LiveFile file, @Nullable Path path) {
        if (path == null) {
            lose(file, "file " + name(file) + " is not there");
            return;
        }
        try (Options plain = new Options();
                SstFileReader reader = new SstFileReader(plain)) {
            if (Files.size(path) != file.bytes) {
                lose(file, "file " + name(file) + " has " + Files.size(path) + " bytes, not " + file.bytes);
                return;
            }
            reader.open(path.toString());
            if (SoundTableFile.whatIsWrong(path).isPresent()) {
                partly.add(file);
                // The damaged part may have no row; it may be a filter, for example. Then no row is lost, but a server
                // still cannot open the file.
                report.note("file " + name(file) + " is not what was written: its rows are written anew");
            }
        } catch (RocksDBException | IOException e) {
            lose(file, "nothing of file " + name(file) + " can be read: " + e.getMessage());
        }
    }

    private void lose(Manifest.LiveFile file, String why) {
        unopened.add(file);
        report.lost(new SalvageReport.Lost(
                names.getOrDefault(file.table, ""),
                file.first,
                Arrays.copyOf(file.last, file.last.length + 1),
                why + "; rows of other files with such keys may be of before a change that is lost",
                0));
    }

    private static String name(Manifest.LiveFile file) {
        return String.format(Locale.ROOT, "%06d.sst", file.number);
    }

    /** Reports damaged logs, because RocksDB skips damaged changes without a message. */
    private void checkLogs() throws IOException {
        for (Path log : logs) {
            List<String> damage = LogFile.read(withoutUnfinished(log), record -> {});
            // After a crash, the last record of a log is often incomplete. Nothing in that record was acknowledged as
            // durable.
            if (damage.size() > 1 || (damage.size() == 1 && !damage.get(0).contains("not whole"))) {
                report.note(LOG + log.getFileName() + " is damaged: " + damage.get(0) + ": changes there are lost");
            }
        }
    }

    /** The log without an unfinished commit at its end, and without zeros. A damaged log as it is. */
    private static byte[] withoutUnfinished(Path log) throws IOException {
        byte[] file = Files.readAllBytes(log);
        return Arrays.copyOf(file, (int) LogEnd.of(log).orElse(file.length));
    }

    private RocksStore view(String name, List<Manifest.LiveFile> without) throws IOException {
        Path directory = scratch.resolve(name);
        DurableDirectories.make(directory);
        Map<Long, Manifest.LiveFile> left = new HashMap<>(files);
        without.forEach(file -> left.remove(file.number));
        for (Manifest.LiveFile file : left.values()) {
            Files.createLink(directory.resolve(name(file)), store.resolve(name(file)));
        }
        for (Path log : logs) {
            Files.write(directory.resolve(log.getFileName()), withoutUnfinished(log));
        }
        String edits = String.format(Locale.ROOT, "MANIFEST-%06d", greatest + 1);
        Files.write(directory.resolve(edits), manifest(left, without));
        Files.writeString(directory.resolve("CURRENT"), edits + "\n");
        try {
            return RocksStore.openToRead(directory, tables, settings, WALRecoveryMode.TolerateCorruptedTailRecords);
        } catch (IOException e) {
            if (report.notes().stream().noneMatch(note -> note.startsWith(LOG))) {
                throw e;
            }
            return RocksStore.openToRead(directory, tables, settings, WALRecoveryMode.SkipAnyCorruptedRecords);
        }
    }

    private byte[] manifest(Map<Long, Manifest.LiveFile> left, List<Manifest.LiveFile> without) {
        if (manifest.isEmpty()) {
            return Manifest.made(names, left, greatest + 2, ANY_SEQUENCE);
        }
        byte[] bytes = manifest.get();
        for (Manifest.LiveFile file : without) {
            byte[] edit = LogFile.appended(bytes.length, Manifest.without(file));
            int at = bytes.length;
            bytes = Arrays.copyOf(bytes, at + edit.length);
            System.arraycopy(edit, 0, bytes, at, edit.length);
        }
        return bytes;
    }

    @Override
    public void close() {
        sound.ifPresent(RocksStore::close);
        all.ifPresent(RocksStore::close);
    }
}
