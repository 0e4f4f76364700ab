package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemTestWrapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SymlinkFileSystemTest extends SymlinkSuite {
    @BeforeAll
    static void wrap() throws Exception {
        wrapper = new FileSystemTestWrapper(FileSystem.newInstance(Cluster.uri(), Cluster.withSymlinks()), "/symlinks");
    }

    /** A create of {@code FileSystem} makes parents, so it makes the directory to which the link leads. As on HDFS. */
    @Override
    @Test
    public void testCreateFileViaDanglingLinkParent() throws IOException {
        Path link = new Path(testBaseDir1(), "dangling");
        Path nowhere = new Path("/doesNotExist");
        wrapper.createSymlink(nowhere, link, false);
        createAndWriteFile(new Path(link, "file"));
        assertThat(wrapper.isFile(new Path(nowhere, "file"))).isTrue();
        assertThat(wrapper.delete(nowhere, true)).isTrue();
    }

    /** A link to another file system is followed by {@code FileContext} alone. */
    @Override
    @Test
    public void testCreateLinkUsingPartQualPath1() throws IOException {
        leadsAway(new Path("stead://" + testBaseDir1() + "/file"));
    }

    @Override
    @Test
    public void testCreateLinkUsingPartQualPath2() throws IOException {
        leadsAway(new Path("//" + testURI().getAuthority() + testBaseDir1() + "/file"));
    }

    private void leadsAway(Path target) throws IOException {
        Path link = new Path(testBaseDir1(), "link");
        wrapper.createSymlink(target, link, false);
        assertThat(wrapper.getLinkTarget(link)).isEqualTo(target);
        assertThat(wrapper.getFileLinkStatus(link).getSymlink()).hasToString(target.toString());
        assertThatThrownBy(() -> readFile(link))
                .isInstanceOf(UnresolvedLinkException.class)
                .hasMessageContaining(link + " is a symbolic link to " + target);
    }
}
