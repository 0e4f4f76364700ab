package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import java.util.Optional;

/**
 * A row of the map table, readable or not, for a check of the file system.
 *
 * @param entry the decoded row; empty if the bytes are not a valid row
 * @param unreadable why the row cannot be read; empty if the row can be read
 */
public record MetMapEntry(Handle directory, int number, Optional<MapEntry> entry, String unreadable) {
    public static final int KEY_BYTES = PartitionKey.BYTES;

    public static MetMapEntry of(byte[] key, byte[] value) {
        if (key.length != KEY_BYTES) {
            return new MetMapEntry(Handle.NONE, 0, Optional.empty(), "a key of " + key.length + " bytes");
        }
        Handle directory = new Handle(Keys.longAt(key, 0));
        int number = PartitionKey.numberIn(key);
        try {
            return new MetMapEntry(directory, number, Optional.of(Maps.decode(directory, number, value)), "");
        } catch (IllegalStateException e) {
            return new MetMapEntry(directory, number, Optional.empty(), String.valueOf(e.getMessage()));
        }
    }
}
