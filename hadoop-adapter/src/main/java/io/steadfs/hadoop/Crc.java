package io.steadfs.hadoop;

import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC32C of a file's beginning. A composite CRC of its chunks has the same value. */
final class Crc {
    private static final int BUFFER_BYTES = 1 << 20;

    private Crc() {}

    static int ofPrefix(FileReader reader, long length) throws FsException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, Math.max(1, length)));
        long position = 0;
        while (position < length) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), length - position));
            int count = reader.read(position, buffer);
            if (count <= 0) {
                break;
            }
            crc.update(buffer.flip());
            position += count;
        }
        return (int) crc.getValue();
    }
}
