package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths and values as real programs hand them in, and what HDFS answers. */
class OddInputTest {
    private static final String LONG = "x".repeat(256);

    private final Recorder recorder = new Recorder();
    private SteadFileSystem fs;

    @BeforeEach
    void open() throws IOException {
        fs = recorder.fileSystem(new Configuration(false));
        fs.mkdirs(new Path("/dir"));
        fs.create(new Path("/dir/file")).close();
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
    }

    private static Path slashed(String path) {
        return new Path(URI.create(Recorder.URI_OF_IT + path));
    }

    private interface Call {
        Object on(SteadFileSystem fs) throws IOException;
    }

    private record Named(String name, Call call) {
        @Override
        public String toString() {
            return name;
        }
    }

    // ---- a slash at the end

    static Stream<Named> callsWithASlash() {
        return Stream.of(
                new Named(
                        "getFileStatus",
                        fs -> fs.getFileStatus(slashed("/dir/")).isDirectory()),
                new Named("exists", fs -> fs.exists(slashed("/dir/"))),
                new Named("listStatus", fs -> fs.listStatus(slashed("/dir/")).length == 1),
                new Named(
                        "listLocatedStatus",
                        fs -> fs.listLocatedStatus(slashed("/dir/")).hasNext()),
                new Named(
                        "listFiles", fs -> fs.listFiles(slashed("/dir/"), true).hasNext()),
                new Named(
                        "globStatus",
                        fs -> Arrays.stream(fs.globStatus(slashed("/di*/")))
                                .findFirst()
                                .isPresent()),
                new Named(
                        "getContentSummary",
                        fs -> fs.getContentSummary(slashed("/dir/")).getFileCount() == 1),
                new Named("create", fs -> {
                    fs.create(slashed("/dir/new/")).close();
                    return fs.getFileStatus(new Path("/dir/new")).isFile();
                }),
                new Named("mkdirs", fs -> fs.mkdirs(slashed("/dir/more/")) && fs.exists(new Path("/dir/more"))),
                new Named("delete", fs -> fs.delete(slashed("/dir/"), true)),
                new Named("rename", fs -> fs.rename(slashed("/dir/"), slashed("/other/"))),
                new Named(
                        "rename into",
                        fs -> fs.mkdirs(new Path("/d2")) && fs.rename(slashed("/dir/"), slashed("/d2/"))),
                new Named("setPermission", fs -> {
                    fs.setPermission(slashed("/dir/"), new FsPermission((short) 0700));
                    return true;
                }),
                new Named("setTimes", fs -> {
                    fs.setTimes(slashed("/dir/"), 1, 1);
                    return true;
                }),
                new Named("setXAttr", fs -> {
                    fs.setXAttr(slashed("/dir/"), "user.a", new byte[0], java.util.EnumSet.allOf(XAttrSetFlag.class));
                    return fs.getXAttrs(slashed("/dir/")).size() == 1;
                }),
                new Named("setWorkingDirectory", fs -> {
                    fs.setWorkingDirectory(slashed("/dir/"));
                    return fs.exists(new Path("file"));
                }),
                new Named("the root", fs -> fs.listStatus(slashed("/")).length == 1));
    }

    @ParameterizedTest
    @MethodSource("callsWithASlash")
    void aSlashAtTheEndMeansNothing(Named call) throws IOException {
        assertThat(call.call().on(fs)).isEqualTo(true);
    }

    // ---- colons

    static Stream<Named> newNamesWithAColon() {
        Path odd = new Path("/dir/a:b");
        return Stream.of(
                new Named("create", fs -> fs.create(odd)),
                new Named("createFile", fs -> fs.createFile(odd).build()),
                new Named("createNonRecursive", fs -> fs.createNonRecursive(odd, true, 1, (short) 1, 1 << 20, null)),
                new Named("mkdirs", fs -> fs.mkdirs(odd)),
                new Named("mkdirs below", fs -> fs.mkdirs(new Path("/dir/a:b/c"))),
                new Named("rename", fs -> fs.rename(new Path("/dir/file"), odd)),
                new Named("rename of three arguments", fs -> {
                    fs.rename(new Path("/dir/file"), odd, org.apache.hadoop.fs.Options.Rename.OVERWRITE);
                    return true;
                }));
    }

