package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.read.FileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one checksum chunk of a file, for programs that read byte by byte. The reader below keeps chunks too, but each call of the reader
 * has a cost. A read of all that is left of a chunk, or of the file, goes past this buffer. Used by one thread at a time.
 */
final class StreamBuffer {
    private final FileReader reader;
    private long start;
    private @Nullable ByteBuffer chunk;

    StreamBuffer(FileReader reader) {
        this.reader = reader;
    }

    /** Copies the bytes at the position, as many as are at hand. Returns the number of bytes copied; -1 at the end. */
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

    /** Gives the memory back. */
    void clear() {
        chunk = null;
    }
}
