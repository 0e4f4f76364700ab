package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.path.LinkTarget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter over a reference file system: symbolic links are followed, shown, and left to Hadoop where they lead away. */
class SymbolicLinksTest {
    private final SymlinkSwitch on = new SymlinkSwitch(true);
    private final Configuration conf = new Configuration(false);
    private SteadFileSystem fs;

    @BeforeEach
    void open() throws IOException {
        fs = new Recorder().fileSystem(conf);
        fs.mkdirs(path("/data/old"));
        write("/data/old/f", "text");
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
        on.close();
    }

    private static Path path(String text) {
        return new Path(text);
    }

    private Path qualified(String text) {
        return fs.makeQualified(path(text));
    }

    private void write(String path, String text) throws IOException {
        try (FSDataOutputStream out = fs.create(path(path))) {
            out.writeBytes(text);
        }
    }

    private String read(String path) throws IOException {
        try (FSDataInputStream in = fs.open(path(path))) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private void link(String target, String name) throws IOException {
        fs.createSymlink(path(target), path(name), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/data/old", "old", "../data/old", "/data/x/../old", "HERE/data/old"})
    void aLinkToADirectoryLeadsOn(String target) throws IOException {
        link(target.replace("HERE", fs.getUri().toString()), "/data/now");
        assertThat(read("/data/now/f")).isEqualTo("text");
        assertThat(fs.getFileStatus(path("/data/now/f")).getPath()).isEqualTo(qualified("/data/old/f"));
        assertThat(fs.getFileStatus(path("/data/now")).isDirectory()).isTrue();
        assertThat(fs.exists(path("/data/now/none"))).isFalse();
        write("/data/now/g", "more");
        assertThat(read("/data/old/g")).isEqualTo("more");
        assertThat(fs.delete(path("/data/now/g"), false)).isTrue();
        assertThat(fs.exists(path("/data/old/g"))).isFalse();
        assertThat(names(fs.listStatus(path("/data/now")))).containsExactly("/data/old/f");
        assertThat(names(fs.listFiles(path("/data/now"), true))).containsExactly("/data/old/f");
        assertThat(names(fs.listLocatedStatus(path("/data/now")))).containsExactly("/data/old/f");
        assertThat(fs.getContentSummary(path("/data/now")).getFileCount()).isEqualTo(1);
        fs.setPermission(path("/data/now"), new FsPermission((short) 0700));
        assertThat(fs.getFileStatus(path("/data/old")).getPermission().toShort())
                .isEqualTo((short) 0700);
    }

    private static List<String> names(FileStatus[] found) {
        return Arrays.stream(found)
                .map(each -> each.getPath().toUri().getPath())
                .toList();
    }

    private static List<String> names(RemoteIterator<LocatedFileStatus> found) throws IOException {
        List<String> names = new ArrayList<>();
        while (found.hasNext()) {
            names.add(found.next().getPath().toUri().getPath());
        }
        return names;
    }

    @Test
    void aLinkIsShownAsOne() throws IOException {
        link("old/f", "/data/l");
        FileStatus link = fs.getFileLinkStatus(path("/data/l"));
        assertThat(link.isSymlink()).isTrue();
        assertThat(link.isFile()).isFalse();
        assertThat(link.isDirectory()).isFalse();
        assertThat(link.getPath()).isEqualTo(qualified("/data/l"));
        assertThat(link.getSymlink()).isEqualTo(qualified("/data/old/f"));
        assertThat(link.getLen()).isZero();
        assertThat(link.getReplication()).isZero();
        assertThat(fs.getLinkTarget(path("/data/l"))).isEqualTo(path("old/f"));
        FileStatus listed = fs.listStatus(path("/data"))[0];
        assertThat(listed.isSymlink()).isTrue();
        assertThat(listed.getSymlink()).isEqualTo(path("old/f"));
        assertThat(((LocatedFileStatus) listed).getBlockLocations()).isEmpty();
        assertThatThrownBy(() -> fs.getLinkTarget(path("/data/old")))
                .hasMessage("Path " + qualified("/data/old") + " is not a symbolic link");
        assertThatThrownBy(() -> fs.getFileLinkStatus(path("/data/none"))).isInstanceOf(FileNotFoundException.class);
        assertThat(fs.supportsSymlinks()).isTrue();
        assertThat(fs.hasPathCapability(path("/data/l"), CommonPathCapabilities.FS_SYMLINKS))
                .isTrue();
    }

    @Test
    void bothPathsOfARenameAreFollowed() throws IOException {
        fs.mkdirs(path("/data/new"));
        link("old", "/data/from");
        link("new", "/data/to");
        link("/data/to", "/data/twice");
        assertThat(fs.rename(path("/data/from/f"), path("/data/twice/g"))).isTrue();
        assertThat(read("/data/new/g")).isEqualTo("text");
        fs.rename(path("/data/twice/g"), path("/data/from/h"), Options.Rename.OVERWRITE);
        assertThat(read("/data/old/h")).isEqualTo("text");
        // A link itself moves as it is, and is no directory to move into.
        assertThat(fs.rename(path("/data/from"), path("/data/to"))).isFalse();
        assertThat(fs.rename(path("/data/from"), path("/data/new"))).isTrue();
        assertThat(fs.getLinkTarget(path("/data/new/from"))).isEqualTo(path("old"));
    }

    @Test
    void aDirectoryDoesNotTakeThePlaceOfALink() throws IOException {
        link("old/f", "/data/l");
        fs.mkdirs(path("/data/empty"));
        assertThatThrownBy(() -> fs.rename(path("/data/empty"), path("/data/l"), Options.Rename.OVERWRITE))
                .isInstanceOf(IOException.class);
        assertThat(fs.getFileLinkStatus(path("/data/l")).isSymlink()).isTrue();
        assertThat(read("/data/old/f")).isEqualTo("text");
        assertThatThrownBy(() -> fs.rename(path("/data/l"), path("/data/empty"), Options.Rename.OVERWRITE))
                .isInstanceOf(IOException.class);
        assertThat(fs.rename(path("/data/l"), path("/data/l"))).isTrue();
        assertThatThrownBy(() -> fs.rename(path("/data/l"), path("/data/l"), Options.Rename.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aRelativeTargetBehindALinkIsToldFromWhereItIs() throws IOException {
        link("/data/old", "/l");
        link("../e", "/data/old/a");
        assertThat(fs.getLinkTarget(path("/data/old/a"))).isEqualTo(path("../e"));
        assertThat(fs.getLinkTarget(path("/l/a"))).isEqualTo(path("/data/e"));
        assertThat(fs.getFileLinkStatus(path("/l/a")).getSymlink()).isEqualTo(qualified("/data/e"));
    }

    /** The trash takes what this names. */
    @Test
    void aPathIsResolvedUpToALinkThatHasTheLastName() throws IOException {
        link("old", "/data/now");
        link("f", "/data/old/l");
        assertThat(fs.resolvePath(path("/data/now"))).isEqualTo(qualified("/data/now"));
        assertThat(fs.resolvePath(path("/data/now/l"))).isEqualTo(qualified("/data/old/l"));
        assertThat(fs.resolvePath(path("/data/now/f"))).isEqualTo(qualified("/data/old/f"));
        assertThatThrownBy(() -> fs.resolvePath(path("/data/none"))).isInstanceOf(FileNotFoundException.class);
    }

    /** {@code fs -rm} and {@code fs -mv} act on these paths. */
    @ParameterizedTest
    @CsvSource({
        "/data/now, /data/now",
        "/data/no[w], /data/now",
        "/data/now/f, /data/now/f",
        "/data/*/f, /data/old/f",
        "'/data/{now,gone}', /data/gone /data/now",
        "/dat?/gone, /data/gone",
        "/data/away, /data/away",
        "/data/round, /data/round",
        "/data/none, ''"
    })
    void aPatternFindsNamesAsTheyAre(String pattern, String found) throws IOException {
        link("old", "/data/now");
        link("none", "/data/gone");
        link("hdfs://elsewhere/d", "/data/away");
        link("round", "/data/round");
        FileStatus[] statuses = fs.globStatus(path(pattern));
        assertThat(
                        statuses == null
                                ? List.of()
                                : names(statuses).stream().sorted().toList())
                .isEqualTo(Arrays.stream(found.split(" "))
                        .filter(each -> !each.isEmpty())
                        .toList());
    }

    @Test
    void aFileBehindALinkIsOpenedWithWhatIsKnownOfIt() throws Exception {
        link("old/f", "/data/l");
        FileStatus behind = fs.getFileStatus(path("/data/l"));
        try (FSDataInputStream in =
                fs.openFile(path("/data/l")).withFileStatus(behind).build().get()) {
            assertThat(in.readAllBytes()).hasSize(4);
        }
        FileStatus other = fs.getFileStatus(path("/data/old/f"));
        assertThatThrownBy(() ->
                        fs.openFile(path("/data/old")).withFileStatus(other).build())
                .isInstanceOf(IllegalArgumentException.class);
        FSDataOutputStream open = fs.create(path("/data/old/open"));
        open.writeBytes("seen");
        open.hflush();
        link("old/open", "/data/o");
        long told = fs.getFileLinkStatus(path("/data/o")).getLen();
        try (FSDataInputStream in = fs.openFile(path("/data/o"))
                .mustLong("fs.option.openfile.length", told)
                .build()
                .get()) {
            assertThat(in.readAllBytes()).hasSize(4);
        }
        open.close();
        FileStatus listed = fs.getFileLinkStatus(path("/data/l"));
        assertThat(fs.getFileBlockLocations(listed, 0, 10)).hasSize(1);
    }

    @Test
    void aTargetThatIsTooLongIsNothing() throws IOException {
        link("x".repeat(300), "/data/l");
        assertThat(fs.exists(path("/data/l"))).isFalse();
        assertThatThrownBy(() -> fs.getFileStatus(path("/data/l"))).isInstanceOf(FileNotFoundException.class);
        assertThat(fs.delete(path("/data/l"), false)).isTrue();
    }

    @Test
    void aLinkIsNotGivenTheNameToWhichItLeads() throws IOException {
        link("old/f", "/data/l");
        assertThatThrownBy(() -> fs.rename(path("/data/l"), path("/data/old/f"), Options.Rename.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(read("/data/l")).isEqualTo("text");
    }

    @ParameterizedTest
    @CsvSource({"/data/a, /data/a", "/data/b, /data/a", "a/a, /data/a"})
    void aCircleEnds(String target, String name) throws IOException {
        link(target, name);
        link("/data/a", "/data/b");
        assertThatThrownBy(() -> fs.open(path(name)))
                .hasMessage("Possible cyclic loop while following symbolic link " + name);
    }

    @Test
    void asManyLinksAreFollowedAsThePageSays() throws IOException {
        link("/data/old/f", "/data/l1");
        for (int i = 2; i <= LinkTarget.MOST_FOLLOWED + 1; i++) {
            link("l" + (i - 1), "/data/l" + i);
        }
        assertThat(read("/data/l" + LinkTarget.MOST_FOLLOWED)).isEqualTo("text");
        assertThatThrownBy(() -> read("/data/l" + (LinkTarget.MOST_FOLLOWED + 1)))
                .hasMessageContaining("Possible cyclic loop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdfs://elsewhere/d", "//elsewhere/d", "stead:///d"})
    void aLinkThatLeadsAwayIsLeftToHadoop(String target) throws IOException {
        link(target, "/data/away");
        assertThatThrownBy(() -> fs.open(path("/data/away/f")))
                .isInstanceOf(UnresolvedLinkException.class)
                .hasMessageContaining("/data/away is a symbolic link to " + path(target));
        assertThat(fs.getLinkTarget(path("/data/away"))).isEqualTo(path(target));
        assertThat(fs.getLinkTarget(path("/data/away/f"))).isEqualTo(path(target + "/f"));
        assertThat(fs.delete(path("/data/away"), false)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b/c", " ", "%zz", "stead://"})
    void aTargetThatIsNoPathOfHadoopsHarmsNoListing(String target) throws Exception {
        fs.mount().client().createSymlink(io.steadfs.path.FsPath.parse("/data/strange"), target, false, 0755);
        assertThat(names(fs.listStatus(path("/data")))).containsExactly("/data/old", "/data/strange");
        assertThat(fs.getFileLinkStatus(path("/data/strange")).isSymlink()).isTrue();
        assertThatThrownBy(() -> fs.open(path("/data/strange"))).isInstanceOf(IOException.class);
    }

    @Test
    void throughALinkToNothingAFileIsMadeWhereItLeads() throws IOException {
        link("old/new", "/data/l");
        assertThat(fs.exists(path("/data/l"))).isFalse();
        write("/data/l", "made");
        assertThat(read("/data/old/new")).isEqualTo("made");
        assertThat(fs.getFileLinkStatus(path("/data/l")).isSymlink()).isTrue();
    }

    @Test
    void whatIsWrongWithALinkIsSaid() throws IOException {
        assertThatThrownBy(() -> link("x", "/data/old")).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> link("x", "/none/l")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> link("x".repeat(8001), "/data/l")).hasMessageContaining("8001 bytes, at most 8000");
        fs.createSymlink(path("x"), path("/none/l"), true);
        assertThat(fs.getLinkTarget(path("/none/l"))).isEqualTo(path("x"));
        assertThatThrownBy(() -> fs.create(path("/data/old/f/x"))).isInstanceOf(IOException.class);
    }
}
