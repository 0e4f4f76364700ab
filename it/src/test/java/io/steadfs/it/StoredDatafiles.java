package io.steadfs.it;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.file.ChannelDataFiles;
import io.steadfs.membership.ServerId;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;

/** What an IO server that does not run has on its disk. */
public final class StoredDatafiles {
    private static final byte[] FIRST = {};
    private static final byte[] BEHIND_LAST = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

    private StoredDatafiles() {}

    public static Path directory(Path cluster, ServerId server) {
        return cluster.resolve(server.toString());
    }

    public static Store openStore(Path cluster, ServerId server) throws IOException {
        return RocksStore.open(directory(cluster, server).resolve("store"), DatafileTables.ALL, Settings.defaults());
    }

    /** Handles that have a row. */
    public static NavigableSet<Handle> rows(Path cluster, ServerId server) throws IOException {
        TreeSet<Handle> handles = new TreeSet<>();
        try (Store store = openStore(cluster, server);
                ReadView.Cursor cursor = store.committed().scan(DatafileTables.DATAFILE, FIRST, BEHIND_LAST)) {
            while (cursor.next()) {
                handles.add(new Handle(ByteBuffer.wrap(cursor.key()).getLong()));
            }
        }
        return handles;
    }

    /** Handles that have a file of their own. */
    public static NavigableSet<Handle> files(Path cluster, ServerId server) throws IOException {
        TreeSet<Handle> handles = new TreeSet<>();
        new ChannelDataFiles(directory(cluster, server).resolve("data")).visit((handle, bytes) -> handles.add(handle));
        return handles;
    }
}
