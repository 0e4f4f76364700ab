package io.steadfs.lab.bench.pace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes sure that the kernel has free memory for the pages of files that a round will write.
 *
 * <p>A virtual machine may return memory to its host after the memory was free for some seconds (free page reporting).
 * Getting memory back from the host can take several times as long as writing to the memory. Chance decides which round
 * has to wait for memory from the host.
 *
 * <p>So this class writes as many bytes to a file as the round will write, and then removes the file. Usually the file
 * is removed before any byte reaches the disk. The kernel then gives the freed pages to the round.
 */
public final class MemoryAtHand {
    private static final int PIECE = 1 << 20;

    private final Path file;
    private final int mebibytes;

    /**
     * @param folder folder on this machine, on the disk to which the round writes
     * @param mebibytes how much the round writes, in MiB
     */
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
