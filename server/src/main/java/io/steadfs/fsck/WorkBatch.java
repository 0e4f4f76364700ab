package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.CheckedEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Changes of a {@link Work} that are committed together. If a batch is closed before a commit, its changes are dropped.
 */
final class WorkBatch implements AutoCloseable {
    private final Store store;
    private final Overlay overlay;

    WorkBatch(Store store) {
        this.store = store;
        this.overlay = store.overlay();
    }

    void found(Finding finding) {
        overlay.put(WorkTables.FINDING, finding.encodedKey(), finding.row().toByteArray());
    }

    /** Removes the finding. A later stage may add the same finding again. */
    void forget(Finding finding) {
        overlay.delete(WorkTables.FINDING, finding.encodedKey());
    }

    void repaired(Repaired repaired) {
        overlay.put(WorkTables.REPAIR, repaired.finding().encodedKey(), repaired.encode());
    }

    /** Stores a name that leads to an object, or an entry of a map that leads to a partition. */
    void link(int shard, CheckedEntry entry) {
        ByteBuffer key = ByteBuffer.allocate(Long.BYTES + entry.getKey().size())
                .putLong(entry.getObject())
                .put(entry.getKey().asReadOnlyByteBuffer());
        ByteBuffer value = ByteBuffer.allocate(Integer.BYTES + 2 + 2 * Long.BYTES)
                .putInt(shard)
                .put((byte) entry.getTypeValue())
                .put((byte) (entry.hasPartition() ? entry.getPartition().getDepth() : Links.NO_PARTITION))
                .putLong(entry.hasPartition() ? Links.share(entry.getPartition()) : 0)
                .putLong(entry.getParent());
        overlay.put(WorkTables.LINK, key.array(), value.array());
    }

    void parent(Handle directory, Handle parent) {
        overlay.put(WorkTables.PARENT, Work.key(directory), Work.key(parent));
    }

    void suspect(Suspect suspect) {
        overlay.put(WorkTables.SUSPECT, Work.key(suspect.object()), suspect.encode());
    }

    void cleared(Handle suspect) {
        overlay.delete(WorkTables.SUSPECT, Work.key(suspect));
    }

    void reached(Handle directory) {
        overlay.put(WorkTables.REACHED, Work.key(directory), new byte[0]);
    }

    /** Whether a walk upwards has passed the directory, in this batch or in an earlier batch. */
    boolean isReached(Handle directory) {
        return get(WorkTables.REACHED, directory).isPresent();
    }

    Optional<byte[]> get(Table table, Handle key) {
        return overlay.get(table, Work.key(key));
    }

    void progress(String of, byte[] value) {
        overlay.put(WorkTables.PROGRESS, of.getBytes(StandardCharsets.UTF_8), value);
    }

    void commit() throws IOException {
        store.commit(overlay, false);
    }

    @Override
    public void close() {
        overlay.close();
    }
}
