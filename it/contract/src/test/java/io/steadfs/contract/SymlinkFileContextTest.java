package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextTestWrapper;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymlinkFileContextTest extends SymlinkSuite {
    @BeforeAll
    static void wrap() throws Exception {
        wrapper = new FileContextTestWrapper(
                FileContext.getFileContext(Cluster.uri(), Cluster.withSymlinks()), "/symlinks");
    }

    private Path path(String name) throws IOException {
        return new Path(testBaseDir1(), name);
    }

    @Test
    void aLinkToAnotherFileSystemIsFollowed(@TempDir java.nio.file.Path folder) throws IOException {
        byte[] text = "text".getBytes(StandardCharsets.UTF_8);
        Files.write(folder.resolve("f"), text);
        wrapper.createSymlink(new Path("file://" + folder), path("local"), false);
        assertThat(wrapper.readFile(path("local/f"), text.length)).isEqualTo(text);
        assertThat(wrapper.getFileStatus(path("local/f")).getLen()).isEqualTo(text.length);
        createAndWriteFile(path("file"));
        assertThatThrownBy(() -> wrapper.rename(path("file"), path("local/g")))
                .isInstanceOf(InvalidPathException.class);
        assertThatThrownBy(() -> wrapper.rename(path("local/f"), path("g"))).isInstanceOf(InvalidPathException.class);
        assertThat(wrapper.isFile(path("file"))).isTrue();
        assertThat(wrapper.delete(path("local/f"), false)).isTrue();
        assertThat(folder.resolve("f")).doesNotExist();
    }

    @Test
    void aLinkToTheRootLeadsThere() throws IOException {
        createAndWriteFile(path("file"));
        wrapper.createSymlink(new Path("/"), path("root"), false);
        assertThat(wrapper.getFileStatus(new Path(path("root") + testBaseDir1() + "/file"))
                        .getLen())
                .isPositive();
    }

    @Test
    void changesThroughALinkLeaveTheLinkAsItIs() throws IOException {
        createAndWriteFile(path("file"));
        wrapper.createSymlink(path("file"), path("link"), false);
        FileStatus before = wrapper.getFileLinkStatus(path("link"));
        wrapper.setPermission(path("link"), new FsPermission((short) 0640));
        wrapper.setOwner(path("link"), "anna", "staff");
        wrapper.setReplication(path("link"), (short) 2);
        FileStatus after = wrapper.getFileLinkStatus(path("link"));
        assertThat(after.getPermission()).isEqualTo(before.getPermission());
        assertThat(after.getOwner()).isEqualTo(before.getOwner());
        assertThat(after.getReplication()).isZero();
        FileStatus file = wrapper.getFileStatus(path("file"));
        assertThat(file.getPermission().toShort()).isEqualTo((short) 0640);
        assertThat(file.getOwner() + ":" + file.getGroup()).isEqualTo("anna:staff");
        assertThat(file.getReplication()).isEqualTo((short) 2);
    }
}
