package io.steadfs.store.rocks;

import io.steadfs.config.Settings;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.store.Damage;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.SurvivingRows;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies all readable rows of a closed store into a new store, and puts the new store in place of the old one:
 *
 * <pre>
 *  directory/                        before    step 1            step 2    step 3
 *    shard-0/                        damaged   damaged           -         new
 *    shard-0.salvage-part/                     being written
 *    shard-0.salvage/                          new, synced       new       -
 *    shard-0.damaged-1/                                          damaged   damaged
 * </pre>
 *
 * <p>Each step is one rename, which is durable before the next step. An interrupted salvage is run again. If
 * shard-0.salvage exists, it is complete, and only the renames are left. If it does not exist, the new run begins from
 * the beginning. No server opens a store whose salvage was interrupted. So the damaged store is never changed, and at
 * least one of the two stores always exists.
 *
 * <p><b>Which version of a row is taken.</b> The salvage first reads the rows as RocksDB does, from all files together.
 * If a block cannot be read, there is a gap between the row before the block and the row behind it. The salvage reads
 * this gap from a second view, without the damaged files. A row from the second view may be older than a change that is
 * lost with the block. A row that a lost change deleted is there again. The report has the number of rows from the
 * second view.
 *
 * <p>The salvage keeps rows of the second view for three reasons. The lost changes concern only a few rows of the
 * second view. No handle is ever used twice. A check of the file system finds contradictions between rows. But if a row
 * counts numbers that are given out only once, an older value of the row is dangerous. So code that knows the tables
 * corrects such rows ({@link Fixing}).
 *
 * <p>The salvage skips damaged changes in a write-ahead log, and reports them.
 */
public final class StoreSalvage {
    private static final String PART = ".salvage-part";
    private static final String READY = ".salvage";
    private static final String DAMAGED = ".damaged-";
    /** In a store's exception, this text comes before RocksDB's message. */
    private static final String READ = "cannot read: ";

    private static final int BATCH_ROWS = 10_000;
    private static final int BATCH_BYTES = 4 << 20;
    private static final byte[] END = end();

    private final Path store;
    private final List<Table> tables;
    private final Settings settings;
    private final SalvageReport report = new SalvageReport();

    private static byte[] end() {
        byte[] end = new byte[1 << 10];
        Arrays.fill(end, (byte) 0xff);
        return end;
    }

    /** Corrects rows that must never have an older value, and reports which objects the lost rows are about. */
    public interface Fixing {
        /**
         * @param rows the rows of the new store, and the place for corrections
         * @throws IOException if the corrections fail. The salvage ends with the exception, and the old store stays
         */
        void fix(Overlay rows, SalvageReport report) throws IOException;
    }

    /**
     * Receives the report before the new store takes the place of the old store. If this method throws, the salvage
     * ends and the old store stays.
     */
    public interface Told {
        void tell(SalvageReport report) throws IOException;
    }

    private StoreSalvage(Path store, List<Table> tables, Settings settings) {
        this.store = store;
        this.tables = tables;
        this.settings = settings;
    }

    /**
     * Salvages a store that no server has open.
     *
     * @return the new place of the damaged store; empty if the store is not damaged and stays in its place
     * @throws IOException if there is no store, or the disk refuses. A failed salvage loses no data
     */
    public static Optional<Path> run(Path store, List<Table> tables, Settings settings, Fixing fixing, Told told)
            throws IOException {
        return new StoreSalvage(store, tables, settings).run(fixing, told);
    }

    /** Whether there is a store with this name, or an interrupted salvage of the store. */
    public static boolean isOne(Path store) {
        return Files.isDirectory(store) || Files.isDirectory(sibling(store, READY));
    }

    /**
     * The directory of an interrupted salvage of the store; empty if there is none. While this directory exists, nobody
     * may use the store.
     */
    public static Optional<Path> interrupted(Path store) {
        return Optional.of(sibling(store, READY)).filter(Files::isDirectory);
    }

    private static Path sibling(Path store, String ending) {
        return store.resolveSibling(store.getFileName() + ending);
    }

