package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Sees to it that the kernel has memory at hand for the pages of files that are about to be written. A virtual machine may
 * give memory that is free for some seconds back to its host (free page reporting), and getting it again can take several
 * times as long as writing to it; which round pays for that is chance. So as many bytes are written to a file as the round
 * will write, and the file is removed, mostly before any of them reached the disk; its pages are what the kernel takes next.
 */
public final class MemoryAtHand {
    private static final int PIECE = 1 << 20;

    private final Path file;
    private final int mebibytes;

    /** @param folder of this machine, on the disk that the pages will be for */
    public MemoryAtHand(Path folder, int mebibytes) {
        this.file = folder.resolve("memory");
        this.mebibytes = mebibytes;
    }

    public void take() throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            for (int i = 0; i < mebibytes; i++) {
                piece.clear();
                while (piece.hasRemaining()) {
                    out.write(piece);
                }
            }
        }
    }
}
