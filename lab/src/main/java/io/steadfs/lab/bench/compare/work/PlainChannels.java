package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The reference for streams. Writes or reads the same bytes through a Java channel, to or from a local file. A written
 * file is synced once.
 */
final class PlainChannels implements Work {
    private final Path file;
    private final boolean reads;

    /** @param reads true to read, false to write */
    PlainChannels(Path folder, int number, boolean reads) {
        this.file = folder.resolve("plain-" + (reads ? "read-" : "written-") + number);
        this.reads = reads;
    }

    @Override
    public void prepare(int operations) throws IOException {
        if (reads && !Files.exists(file)) {
            write(operations);
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        long begun = System.nanoTime();
        if (reads) {
            read(operations);
        } else {
            write(operations);
        }
        latencies.record(System.nanoTime() - begun);
    }

    private void write(int mebibytes) throws IOException {
        byte[] piece = StreamBytes.piece();
        ByteBuffer buffer = ByteBuffer.allocateDirect(piece.length);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < mebibytes; i++) {
                StreamBytes.number(piece, i);
                buffer.clear().put(piece).flip();
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
            }
            out.force(true);
        }
    }

    private void read(int mebibytes) throws IOException {
        byte[] piece = new byte[StreamBytes.PIECE];
        ByteBuffer buffer = ByteBuffer.allocateDirect(piece.length);
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            for (int i = 0; i < mebibytes; i++) {
                buffer.clear();
                while (buffer.hasRemaining()) {
                    if (in.read(buffer) < 0) {
                        throw new IOException(file + " ends in piece " + i + " of " + mebibytes);
                    }
                }
                buffer.flip().get(piece);
                StreamBytes.check(piece, i, file.toString());
            }
        }
    }

    @Override
    public void clean() throws IOException {
        if (!reads) {
            Files.delete(file);
        }
    }
}
