package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The blocks that DataNodes have on their disks. For each block, a DataNode keeps the files {@code blk_ID} and {@code
 * blk_ID_STAMP.meta}.
 */
final class BlockFiles {
    private final List<Path> folders;

    /** @param folders the data folders of the DataNodes */
    BlockFiles(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /** Counts the blocks on disk. DataNodes may remove blocks meanwhile. */
    long count() throws IOException {
        AtomicLong count = new AtomicLong();
        for (Path folder : folders) {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    if (name.startsWith("blk_") && name.endsWith(".meta")) {
                        count.incrementAndGet();
                    }
                    return FileVisitResult.CONTINUE;
                }

                /** A DataNode removed the file meanwhile. */
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return count.get();
    }
}
