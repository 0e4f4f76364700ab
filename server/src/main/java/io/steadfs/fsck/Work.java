package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the results of a check in a separate store. So the results may be larger than memory, and an interrupted check
 * continues where it stopped. One commit has both the results of a stage and the progress of the stage. Commits are not
 * synced, so after a loss of power a check may have to begin anew.
 */
public final class Work implements AutoCloseable {
    private static final byte[] END = Prefixes.endOfAll();
    private static final String CHECKED = "checked";
    private static final String COMPLETE = "complete";

    private final Store store;

    /** The tables that the store of a check needs. */
    public static List<Table> tables() {
        return WorkTables.ALL;
    }

    /** @param store must have {@link #tables()}; {@link #close} also closes this store */
    public Work(Store store) {
        this.store = store;
    }

    /**
     * Opens the work in a directory. A missing directory is made.
     *
     * @throws IOException if another check uses the directory, if the directory is not writable, or if it has other
     *     content; the message names the directory
     */
    public static Work open(Path directory) throws IOException {
        return new Work(RocksStore.open(directory, WorkTables.ALL, Settings.defaults()));
    }

    /**
     * Records which file system the check is about.
     *
     * @throws IOException if the work is about another file system, or about another number of shards
     */
    void begin(String fileSystem, int shards) throws IOException {
        String checked = "file system " + fileSystem + " of " + shards + " shards, as of format 4";
        Optional<String> before = progress(CHECKED).map(value -> new String(value, StandardCharsets.UTF_8));
        if (before.filter(other -> !other.equals(checked)).isPresent()) {
            throw new IOException(
                    "the work of the check in " + store + " is of " + before.get() + ", this is " + checked);
        }
        try (WorkBatch batch = batch()) {
            batch.progress(CHECKED, checked.getBytes(StandardCharsets.UTF_8));
            batch.commit();
        }
    }

    /** Records whether the check has looked at everything. */
    void end(boolean isComplete) throws IOException {
        try (WorkBatch batch = batch()) {
            batch.progress(COMPLETE, new byte[] {(byte) (isComplete ? 1 : 0)});
            batch.commit();
        }
    }

    /** Whether the check has looked at everything, so that what was not found is not there. */
    boolean isComplete() {
        return progress(COMPLETE).filter(value -> value[0] == 1).isPresent();
    }

    WorkBatch batch() {
        return new WorkBatch(store);
    }

    /** The committed state. A scan of this view may also return changes that are committed during the scan. */
    ReadView committed() {
        return store.committed();
    }

    Optional<byte[]> progress(String of) {
        return store.committed().get(WorkTables.PROGRESS, of.getBytes(StandardCharsets.UTF_8));
    }

    ReadView.Cursor scan(Table table, byte[] from) {
        return store.committed().scan(table, from, END);
    }

    boolean isEmpty(Table table) {
        try (ReadView.Cursor cursor = scan(table, new byte[0])) {
            return !cursor.next();
        }
    }

    /** The number of findings of each kind. A kind without findings has the number 0. */
    public Map<FindingKind, Long> counts() {
        Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
        for (FindingKind kind : FindingKind.values()) {
            counts.put(kind, 0L);
        }
        try (ReadView.Cursor cursor = scan(WorkTables.FINDING, new byte[0])) {
            while (cursor.next()) {
                counts.merge(Finding.of(cursor.value()).kind(), 1L, Long::sum);
            }
        }
        return counts;
    }

    /** Returns at most this many findings, in the order of their kinds. */
    public List<Finding> findings(long limit) {
        List<Finding> findings = new ArrayList<>();
        try (ReadView.Cursor cursor = scan(WorkTables.FINDING, new byte[0])) {
            while (findings.size() < limit && cursor.next()) {
                findings.add(Finding.of(cursor.value()));
            }
        }
        return findings;
    }

