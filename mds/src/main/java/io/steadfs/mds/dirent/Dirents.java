package io.steadfs.mds.dirent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import java.util.Optional;

/** Reads dirents from a state of the shard. */
public final class Dirents {
    private Dirents() {}

    public static Optional<DirentRow> find(ReadView view, DirentKey key) {
        Optional<byte[]> value = view.get(ShardTables.DIRENT, key.bytes());
        return value.isEmpty() ? Optional.empty() : Optional.of(decode(key.bytes(), value.get()));
    }

    /**
     * Adds the row of the name to the sources of a derived value. If the row is absent, its absence is a source too.
     */
    public static void addTo(Sources sources, DirentKey key) {
        sources.add(ShardTables.DIRENT, key.bytes());
    }

    /** All entries of the directory on this shard, in hash order. The caller closes the scan. */
    public static DirentScan scan(ReadView view, Handle directory) {
        return scan(view, directory, DirentPosition.START, -1L);
    }

    /**
     * Entries behind the place, in hash order. Entries with the last hash are included. The caller closes the scan.
     *
     * @param lastHash the highest hash to include, as an unsigned number
     */
    public static DirentScan scan(ReadView view, Handle directory, DirentPosition after, long lastHash) {
        return new DirentScan(view.scan(ShardTables.DIRENT, after.firstKey(directory), endKey(directory, lastHash)));
    }

    /** Number of entries of the directory on this shard, counted one by one. */
    public static long count(ReadView view, Handle directory) {
        byte[] prefix = Keys.of(directory.value());
        return Rows.count(view, ShardTables.DIRENT, prefix);
    }

    private static byte[] endKey(Handle directory, long lastHash) {
        byte[] key = new byte[DirentKey.NAME_AT];
        if (lastHash == -1L) {
            Keys.putLong(key, 0, directory.value() + 1);
        } else {
            Keys.putLong(key, 0, directory.value());
            Keys.putLong(key, DirentKey.HASH_AT, lastHash + 1);
        }
        return key;
    }

    static DirentRow decode(byte[] key, byte[] value) {
        try {
            return DirentRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(
                    "row of dirent '" + DirentKey.nameIn(key) + "' of " + new Handle(Keys.longAt(key, 0))
                            + " cannot be decoded",
                    e);
        }
    }
}
