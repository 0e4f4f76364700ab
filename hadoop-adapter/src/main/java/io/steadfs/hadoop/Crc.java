package io.steadfs.hadoop;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes the CRC32C of a file or of the first bytes of a file. The composite CRC of a file's chunks equals the CRC of
 * the file's bytes.
 */
final class Crc {
    private static final int BUFFER_BYTES = 1 << 20;

    private Crc() {}

    /**
     * The CRC of the file or of its first bytes. For a whole file, the CRC is computed from checksums that the servers
     * store. For a part of a file, the CRC is computed from the bytes of the part.
     *
     * @param name path of the file for error messages
     * @param length number of bytes from the beginning of the file; a larger number than the file's length means the
     *     whole file
     * @throws FsException FILE_OPEN if a client is writing the file; also the errors of {@link SteadFs#open(FsPath)}
     */
    static int of(SteadFs client, FsPath path, AbsolutePath name, long length) throws FsException {
        try (FileReader reader = client.openUnread(path)) {
            if (reader.info().open() && !isUntouched(reader.info())) {
                throw new FsException(FsError.FILE_OPEN, name + " is being written, and has no checksum yet");
            }
            return length >= reader.length() ? reader.compositeCrc() : ofPrefix(reader, length);
        }
    }

    /**
     * Whether nothing was ever written to the file. Its checksum is then known, although it may be open, or its shard
     * may not know so soon after a start whether it is.
     */
    private static boolean isUntouched(FileInfo info) {
        return info.length() == 0
                && info.layout().stream()
                        .allMatch(layout -> layout.datafiles().stream().allMatch(Handle::isNone));
    }

    private static int ofPrefix(FileReader reader, long length) throws FsException {
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
