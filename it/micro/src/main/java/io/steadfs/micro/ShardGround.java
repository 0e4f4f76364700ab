package io.steadfs.micro;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.op.server.StartShard;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The store of a shard as it is in use: its root, a session, and a directory of {@value #FILES} files. */
final class ShardGround implements AutoCloseable {
    static final int FILES = 20_000;
    static final Handle DIRECTORY = Handle.of(Handle.shardOwner(0), 0, 1 << 20);

    private static final long SESSION = 42;
    private static final long FIRST_FILE = 2 << 20;
    private static final int BATCH = 1000;

    private final Folder folder = Folder.make();
    private final Store store;

    /** With no rows in the heap. */
    static ShardGround start() {
        return start(0);
    }

    /** @param rowBytes of rows, and of what is worked out from them, that are kept in the heap */
    static ShardGround start(long rowBytes) {
        try {
            return new ShardGround(rowBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ShardGround(long rowBytes) throws IOException {
        store = new VolatileTables(
                RocksStore.openShard(folder.path(), ShardTables.ALL, Settings.of(Map.of()), rowBytes), LifeTables.ALL);
        commit(new StartShard("root", "supergroup")
                .decide(store.committed(), inputs())
                .records());
        commit(List.of(new SessionPut(new Session(SESSION, "micro", "root", 1, 1, false))));
        for (int from = 0; from < FILES; from += BATCH) {
            try (Overlay overlay = store.overlay()) {
                for (int i = from; i < from + BATCH; i++) {
                    DirentSet.file(name(i), file(i)).replay(overlay);
                    new MetafileSet(file(i), Rows.metafile()).replay(overlay);
                }
                store.commit(overlay, false);
            }
        }
    }

    void commit(List<LogRecord> records) throws IOException {
        try (Overlay overlay = store.overlay()) {
            records.forEach(record -> record.replay(overlay));
            store.commit(overlay, true);
        }
    }

    Store store() {
        return store;
    }

    static DirentKey name(int number) {
        return DirentKey.of(DIRECTORY, "part-" + number);
    }

    static Handle file(int number) {
        return Handle.of(Handle.shardOwner(0), 0, FIRST_FILE + number);
    }

    static Principal principal() {
        return new Principal("root", Set.of(), true, SESSION);
    }

    /** Of shard 0, the only one, in a cluster of four IO servers. */
    static Inputs inputs() {
        return inputs(1);
    }

    /** Of shard 0 of so many. */
    static Inputs inputs(int shards) {
        ClusterMap.Builder cluster = ClusterMap.newBuilder()
                .setEpoch(7)
                .setShardCount(shards)
                .setStripSize(1 << 20)
                .setWidth(1)
                .setBlockSize(128 << 20);
        for (int id = 1; id <= 4; id++) {
            cluster.addServers(ClusterMap.Server.newBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(id)
                    .setHost("io-" + id)
                    .setPort(9000 + id)
                    .setAlive(true));
        }
        return new Inputs(1_790_000_000_000L, 0, cluster.build(), 0, Handle.MAX_SEQUENCE);
    }

    @Override
    public void close() throws IOException {
        store.close();
        folder.close();
    }
}
