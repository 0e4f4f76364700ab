package io.steadfs.lab.torture;

import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import java.nio.ByteBuffer;

/**
 * The result of reading a file from its beginning to its end.
 *
 * @param length length of the file in bytes
 * @param fileId the expected id, or else the id in the first bytes of the file; 0 = the file has too few bytes
 * @param firstWrong offset of the first byte that is missing or does not belong to the file; -1 = all bytes are right
 */
record Reading(long length, long fileId, long firstWrong) {
    private static final int PIECE = 1 << 20;

    /** @param expectedId 0 = take the id from the first bytes of the file */
    static Reading whole(FileReader reader, long expectedId) throws FsException {
        long length = reader.length();
        long id = expectedId;
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, PIECE));
        for (long position = 0; position < length; ) {
            buffer.clear();
            int read = reader.read(position, buffer);
            if (read <= 0) {
                return new Reading(length, id, position);
            }
            buffer.flip();
            if (position == 0 && id == 0) {
                if (read < Content.ID_BYTES) {
                    return new Reading(length, 0, -1);
                }
                id = buffer.getLong(0);
            }
            long wrong = Content.firstDifference(id, position, buffer);
            if (wrong >= 0) {
                return new Reading(length, id, wrong);
            }
            position += read;
        }
        return new Reading(length, id, -1);
    }
}