    private Optional<Path> run(Fixing fixing, Told told) throws IOException {
        Path ready = sibling(store, READY);
        Path part = sibling(store, PART);
        remove(part);
        if (!Files.isDirectory(ready)) {
            if (!Files.isDirectory(store)) {
                throw new IOException("there is no store in " + store);
            }
            Path made = make(part, fixing);
            told.tell(report);
            if (report.isSound()) {
                remove(part);
                return Optional.empty();
            }
            move(made, ready);
        }
        Path damaged = damaged();
        if (Files.isDirectory(store)) {
            damaged = sibling(store, DAMAGED + (number(damaged) + 1));
            move(store, damaged);
        }
        move(ready, store);
        remove(part);
        return Optional.of(damaged);
    }

    /** The newest damaged store that a salvage put aside. If there is no such store, the result has the number 0. */
    private Path damaged() {
        int number = 0;
        while (Files.exists(sibling(store, DAMAGED + (number + 1)))) {
            number++;
        }
        return sibling(store, DAMAGED + number);
    }

    private static int number(Path damaged) {
        String name = damaged.getFileName().toString();
        return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        DurableDirectories.sync(Objects.requireNonNull(to.toAbsolutePath().getParent()));
    }

    static void remove(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private Path make(Path part, Fixing fixing) throws IOException {
        Path made = part.resolve("new");
        DurableDirectories.make(part);
        try (DamagedStore damaged = DamagedStore.open(store, part, tables, settings, report);
                RocksStore out = RocksStore.open(made, tables, settings)) {
            for (Table table : tables) {
                copy(damaged, table, out);
            }
            try (Overlay rows = out.overlay()) {
                if (!report.isSound()) {
                    fixing.fix(rows, report);
                }
                out.commit(rows, true);
            }
        }
        // When RocksDB opens the store again, it writes the rows of the log into table files.
        RocksStore.open(made, tables, settings).close();
        return made;
    }

    private void copy(DamagedStore damaged, Table table, RocksStore out) throws IOException {
        Copied copied = new Copied(table, out);
        try {
            SurvivingRows.visit(damaged.all(), table, new byte[0], END, new SurvivingRows.Visitor() {
                @Override
                public boolean row(byte[] key, byte[] value) {
                    return copied.put(key, value);
                }

                @Override
                public boolean gap(SurvivingRows.Gap gap) {
                    long before = copied.rows;
                    damaged.withoutDamaged()
                            .ifPresent(sound -> SurvivingRows.visit(
                                    sound, table, gap.from(), gap.to(), new SurvivingRows.Visitor() {
                                        @Override
                                        public boolean row(byte[] key, byte[] value) {
                                            return copied.put(key, value);
                                        }

                                        @Override
                                        public boolean gap(SurvivingRows.Gap below) {
                                            return true;
                                        }
                                    }));
                    report.lost(new SalvageReport.Lost(
                            table.name(), gap.from(), gap.to(), inWords(gap.why()), copied.rows - before));
                    return true;
                }
            });
            copied.commit();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
        report.read(table.name(), copied.rows);
    }

    /** RocksDB's message without paths of the salvage's own files. */
    private String inWords(String why) {
        String said = why.substring(Math.max(0, why.indexOf(READ)))
                .replaceFirst(Pattern.quote(READ), "")
                .replace("; " + Damage.HELP, "");
        return said.replaceAll(Pattern.quote(sibling(store, PART).toString()) + "/[a-z]+/", "file ");
    }

    /** Copies rows into the new store, in batches. */
    private static final class Copied {
        private final Table table;
        private final Store out;
        private Overlay batch;
        private long rows;
        private int inBatch;
        private long bytes;

        Copied(Table table, Store out) {
            this.table = table;
            this.out = out;
            this.batch = out.overlay();
        }

        boolean put(byte[] key, byte[] value) {
            batch.put(table, key, value);
            rows++;
            inBatch++;
            bytes += key.length + value.length;
            if (inBatch == BATCH_ROWS || bytes >= BATCH_BYTES) {
                commit();
            }
            return true;
        }

        void commit() {
            try {
                out.commit(batch, false);
            } catch (IOException e) {
                throw new WriteFailedException(e);
            }
            batch.close();
            batch = out.overlay();
            inBatch = 0;
            bytes = 0;
        }
    }

    /** Says that a write to the new store failed. A failed write is no damage of the old store. */
    private static final class WriteFailedException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        WriteFailedException(IOException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
