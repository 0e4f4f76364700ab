package io.steadfs.it;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the shards of a cluster that does not run have on their disks, to be read and changed. */
public final class StoredShards implements AutoCloseable {
    private final List<Store> stores = new ArrayList<>();
    private final List<Overlay> rows = new ArrayList<>();

    private StoredShards() {}

    /** Of a cluster with one metadata server, which has all shards. */
    public static StoredShards open(Path cluster, int count) throws IOException {
        StoredShards shards = new StoredShards();
        for (int shard = 0; shard < count; shard++) {
            Store store = RocksStore.open(
                    cluster.resolve("mds-1").resolve("shard-" + shard), ShardTables.ALL, Settings.defaults());
            shards.stores.add(store);
            shards.rows.add(store.overlay());
        }
        return shards;
    }

    public int count() {
        return stores.size();
    }

    /** All rows of a shard, with what was changed. */
    public Overlay rows(int shard) {
        return rows.get(shard);
    }

    /** Those of the shard that has the object. */
    public Overlay rows(Handle object) {
        return rows.get(object.shard());
    }

    /** Changes rows of the shard that has the object. */
    public void replay(Handle object, LogRecord record) {
        record.replay(rows(object));
    }

    /** Has a directory count so many names more. */
    public void count(Handle directory, int more) {
        var row = DirectoryCounts.find(rows(directory), directory).orElseThrow();
        replay(
                directory,
                new CountsSet(
                        directory,
                        row.toBuilder().setEntries(row.getEntries() + more).build()));
    }

    /** The directory that users see: the one with this handle, or the one of which it is a partition. */
    public Handle whole(Handle directory) {
        return WholeDirectory.of(
                directory, Directories.find(rows(directory), directory).orElseThrow());
    }

    /** Loses a partition, but for its names: its row, what it counts, and the entry of its own shard. */
    public void lose(Handle directory, MapEntry partition) {
        replay(partition.handle(), new DirectoryGone(partition.handle()));
        replay(partition.handle(), new CountsGone(partition.handle()));
        replay(partition.handle(), new MapEntryGone(directory, partition.number()));
    }

    /** Keeps what was changed. */
    public void commit() throws IOException {
        for (int shard = 0; shard < stores.size(); shard++) {
            stores.get(shard).commit(rows.get(shard), true);
        }
    }

    @Override
    public void close() {
        rows.forEach(Overlay::close);
        stores.forEach(Store::close);
    }
}
