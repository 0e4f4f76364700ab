package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFilesTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void blocksOfAllDataNodesAreCountedOnce() throws IOException {
        Path one = block("datanode-1/current/BP-1/current/finalized/subdir0/subdir0/blk_1073741825");
        block("datanode-2/current/BP-1/current/rbw/blk_1073741826");
        Files.writeString(folder.resolve("datanode-1/current/VERSION"), "");
        BlockFiles blocks = new BlockFiles(List.of(folder.resolve("datanode-1"), folder.resolve("datanode-2")));
        assertThat(blocks.count()).isEqualTo(2);

        Files.delete(one.resolveSibling(one.getFileName() + "_1001.meta"));
        assertThat(blocks.count()).isEqualTo(1);
    }

    @Test
    void folderThatIsNotThereYetHasNone() throws IOException {
        assertThat(new BlockFiles(List.of(folder.resolve("datanode-3"))).count())
                .isZero();
    }

    private Path block(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "bytes");
        Files.writeString(file.resolveSibling(file.getFileName() + "_1001.meta"), "checksums");
        return file;
    }
}
