package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.state.Keys;
import java.util.Optional;

/**
 * A row of the partition table, readable or not, for a check of the file system.
 *
 * @param row the decoded row; empty if the bytes are not a valid row
 * @param unreadable why the row cannot be read; empty if the row can be read
 */
public record MetPartition(Handle directory, int number, Optional<PartitionRow> row, String unreadable) {
    public static MetPartition of(byte[] key, byte[] value) {
        if (key.length != Long.BYTES + Integer.BYTES) {
            return new MetPartition(Handle.NONE, 0, Optional.empty(), "a key of " + key.length + " bytes");
        }
        Handle directory = new Handle(Keys.longAt(key, 0));
        int number = Partitions.numberIn(key);
        try {
            return new MetPartition(directory, number, Optional.of(Partitions.decode(directory, number, value)), "");
        } catch (IllegalStateException e) {
            return new MetPartition(directory, number, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }
}
