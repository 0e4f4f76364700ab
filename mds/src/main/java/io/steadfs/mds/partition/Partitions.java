package io.steadfs.mds.partition;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap;
import io.steadfs.store.ReadView;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/** Reads the partitions that a shard holds. */
public final class Partitions {
    /**
     * The row of partition 0, which is the only partition of a new directory. The partition holds all names of the
     * directory. The version of the partition is the first version of the directory's map.
     *
     * @param modificationTime the directory's modification time
     */
    public static PartitionRow first(long modificationTime) {
        return PartitionRow.newBuilder()
                .setVersion(PartitionMap.FIRST_VERSION)
                .setModificationTime(modificationTime)
                .build();
    }

    private Partitions() {}

    public static Optional<PartitionRow> find(ReadView view, Handle directory, int partition) {
        Optional<byte[]> value = view.get(ShardTables.PARTITION, key(directory, partition));
        return value.isEmpty() ? Optional.empty() : Optional.of(decode(directory, partition, value.get()));
    }

    /** Visits every partition of the directory on this shard, in the order of their numbers. */
    public static void forEach(ReadView view, Handle directory, ObjIntConsumer<PartitionRow> action) {
        byte[] from = Keys.of(directory.value());
        try (ReadView.Cursor cursor = view.scan(ShardTables.PARTITION, from, Keys.endOf(from))) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                int partition = numberIn(key);
                action.accept(decode(directory, partition, cursor.value()), partition);
            }
        }
    }

    /** The part of the directory's map that this shard knows: the partitions on this shard. */
    public static PartitionMap map(ReadView view, Handle directory, int shards) {
        PartitionMap.Builder map = PartitionMap.builder(directory, shards);
        forEach(view, directory, (row, partition) -> map.put(partition, row.getDepth(), row.getVersion()));
        return map.build();
    }

    static int numberIn(byte[] key) {
        return key[8] << 24 | (key[9] & 0xff) << 16 | (key[10] & 0xff) << 8 | (key[11] & 0xff);
    }

    /** The key: the directory handle in 8 bytes, then the partition number in 4 bytes. */
    static byte[] key(Handle directory, int partition) {
        byte[] key = new byte[Long.BYTES + Integer.BYTES];
        Keys.putLong(key, 0, directory.value());
        key[8] = (byte) (partition >>> 24);
        key[9] = (byte) (partition >>> 16);
        key[10] = (byte) (partition >>> 8);
        key[11] = (byte) partition;
        return key;
    }

    static PartitionRow decode(Handle directory, int partition, byte[] value) {
        try {
            return PartitionRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(
                    "row of partition " + partition + " of directory " + directory + " cannot be decoded", e);
        }
    }
}
