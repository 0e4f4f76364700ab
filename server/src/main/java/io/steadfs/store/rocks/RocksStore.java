package io.steadfs.store.rocks;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.disk.DiskFailure;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.NoSpaceException;
import io.steadfs.store.Damage;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreFile;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link Store} in one RocksDB database with a write-ahead log. A commit is one write batch. A synced commit costs
 * one fsync of the log.
 *
 * <p>Each native object is freed exactly once. Every call passes the {@link Gate}. The set {@link #live} has every
 * object with native memory that callers hold. Whoever removes an object from this set frees the object. The method
 * {@link #close} shuts the gate, frees the objects that callers left open, and then frees the database.
 */
public final class RocksStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);
    public static final ConfigKey<Long> CACHE_BYTES = ConfigKey.number(
            "stead.store.cache.bytes",
            48L << 20,
            4L << 20,
            1L << 40,
            "bytes",
            "Memory of one store for blocks, indexes, filters and unflushed writes together.");

    public static final ConfigKey<Long> MEMTABLE_BYTES = ConfigKey.number(
            "stead.store.memtable.bytes",
            16L << 20,
            1L << 20,
            1L << 40,
            "bytes",
            "Part of stead.store.cache.bytes that unflushed writes may fill before they are flushed.");

    public static final ConfigKey<Long> COMMIT_DELAY = ConfigKey.number(
            "stead.store.commit.delay",
            0,
            0,
            1_000_000,
            "microseconds",
            "Time for which every synced commit of a store waits, after its sync; for measurements only, where it stands"
                    + " for a slower disk.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(CACHE_BYTES, MEMTABLE_BYTES, COMMIT_DELAY));

    private static final String DEFAULT_TABLE = new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8);

    /** An object with native memory. Whoever removes the object from the set {@link #live} frees the object. */
    interface Native {
        /** Frees the native memory. The caller is inside the gate, or the gate was shut. */
        void free();
    }

    final RocksDB database;
    final Gate gate;
    final Set<Native> live = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final RocksOptions options;
    private final Map<Table, ColumnFamilyHandle> handles;
    private final List<ColumnFamilyHandle> allHandles;
    private final CommittedView committed;
    /** The cache of rows; empty if every read asks RocksDB. */
    final Optional<RowCache> rows;

    /** Zeros at the end of the log; empty if no zeros are written there. */
    private final Optional<LogRoom> room;

    private final long commitDelayMicros;
    private final AtomicLong syncs = new AtomicLong();
    /** The failure of the first commit that failed; empty if no commit failed. */
    private volatile Optional<IOException> failure = Optional.empty();

    private RocksStore(
            Path directory,
            RocksOptions options,
            RocksDB database,
            Map<Table, ColumnFamilyHandle> handles,
            List<ColumnFamilyHandle> allHandles,
            Optional<RowCache> rows,
            Optional<LogRoom> room,
            long commitDelayMicros) {
        this.rows = rows;
        this.commitDelayMicros = commitDelayMicros;
        this.directory = directory;
        this.room = room;
        this.options = options;
        this.database = database;
        this.handles = Map.copyOf(handles);
        this.allHandles = List.copyOf(allHandles);
        this.gate = new Gate(toString());
        this.committed = new CommittedView(this, null, 0);
    }

    /**
     * Opens the store in a directory. A missing directory is made, and its name is durable before the first row is
     * stored.
     *
     * @param tables all tables that the owner uses. Missing tables are made
     * @throws IOException naming the directory, if it is in use, damaged or not writable, or has an unknown table
     */
    public static RocksStore open(Path directory, List<Table> tables, Settings settings) throws IOException {
        return open(directory, tables, settings, 0);
    }

    /**
     * Opens the store like {@link #open(Path, List, Settings)}, with a cache of rows. The owner must commit only one
     * overlay at a time.
     *
     * @param rowBytes the bytes of heap for rows that were read recently; 0 = no cache
     */
    public static RocksStore open(Path directory, List<Table> tables, Settings settings, long rowBytes)
            throws IOException {
        prepare(directory, tables);
        RocksOptions options = new RocksOptions(settings);
        return open(directory, tables, settings, rowBytes, Optional.empty(), options, options.table);
    }

    /**
     * Opens the store of a shard like {@link #open(Path, List, Settings, long)}. Its log has room for the next records
     * ({@link LogRoom}). Before RocksDB locks the store, an unfinished commit is cut off the log. So the caller must
     * hold the directory of the server.
     */
    public static RocksStore openShard(Path directory, List<Table> tables, Settings settings, long rowBytes)
            throws IOException {
        prepare(directory, tables);
        try {
            LogEnd.cutNewest(directory);
        } catch (IOException e) {
            throw new IOException("cannot open the store in " + directory + ": " + helped(e.getMessage()), e);
        }
        RocksOptions options = new RocksOptions(settings);
        Optional<LogRoom> room = Optional.of(new LogRoom(directory));
        return open(directory, tables, settings, rowBytes, room, options, options.table);
    }

    /**
     * Opens a store whose commits are synced in groups, like {@link #open(Path, List, Settings)}. Before RocksDB locks
     * the store, commits that a power loss has left with holes are cut off the log. So the caller must hold the
     * directory of the server.
     *
     * @param syncNoted bytes that are in the log behind each sync that the caller notes
     */
    public static RocksStore openGrouped(Path directory, List<Table> tables, Settings settings, byte[] syncNoted)
            throws IOException {
        prepare(directory, tables);
        try {
            LogEnd.cutHole(directory, syncNoted)
                    .ifPresent(cut -> LOG.warn(
                            "{}: {} was written and not synced before the power was lost, and is cut off",
                            directory,
                            cut));
        } catch (IOException e) {
            throw new IOException("cannot open the store in " + directory + ": " + helped(e.getMessage()), e);
        }
        return open(directory, tables, settings);
    }

    private static void prepare(Path directory, List<Table> tables) throws IOException {
        RocksLibrary.load();
        checkSalvaged(directory);
        DurableDirectories.make(directory);
        checkTables(directory, tables);
    }

    /** Opens a store for a salvage, which only reads. RocksDB rewrites no files in the background. */
    static RocksStore openToRead(Path directory, List<Table> tables, Settings settings, WALRecoveryMode mode)
            throws IOException {
        checkTables(directory, tables);
        RocksOptions options = new RocksOptions(settings);
        options.database.setWalRecoveryMode(mode);
        return open(directory, tables, settings, 0, Optional.empty(), options, options.withoutFilters());
    }

    private static RocksStore open(
            Path directory,
            List<Table> tables,
            Settings settings,
            long rowBytes,
            Optional<LogRoom> room,
            RocksOptions options,
            ColumnFamilyOptions ofTables)
            throws IOException {
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, ofTables));
        for (Table table : tables) {
            descriptors.add(new ColumnFamilyDescriptor(table.name().getBytes(StandardCharsets.UTF_8), ofTables));
        }
        List<ColumnFamilyHandle> opened = new ArrayList<>();
        RocksDB database;
        try {
            database = RocksDB.open(options.database, directory.toString(), descriptors, opened);
        } catch (RocksDBException e) {
            options.close();
            throw unopened(directory, e);
        }
        Map<Table, ColumnFamilyHandle> handles = new HashMap<>();
        for (int i = 0; i < tables.size(); i++) {
            handles.put(tables.get(i), opened.get(i + 1));
        }
        Optional<RowCache> rows = rowBytes == 0 ? Optional.empty() : Optional.of(new RowCache(rowBytes));
        return new RocksStore(directory, options, database, handles, opened, rows, room, settings.get(COMMIT_DELAY));
    }

    private static void checkSalvaged(Path directory) throws IOException {
        Optional<Path> interrupted = StoreSalvage.interrupted(directory);
        if (interrupted.isPresent()) {
            throw new IOException("the salvage of " + directory + " was interrupted before " + interrupted.get()
                    + " took its place: run bin/stead salvage again");
        }
    }

    /** Refuses a store with a table that this release does not know, because another release wrote the store. */
    private static void checkTables(Path directory, List<Table> tables) throws IOException {
        if (!Files.exists(directory.resolve("CURRENT"))) {
            checkEmpty(directory);
            return;
        }
        Set<String> unknown = new TreeSet<>();
        try (Options plain = new Options()) {
            for (byte[] name : RocksDB.listColumnFamilies(plain, directory.toString())) {
                unknown.add(new String(name, StandardCharsets.UTF_8));
            }
        } catch (RocksDBException e) {
            throw unopened(directory, e);
        }
        unknown.remove(DEFAULT_TABLE);
        tables.forEach(table -> unknown.remove(table.name()));
        if (!unknown.isEmpty()) {
            throw new IOException("store in " + directory + " has tables that this server does not know: " + unknown);
        }
    }

    /**
     * Refuses a directory that has files of a database but no file CURRENT. RocksDB would begin a new database there,
     * and would delete the old files as obsolete.
     */
    private static void checkEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "{*.sst,MANIFEST-*,*.log}")) {
            for (Path file : left) {
                throw new IOException("store in " + directory + " has " + file.getFileName()
                        + " and no file CURRENT: it was damaged; " + Damage.HELP);
            }
        }
    }

    private static IOException unopened(Path directory, RocksDBException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("/LOCK") || message.contains("lock hold by")) {
            return new IOException("data directory " + directory + " is in use by another server", e);
        }
        String text = "cannot open the store in " + directory + ": " + helped(message);
        return DiskFailure.isNoSpace(message) ? new NoSpaceException(text, e) : new IOException(text, e);
    }

    @Override
    public ReadView committed() {
        return committed;
    }

    @Override
    public Snapshot snapshot() {
        int lane = gate.enter();
        try {
            long since = rows.map(RowCache::moment).orElse(0L);
            return new CommittedView(this, database.getSnapshot(), since);
        } finally {
            gate.leave(lane);
        }
    }

    @Override
    public Snapshot glance() {
        return rows.isEmpty() ? snapshot() : new Glance(this, rows.get());
    }

    @Override
    public Overlay overlay() {
        int lane = gate.enter();
        try {
            return new Overlay(this, committed, this::checkUsable);
        } finally {
            gate.leave(lane);
        }
    }

    private void checkUsable(Table table) {
        gate.leave(gate.enter());
        handle(table);
    }

    /** {@inheritDoc} After a failed commit, this store refuses every later commit. */
    @Override
    public void commit(Overlay overlay, boolean sync) throws IOException {
        int lane = gate.enter();
        try {
            if (failure.isPresent()) {
                throw failed(
                        "an earlier commit failed, what the disk kept of it is unknown: "
                                + failure.get().getMessage(),
                        failure.get());
            }
            if (overlay.owner() != this) {
                throw new IllegalArgumentException("not an overlay of " + this + " but of " + overlay.owner());
            }
            // Zeros in the log tell an unfinished record from damage only if all records before it are durable.
            boolean synced = sync || (room.isPresent() && room.get().hasZeros());
            write(overlay, synced ? options.synced : options.unsynced);
            if (synced) {
                syncs.incrementAndGet();
                delay();
            }
        } catch (RocksDBException e) {
            IOException failed = failed("commit failed: " + helped(e.getMessage()), e);
            failure = Optional.of(failed);
            throw failed;
        } finally {
            gate.leave(lane);
        }
    }

    private void write(Overlay overlay, WriteOptions how) throws RocksDBException {
        try (WriteBatch batch = batchOf(overlay)) {
            if (room.isEmpty()) {
                write(overlay, batch, how);
                return;
            }
            // The log needs commits one after another. The owner commits in this way anyway.
            synchronized (room.get()) {
                write(overlay, batch, how);
                if (how == options.synced) {
                    room.get().committed(batch.getDataSize());
                }
            }
        }
    }

    private void write(Overlay overlay, WriteBatch batch, WriteOptions how) throws RocksDBException {
        if (rows.isEmpty()) {
            database.write(how, batch);
            return;
        }
        RowCache cache = rows.get();
        Map<RowKey, Optional<byte[]>> changes = new HashMap<>();
        overlay.forEach((table, key, value) -> changes.put(new RowKey(table, key), value));
        // The cache needs commits one after another too.
        synchronized (cache) {
            List<RowKey> here = cache.begin(changes.keySet());
            database.write(how, batch);
            cache.end(here, changes);
        }
    }

    private WriteBatch batchOf(Overlay overlay) {
        WriteBatch batch = new WriteBatch();
        overlay.forEach((table, key, value) -> {
            ColumnFamilyHandle handle = handle(table);
            try {
                if (value.isPresent()) {
                    batch.put(handle, key, value.get());
                } else {
                    batch.delete(handle, key);
                }
            } catch (RocksDBException e) {
                throw new IllegalStateException("table " + table.name() + ": cannot add to the batch", e);
            }
        });
        return batch;
    }

    /**
     * Reads a committed row from the cache, or from RocksDB into the cache. The caller is inside the gate. The array
     * belongs to the caller.
     *
     * @param moment a moment of the cache, not later than the state that the options name
     */
    Optional<byte[]> read(RowCache cache, Table table, byte[] key, ReadOptions how, long moment)
            throws RocksDBException {
        ColumnFamilyHandle handle = handle(table);
        RowKey place = new RowKey(table, key);
        byte[] present = cache.find(place, moment);
        if (present != null) {
            return Optional.of(present.clone());
        }
        byte[] value = database.get(handle, how, key);
        if (value == null) {
            return Optional.empty();
        }
        cache.offer(new RowKey(table, key.clone()), value, moment);
        return Optional.of(value.clone());
    }

    private void delay() {
        if (commitDelayMicros > 0) {
            try {
                TimeUnit.MICROSECONDS.sleep(commitDelayMicros);
            } catch (InterruptedException e) {
                // The commit is already done. So the thread only keeps its interrupt flag.
                Thread.currentThread().interrupt();
            }
        }
    }

    private IOException failed(String what, Exception cause) {
        return DiskFailure.isNoSpace(cause)
                ? new NoSpaceException(this + ": " + what, cause)
                : new IOException(this + ": " + what, cause);
    }

    /** The number of synced commits since the store was opened. Each synced commit costs an fsync. */
    public long syncs() {
        return syncs.get();
    }

    /**
     * Gauges by name: memory of the store, size of its files, and number of failures of its background work. The block
     * cache includes memtables, and blocks that iterators and snapshots pin.
     */
    public Map<String, Long> gauges() {
        int lane = gate.enter();
        try {
            Map<String, Long> gauges = new TreeMap<>();
            gauges.put("store.blockcache.bytes", property("rocksdb.block-cache-usage"));
            gauges.put("store.memtables.bytes", sum("rocksdb.cur-size-all-mem-tables"));
            gauges.put("store.tablereaders.bytes", sum("rocksdb.estimate-table-readers-mem"));
            gauges.put("store.files.bytes", sum("rocksdb.total-sst-files-size"));
            rows.ifPresent(cache -> gauges.put("store.rowcache.bytes", cache.bytes()));
            gauges.put("store.background.errors", property("rocksdb.background-errors"));
            return gauges;
        } catch (RocksDBException e) {
            throw new UncheckedIOException(new IOException(this + ": cannot be measured: " + e.getMessage(), e));
        } finally {
            gate.leave(lane);
        }
    }

    /**
     * Makes a copy of the present state in another directory of the same disk, while the store serves. Table files are hard
     * links, so the copy takes little space as long as the store has them too. Writes what is in memory to table files first.
     *
     * @param target must not exist
     * @throws IOException naming the store, if the copy cannot be made
     */
    public void checkpoint(Path target) throws IOException {
        int lane = gate.enter();
        try (Checkpoint checkpoint = Checkpoint.create(database)) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw failed("cannot be copied to " + target + ": " + helped(e.getMessage()), e);
        } finally {
            gate.leave(lane);
        }
    }

    @Override
    public List<StoreFile> files() {
        int lane = gate.enter();
        try {
            return database.getLiveFilesMetaData().stream()
                    .map(file -> new StoreFile(
                            file.fileName().replace("/", ""),
                            new String(file.columnFamilyName(), StandardCharsets.UTF_8),
                            file.smallestKey(),
                            file.largestKey(),
                            file.size(),
                            ""))
                    .sorted(Comparator.comparing(StoreFile::name))
                    .toList();
        } finally {
            gate.leave(lane);
        }
    }

    /**
     * {@inheritDoc} This method runs mostly outside the gate, because it takes long and its reads do not use the
     * database.
     */
    @Override
    public Optional<StoreFile> damageOf(StoreFile file) {
        Optional<String> wrong = SoundTableFile.whatIsWrong(directory.resolve(file.name()));
        boolean isNeeded = wrong.isPresent()
                && files().stream().anyMatch(each -> each.name().equals(file.name()));
        return isNeeded ? Optional.of(file.with(wrong.get())) : Optional.empty();
    }

    /**
     * The approximate number of rows in a table, as RocksDB estimates it. A changed row may count twice until RocksDB
     * merges its files.
     */
    public long rowsAbout(Table table) {
        int lane = gate.enter();
        try {
            return database.getLongProperty(handle(table), "rocksdb.estimate-num-keys");
        } catch (RocksDBException e) {
            throw new UncheckedIOException(new IOException(this + ": cannot be measured: " + e.getMessage(), e));
        } finally {
            gate.leave(lane);
        }
    }

    /** A property of the whole database. */
    private long property(String name) throws RocksDBException {
        return database.getLongProperty(name);
    }

    /** The sum of a property over all tables. */
    private long sum(String name) throws RocksDBException {
        return database.getAggregatedLongProperty(name);
    }

    /** Waits for calls in progress and frees everything. Later calls throw {@code StoreClosedException}. */
    @Override
    public void close() {
        if (!gate.shut()) {
            return;
        }
        live.forEach(this::freeOnce);
        try {
            // A clean stop also keeps changes that were committed without a sync.
            database.syncWal();
        } catch (RocksDBException e) {
            throw new UncheckedIOException(new IOException(this + ": cannot sync at close: " + e.getMessage(), e));
        } finally {
            room.ifPresent(LogRoom::close);
            allHandles.forEach(ColumnFamilyHandle::close);
            database.close();
            options.close();
        }
    }

    @Override
    public String toString() {
        return "store in " + directory;
    }

    ColumnFamilyHandle handle(Table table) {
        ColumnFamilyHandle handle = handles.get(table);
        if (handle == null) {
            throw new IllegalArgumentException(this + " was opened without table " + table.name());
        }
        return handle;
    }

    /** Frees the object if it is not freed yet. After {@link #close} this method does nothing. */
    void closeOnce(Native nativeObject) {
        int lane = gate.tryEnter();
        if (lane < 0) {
            return;
        }
        try {
            freeOnce(nativeObject);
        } finally {
            gate.leave(lane);
        }
    }

    /** Frees the native memory. The caller is inside the gate, or the gate was shut. */
    void freeOnce(Native nativeObject) {
        if (live.remove(nativeObject)) {
            nativeObject.free();
        }
    }

    UncheckedIOException unreadable(Table table, RocksDBException e) {
        return new UncheckedIOException(
                new IOException(this + ", table " + table.name() + ": cannot read: " + helped(e.getMessage()), e));
    }

    /** RocksDB's message, which names the file. If a file is damaged, the text also says what the operator can do. */
    private static String helped(@Nullable String message) {
        String text = String.valueOf(message);
        return Damage.isCorruption(text) ? text + "; " + Damage.HELP : text;
    }

    static void closeNative(AutoCloseable nativeObject) {
        try {
            nativeObject.close();
        } catch (Exception e) {
            throw new IllegalStateException("a native object refuses to be freed", e);
        }
    }
}
