package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.read.FileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one checksum chunk of a file in memory, for programs that read byte by byte. {@link FileReader} keeps chunks,
 * too, but each call of {@link FileReader} has a cost. A read of all remaining bytes of a chunk or of the file bypasses
 * this buffer. Only one thread at a time may use a buffer.
 */
final class StreamBuffer {
    private final FileReader reader;
    private long start;
    private @Nullable ByteBuffer chunk;

    StreamBuffer(FileReader reader) {
        this.reader = reader;
    }

    /**
     * Copies bytes at the position into the target. One call may leave the target partly empty. Returns the number of
     * bytes copied, or -1 at the end of the file.
     */
    int read(long position, ByteBuffer target) throws IOException {
        ByteBuffer present = chunk;
        if (present != null && position >= start && position < start + present.limit()) {
            return copy(present, position, target);
        }
        long restOfChunk = Chunks.CHUNK_BYTES - position % Chunks.CHUNK_BYTES;
        int ahead = (int) Math.min(restOfChunk, reader.length() - position);
        if (target.remaining() >= ahead) {
            return reader.read(position, target);
        }
        ByteBuffer fresh = present != null && present.capacity() >= ahead
                ? present
                : ByteBuffer.allocate((int) Math.min(Chunks.CHUNK_BYTES, reader.length()));
        chunk = null;
        fresh.clear().limit(ahead);
        if (reader.read(position, fresh) < 0) {
            return -1;
        }
        start = position;
        chunk = fresh.flip();
        return copy(fresh, position, target);
    }

    private int copy(ByteBuffer present, long position, ByteBuffer target) {
        ByteBuffer bytes = present.duplicate().position((int) (position - start));
        int count = Math.min(bytes.remaining(), target.remaining());
        target.put(bytes.limit(bytes.position() + count));
        return count;
    }

    /** Releases the memory of the chunk. */
    void clear() {
        chunk = null;
    }
}