    @ParameterizedTest
    @MethodSource("newNamesWithAColon")
    @SuppressWarnings("deprecation")
    void noNewNameHasAColon(Named call) {
        assertThatThrownBy(() -> call.call().on(fs))
                .isInstanceOf(InvalidPathException.class)
                .hasMessageContaining("/dir/a:b");
        assertThat(recorder.takeCalls()).isNotEmpty().doesNotContain("rename");
    }

    @Test
    void oneThatIsThereSpoilsNoListing() throws IOException {
        recorder.client()
                .create(FsPath.parse("/dir/a:b"), CreateOptions.DEFAULT)
                .close();
        recorder.client().mkdirs(FsPath.parse("/dir/c:d/e"), 0755, true, true);
        Path old = new Path("/dir/a:b");
        assertThat(names(fs.listStatus(new Path("/dir")))).containsExactly("a:b", "c:d", "file");
        assertThat(names(globbed(new Path("/dir/*")))).containsExactly("a:b", "c:d", "file");
        assertThat(names(globbed(new Path("/*/a:*")))).containsExactly("a:b");
        assertThat(globbed(new Path("/*/?:?/*"))[0].getPath()).isEqualTo(fs.makeQualified(new Path("/dir/c:d/e")));
        assertThat(fs.globStatus(new Path("/dir/*"), path -> path.getName().equals("a:b")))
                .hasSize(1);
        assertThat(fs.exists(old)).isTrue();
        fs.open(old).close();
        assertThat(fs.rename(old, new Path("/dir/a-b"))).isTrue();
        assertThat(fs.delete(new Path("/dir/c:d"), true)).isTrue();
        assertThat(names(globbed(new Path("/dir/*")))).containsExactly("a-b", "file");
    }

    private static List<String> names(FileStatus[] statuses) {
        return Arrays.stream(statuses).map(status -> status.getPath().getName()).toList();
    }

    // ---- names that are too long

