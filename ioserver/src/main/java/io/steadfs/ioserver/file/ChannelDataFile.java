package io.steadfs.ioserver.file;

import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultFileRegion;
import io.steadfs.disk.DiskFailure;
import io.steadfs.rpc.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A {@link DataFile} on a FileChannel. Each call names its position in the file, so that threads may share the channel.
 */
final class ChannelDataFile implements DataFile {
    private final Path path;
    private final FileChannel channel;

    ChannelDataFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    @Override
    public long sizeBytes() throws IOException {
        return channel.size();
    }

    @Override
    public void read(ByteBuffer target, long offset) throws IOException {
        long position = offset;
        while (target.hasRemaining()) {
            int count = channel.read(target, position);
            if (count < 0) {
                throw new EOFException(path + " ends at " + position + ", " + target.remaining() + " bytes early");
            }
            position += count;
        }
    }

    @Override
    public void write(ByteBuf source, long offset) throws IOException {
        try {
            int index = source.readerIndex();
            long position = offset;
            while (index < source.writerIndex()) {
                int count = source.getBytes(index, channel, position, source.writerIndex() - index);
                index += count;
                position += count;
            }
        } catch (IOException e) {
            throw DiskFailure.of(e, path);
        }
    }

    @Override
    public void sync() throws IOException {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw DiskFailure.of(e, path);
        }
    }

    @Override
    public void truncate(long sizeBytes) throws IOException {
        channel.truncate(sizeBytes);
    }

    @Override
    public Payload region(long offset, long count, Runnable whenReleased) {
        return new Payload.Region(new DefaultFileRegion(channel, offset, count) {
            /** Keeps the channel open, because other users share the channel. */
            @Override
            protected void deallocate() {
                whenReleased.run();
            }
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
