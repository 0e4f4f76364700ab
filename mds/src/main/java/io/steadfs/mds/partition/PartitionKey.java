package io.steadfs.mds.partition;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;

/**
 * Keys of the tables "partition" and "map": the directory handle in 8 bytes, then a number in 4 bytes. In the table
 * "map" it is the number of the partition, in the table "partition" it is zero.
 */
final class PartitionKey {
    static final int BYTES = Long.BYTES + Integer.BYTES;

    private PartitionKey() {}

    static byte[] of(Handle directory, int number) {
        byte[] key = new byte[BYTES];
        Keys.putLong(key, 0, directory.value());
        key[8] = (byte) (number >>> 24);
        key[9] = (byte) (number >>> 16);
        key[10] = (byte) (number >>> 8);
        key[11] = (byte) number;
        return key;
    }

    static int numberIn(byte[] key) {
        return key[8] << 24 | (key[9] & 0xff) << 16 | (key[10] & 0xff) << 8 | (key[11] & 0xff);
    }
}
