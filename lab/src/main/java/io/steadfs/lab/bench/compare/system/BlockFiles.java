package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The blocks that DataNodes have on their disks. A DataNode keeps {@code blk_ID} and {@code blk_ID_STAMP.meta} of each. */
final class BlockFiles {
    private final List<Path> folders;

    /** @param folders of the DataNodes */
    BlockFiles(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /** How many blocks there are, while DataNodes remove some. */
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

                /** It is gone. */
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return count.get();
    }
}