    /**
     * The next findings of one kind.
     *
     * @param behind the last finding of the previous page; empty = begin with the first finding
     * @param limit largest number of findings to return
     */
    List<Finding> findings(FindingKind kind, Optional<Finding> behind, int limit) {
        byte[] prefix = (kind.label() + '\0').getBytes(StandardCharsets.UTF_8);
        byte[] from = behind.map(Finding::encodedKey)
                .map(key -> Arrays.copyOf(key, key.length + 1))
                .orElse(prefix);
        List<Finding> findings = new ArrayList<>();
        try (ReadView.Cursor cursor = scan(WorkTables.FINDING, from)) {
            while (findings.size() < limit && cursor.next() && startsWith(cursor.key(), prefix)) {
                findings.add(Finding.of(cursor.value()));
            }
        }
        return findings;
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    /**
     * A finding, with the outcome of its repair.
     *
     * @param repair the outcome of the last repair; empty if there was no repair
     * @param key the finding's key; the next page of {@link #told} may begin after this key
     * @param path the path of the finding's object; empty if the work has no path
     */
    public record Told(Finding finding, Optional<Repaired> repair, ByteString key, String path) {}

    /**
     * Returns at most this many findings, in the order of their kinds.
     *
     * @param kind the only kind to return; empty = all kinds
     * @param behind the key of the last finding of the previous page; empty = begin with the first finding
     * @param limit largest number of findings to return
     */
    public List<Told> told(Optional<FindingKind> kind, ByteString behind, int limit) {
        byte[] prefix = kind.map(each -> (each.label() + '\0').getBytes(StandardCharsets.UTF_8))
                .orElse(new byte[0]);
        byte[] from = behind.isEmpty() ? prefix : Arrays.copyOf(behind.toByteArray(), behind.size() + 1);
        List<Told> told = new ArrayList<>();
        try (ReadView.Cursor cursor = scan(WorkTables.FINDING, from)) {
            while (told.size() < limit && cursor.next() && startsWith(cursor.key(), prefix)) {
                Finding finding = Finding.of(cursor.value());
                told.add(new Told(finding, repair(finding), ByteString.copyFrom(cursor.key()), path(finding)));
            }
        }
        return told;
    }

    /** The path of the finding's object, built from stored names; empty if the stored names give no path. */
    public String path(Finding finding) {
        return FindingPath.of(this, finding);
    }

    boolean isFound(Finding finding) {
        return committed().get(WorkTables.FINDING, finding.encodedKey()).isPresent();
    }

    /** The outcome of the last repair of the finding; empty if there was no repair. */
    Optional<Repaired> repair(Finding finding) {
        return committed().get(WorkTables.REPAIR, finding.encodedKey()).map(Repaired::of);
    }

    /** Whether a repair removed unreadable rows. */
    public boolean hasTakenAway() {
        try (ReadView.Cursor cursor = scan(WorkTables.REPAIR, new byte[0])) {
            while (cursor.next()) {
                if (!Repaired.of(cursor.value()).removed().isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the outcomes of at most this many repairs, in the order of their kinds. */
    public List<Repaired> repairs(long limit) {
        List<Repaired> repairs = new ArrayList<>();
        try (ReadView.Cursor cursor = scan(WorkTables.REPAIR, new byte[0])) {
            while (repairs.size() < limit && cursor.next()) {
                repairs.add(Repaired.of(cursor.value()));
            }
        }
        return repairs;
    }

    static byte[] key(Handle handle) {
        return ByteBuffer.allocate(Long.BYTES).putLong(handle.value()).array();
    }

    static Handle handleIn(byte[] key) {
        return new Handle(ByteBuffer.wrap(key).getLong());
    }

    static ByteString nameKeyIn(byte[] linkKey) {
        return ByteString.copyFrom(linkKey, Long.BYTES, linkKey.length - Long.BYTES);
    }

    @Override
    public void close() {
        store.close();
    }
}
