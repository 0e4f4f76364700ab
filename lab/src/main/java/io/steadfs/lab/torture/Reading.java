package io.steadfs.lab.torture;

import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import java.nio.ByteBuffer;

/**
 * The result of reading a file from its beginning to its end.
 *
 * @param fileId expected id, or the id in the first bytes of the file; 0 if the file has too few bytes for an id
 * @param firstWrong offset of the first byte that does not belong to the file; offset of the first missing byte if
 *     bytes are missing; -1 if all bytes are right
 */
record Reading(long length, long fileId, long firstWrong) {
    private static final int PIECE = 1 << 20;

    /** @param expectedId expected id of the file; 0 = the id in the first bytes of the file */
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
