package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.state.Keys;
import java.util.Optional;

/**
 * A row of the partition table, readable or not, for a check of the file system.
 *
 * @param row the decoded row; empty if the bytes are not a valid row
 * @param unreadable why the row cannot be read; empty if the row can be read
 */
public record MetCounts(Handle directory, Optional<CountsRow> row, String unreadable) {
    public static MetCounts of(byte[] key, byte[] value) {
        if (key.length != PartitionKey.BYTES) {
            return new MetCounts(Handle.NONE, Optional.empty(), "a key of " + key.length + " bytes");
        }
        Handle directory = new Handle(Keys.longAt(key, 0));
        if (PartitionKey.numberIn(key) != 0) {
            return new MetCounts(directory, Optional.empty(), "a key with number " + PartitionKey.numberIn(key));
        }
        try {
            return new MetCounts(directory, Optional.of(DirectoryCounts.decode(directory, value)), "");
        } catch (IllegalStateException e) {
            return new MetCounts(directory, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }
}
