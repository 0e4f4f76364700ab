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
 * Rewrites all that can be read of a store that is not open into a new one, and puts that in its place:
 *
 * <pre>
 *  directory/                        before    step 1            step 2    step 3
 *    shard-0/                        damaged   damaged           -         new
 *    shard-0.salvage-part/                     being written
 *    shard-0.salvage/                          new, synced       new       -
 *    shard-0.damaged-1/                                          damaged   damaged
 * </pre>
 *
 * <p>Each step is one rename, durable before the next. A salvage that was interrupted is run again: where shard-0.salvage is there it is whole, and
 * only the renames are left; else all is begun anew. No server opens a store beside which there is one. So the damaged store is never changed, and one
 * of the two is always there.
 *
 * <p><b>Which version of a row is taken.</b> The rows are read as RocksDB reads them, from all files together; where a block cannot be read, nothing is
 * taken from any file between its neighbours in that view. In such a gap a second view, without the damaged files, is read: its rows may be of before
 * a change that is lost with the block, and a row that was deleted by such a change is there again. They are counted and told. This is
 * better than to drop them: most rows below a damaged block were never changed by it, no handle is used twice, and what does not fit together
 * a check finds. What must never be of before, numbers that are given out once, is for whoever knows the tables ({@link Fixing}).
 *
 * <p>Changes of a write-ahead log that are damaged are passed over, and told.
 */
public final class StoreSalvage {
    private static final String PART = ".salvage-part";
    private static final String READY = ".salvage";
    private static final String DAMAGED = ".damaged-";
    /** Behind it an exception of a store has RocksDB's words. */
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

    /** Makes right what must not be as an older row has it, and tells what lost rows are about. */
    public interface Fixing {
        /** @param rows of the new store; what it changes is committed with them */
        void fix(Overlay rows, SalvageReport report);
    }

    /** Told what a salvage came to, before anything takes the old store's place; what it throws ends the salvage, and the old one stays. */
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
     * @return where the damaged one is now; empty where nothing of it was damaged, and it stays
     * @throws IOException if there is none, or the disk refuses; whatever was there is still there
     */
    public static Optional<Path> run(Path store, List<Table> tables, Settings settings, Fixing fixing, Told told)
            throws IOException {
        return new StoreSalvage(store, tables, settings).run(fixing, told);
    }

    /** Whether there is one of that name, be its salvage interrupted. */
    public static boolean isOne(Path store) {
        return Files.isDirectory(store) || Files.isDirectory(sibling(store, READY));
    }

    /** The salvage of a store that was interrupted, so that the store beside it is not to be used. */
    static Optional<Path> interrupted(Path store) {
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

    /** The newest one that was put aside; number 0 where there is none. */
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
        // Opened again, it writes what is in its log to files of its own.
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

    /** What RocksDB says, as it is for whoever has the damaged store. */
    private String inWords(String why) {
        String said = why.substring(Math.max(0, why.indexOf(READ)))
                .replaceFirst(Pattern.quote(READ), "")
                .replace("; " + Damage.HELP, "");
        return said.replaceAll(Pattern.quote(sibling(store, PART).toString()) + "/[a-z]+/", "file ");
    }

    /** Rows on their way into the new store. */
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

    /** The new store refused: no damage of the old one. */
    private static final class WriteFailedException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        WriteFailedException(IOException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }
}