    @ParameterizedTest
    @ValueSource(strings = {"/" + "dir/", "/dir/file/"})
    void whatNoFileCanBeCalledIsNotThere(String parent) throws IOException {
        Path path = new Path(parent + LONG);
        assertThat(fs.exists(path)).isFalse();
        assertThat(fs.delete(path, true)).isFalse();
        assertThat(fs.rename(path, new Path("/new"))).isFalse();
        assertThat(fs.setReplication(path, (short) 2)).isFalse();
        for (Call call : List.<Call>of(
                fs -> fs.getFileStatus(path),
                fs -> fs.listStatus(path),
                fs -> fs.open(path),
                fs -> fs.append(path),
                fs -> fs.getContentSummary(path),
                fs -> fs.getXAttrs(path))) {
            assertThatThrownBy(() -> call.on(fs)).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void whatNoFileCanBeCalledIsNotMade() {
        for (Call call : List.<Call>of(
                fs -> fs.create(new Path("/dir/" + LONG)),
                fs -> fs.mkdirs(new Path("/dir/" + LONG)),
                fs -> fs.rename(new Path("/dir/file"), new Path("/dir/" + LONG)))) {
            assertThatThrownBy(() -> call.on(fs))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("NAME_TOO_LONG");
        }
    }

    // ---- numbers

    @ParameterizedTest
    @ValueSource(strings = {"/dir/file", "/dir/none", "/dir/file/below"})
    void blocksBeforeTheBeginningAreRefusedWhateverThePathIs(String path) {
        for (Path each : List.of(new Path(path), new Path(path, LONG))) {
            assertThatThrownBy(() -> fs.getFileBlockLocations(each, -1, 1000))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("block locations from -1");
        }
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, -1, 513, Short.MAX_VALUE})
    void copiesAreBounded(short copies) {
        assertThatThrownBy(() -> fs.setReplication(new Path("/dir/file"), copies))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(copies));
        assertThatThrownBy(() -> fs.create(new Path("/dir/new"), true, 4096, copies, 1 << 20))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(copies));
    }

    @Test
    void theNumberOfCopiesIsKept() throws IOException {
        Path file = new Path("/dir/file");
        assertThat(fs.getFileStatus(file).getReplication()).isEqualTo((short) 1);
        assertThat(fs.setReplication(file, (short) 3)).isTrue();
        assertThat(fs.getFileStatus(file).getReplication()).isEqualTo((short) 3);
        assertThat(fs.listStatus(new Path("/dir"))[0].getReplication()).isEqualTo((short) 3);
        assertThat(fs.setReplication(new Path("/dir"), (short) 3)).isFalse();
        assertThat(fs.setReplication(new Path("/none"), (short) 3)).isFalse();
        assertThat(fs.getFileStatus(new Path("/dir")).getReplication()).isEqualTo((short) 0);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aFileHasBlocks(long blockSize) {
        assertThatThrownBy(() -> fs.create(new Path("/dir/new"), true, 4096, (short) 1, blockSize))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(blockSize));
    }

    @Test
    void aBlockIsAtAsManyHostsAsItHasCopies() throws IOException {
        try (FSDataOutputStream out = fs.create(new Path("/dir/some"))) {
            out.write(new byte[100]);
        }
        assertThat(fs.setReplication(new Path("/dir/some"), (short) 3)).isTrue();
        BlockLocation[] blocks = fs.getFileBlockLocations(new Path("/dir/some"), 0, 100);
        assertThat(blocks).hasSize(1);
        assertThat(blocks[0].getHosts()).as("three are asked for").hasSize(1);
    }

    // ---- attributes

    @Test
    void parentsAreMadeWithTheModeOfTheDirectoryAbove() throws IOException {
        fs.setPermission(new Path("/dir"), new FsPermission((short) 01570));
        fs.create(new Path("/dir/a/b/new")).close();
        for (String made : List.of("/dir/a", "/dir/a/b")) {
            assertThat(fs.getFileStatus(new Path(made)).getPermission())
                    .as(made)
                    .isEqualTo(new FsPermission((short) 0770));
        }
    }

    @Test
    void namespacesOfXattrsMayBeInCapitals() throws IOException {
        Path file = new Path("/dir/file");
        fs.setXAttr(file, "USER.a", new byte[] {1});
        assertThat(fs.getXAttr(file, "user.a")).containsExactly(1);
        assertThat(fs.getXAttr(file, "User.a")).containsExactly(1);
        for (String none : List.of("a", "user.", ".a", "nobody.a")) {
            assertThatThrownBy(() -> fs.setXAttr(file, none, new byte[1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + none + "'");
        }
    }

    @Test
    void theWorkingDirectoryStaysAsItWasGiven() throws IOException {
        fs.setWorkingDirectory(new Path("/dir"));
        assertThat(fs.getWorkingDirectory()).isEqualTo(new Path("/dir"));
        assertThat(fs.exists(new Path("file"))).isTrue();
    }

    // ---- what tools ask

    @Test
    void countsWithErasureCodingAreTold() throws IOException {
        ContentSummary file = fs.getContentSummary(new Path("/dir/file"));
        assertThat(file.getErasureCodingPolicy()).isEqualTo("Replicated");
        assertThat(file.toErasureCodingPolicy()).contains("Replicated");
        ContentSummary directory = fs.getContentSummary(new Path("/dir"));
        assertThat(directory.getErasureCodingPolicy()).isEmpty();
        assertThat(directory.toErasureCodingPolicy()).contains("EC:");
    }

    @Test
    void closedThings() throws IOException {
        FSDataOutputStream out = fs.create(new Path("/dir/closed"));
        out.close();
        out.flush();
        out.close();
        SteadFileSystem closed = recorder.fileSystem(new Configuration(false));
        closed.close();
        for (Call call : List.<Call>of(
                fs -> fs.create(new Path("/dir/new")),
                fs -> fs.createFile(new Path("/dir/new")).build(),
                fs -> fs.getFileStatus(new Path("/dir")),
                fs -> fs.exists(new Path("/dir")),
                fs -> fs.mkdirs(new Path("/dir")))) {
            assertThatThrownBy(() -> call.on(closed))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessageContaining("Filesystem closed");
        }
    }

    private FileStatus[] globbed(Path pattern) throws IOException {
        return Objects.requireNonNull(fs.globStatus(pattern));
    }
}
