package io.steadfs.client.reference;

import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** Reads what was visible when the file was opened. */
final class ReferenceReader implements FileReader {
    private final FileInfo info;
    private final byte[] bytes;

    ReferenceReader(FileInfo info, byte[] bytes) {
        this.info = info;
        this.bytes = bytes;
    }

    @Override
    public FileInfo info() {
        return info;
    }

    @Override
    public long length() {
        return bytes.length;
    }

    @Override
    public int read(long position, ByteBuffer target) {
        if (position >= bytes.length) {
            return -1;
        }
        int count = (int) Math.min(target.remaining(), bytes.length - position);
        target.put(bytes, (int) position, count);
        return count;
    }

    @Override
    public CompletableFuture<Integer> readAsync(long position, ByteBuffer target) {
        return CompletableFuture.completedFuture(read(position, target));
    }

    @Override
    public int compositeCrc() {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public void unbuffer() {}

    @Override
    public void close() {}
}
