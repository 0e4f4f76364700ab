package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The adapter over a reference file system: what it answers, and how many requests that takes. */
class SteadFileSystemTest {
    private final Recorder recorder = new Recorder();
    private final Configuration conf = new Configuration(false);
    private SteadFileSystem fs;

    @BeforeEach
    void open() throws IOException {
        fs = recorder.fileSystem(conf);
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
    }

    private static Path path(String text) {
        return new Path(text);
    }

    private void write(String path, String text) throws IOException {
        try (FSDataOutputStream out = fs.create(path(path))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private String read(String path) throws IOException {
        try (FSDataInputStream in = fs.open(path(path))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static <T> List<T> all(RemoteIterator<T> iterator) throws IOException {
        List<T> list = new ArrayList<>();
        while (iterator.hasNext()) {
            list.add(iterator.next());
        }
        return list;
    }

    // ---- how Hadoop finds it

    @Test
    void theServiceLoaderFindsItAndFileContextsFollow() throws IOException {
        assertThat(ServiceLoader.load(FileSystem.class))
                .anySatisfy(found -> assertThat(found).isExactlyInstanceOf(SteadFileSystem.class));
        Configuration plain = new Configuration();
        assertThat(FileSystem.getFileSystemClass("stead", plain)).isEqualTo(SteadFileSystem.class);
        assertThat(plain.get("fs.AbstractFileSystem.stead.impl")).isEqualTo(Stead.class.getName());
    }

    @Test
    void urisAndDirectories() throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        assertThat(fs.getUri()).isEqualTo(Recorder.URI_OF_IT);
        assertThat(fs.getScheme()).isEqualTo("stead");
        assertThat(fs.getCanonicalServiceName()).isNull();
        assertThat(fs.getHomeDirectory()).isEqualTo(path("stead://reference:7410/user/" + user));
        assertThat(fs.getWorkingDirectory()).isEqualTo(fs.getHomeDirectory());
        fs.setWorkingDirectory(path("below"));
        assertThat(fs.makeQualified(path("x"))).isEqualTo(path("stead://reference:7410/user/" + user + "/below/x"));
        assertThatThrownBy(() -> fs.getFileStatus(path("stead://elsewhere:7410/x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Wrong FS");
    }

    @Test
    void pathsThatNoFileCanHave() {
        assertThatThrownBy(() -> fs.getFileStatus(path("/a/\0"))).isInstanceOf(InvalidPathException.class);
        assertThatThrownBy(() -> fs.mkdirs(path("/" + "x".repeat(256))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("NAME_TOO_LONG");
    }

    // ---- requests

    @Test
    void requestsOfEachOperation() throws Exception {
        write("/d/a", "text");
        FileStatus status = fs.getFileStatus(path("/d/a"));
        recorder.takeCalls();

        fs.getFileStatus(path("/d"));
        assertThat(recorder.takeCalls()).containsExactly("stat");
        fs.exists(path("/none"));
        assertThat(recorder.takeCalls()).containsExactly("find");
        fs.open(path("/d/a")).close();
        assertThat(recorder.takeCalls()).containsExactly("open");
        fs.openFile(path("/d/a")).withFileStatus(status).build().get().close();
        assertThat(recorder.takeCalls()).containsExactly("open");
        fs.create(path("/new/file"), false).close();
        assertThat(recorder.takeCalls()).containsExactly("create");
        fs.createFile(path("/new/file2")).overwrite(true).recursive().build().close();
        assertThat(recorder.takeCalls()).containsExactly("create");
        fs.mkdirs(path("/new/dir"));
        assertThat(recorder.takeCalls()).containsExactly("mkdirs");
        fs.rename(path("/new/file"), path("/new/dir"));
        assertThat(recorder.takeCalls()).containsExactly("rename");
        fs.rename(path("/new/file2"), path("/new/dir/file"), Options.Rename.OVERWRITE);
        assertThat(recorder.takeCalls()).containsExactly("rename");
        fs.delete(path("/new"), true);
        assertThat(recorder.takeCalls()).containsExactly("delete");
        fs.getContentSummary(path("/d"));
        assertThat(recorder.takeCalls()).containsExactly("contentSummary");
        fs.getServerDefaults(path("/"));
        fs.getDefaultBlockSize(path("/"));
        assertThat(recorder.takeCalls()).isEmpty();
        assertThat(fs.getStatus().getCapacity()).isEqualTo(1L << 40);
        assertThat(recorder.takeCalls()).containsExactly("clusterMap");
    }

    @Test
    void aListingSaysWhereTheBytesAre() throws IOException {
        write("/d/b", "text");
        write("/d/a", "more text");
        fs.mkdirs(path("/d/c"));
        recorder.takeCalls();
        FileStatus[] listed = fs.listStatus(path("/d"));
        for (FileStatus status : listed) {
            assertThat(status).isInstanceOf(LocatedFileStatus.class);
            if (status.isFile()) {
                BlockLocation[] blocks = Objects.requireNonNull(fs.getFileBlockLocations(status, 0, status.getLen()));
                assertThat(blocks).hasSize(1);
                assertThat(blocks[0].getHosts()).containsExactly("reference.example");
                assertThat(((LocatedFileStatus) status).getBlockLocations()).hasSize(1);
            } else {
                assertThatThrownBy(() -> fs.getFileBlockLocations(status, 0, 1))
                        .isInstanceOf(FileNotFoundException.class);
                assertThat(((LocatedFileStatus) status).getBlockLocations()).isNull();
            }
        }
        assertThat(listed).extracting(status -> status.getPath().getName()).containsExactly("a", "b", "c");
        assertThat(all(fs.listLocatedStatus(path("/d")))).hasSize(3);
        assertThat(recorder.takeCalls()).containsExactly("listSorted", "list");
    }

    @Test
    void filesBelowComeFromOneWalkOfTheServers() throws IOException {
        write("/d/x/y/1", "1");
        write("/d/x+z/2", "2");
        fs.mkdirs(path("/d/empty"));
        recorder.takeCalls();
        assertThat(all(fs.listFiles(path("/d"), true)))
                .extracting(LocatedFileStatus::getPath)
                .containsExactlyInAnyOrder(fs.makeQualified(path("/d/x/y/1")), fs.makeQualified(path("/d/x+z/2")));
        assertThat(recorder.takeCalls()).containsExactly("listTree");
        assertThat(all(fs.listFiles(path("/d"), false))).isEmpty();
        assertThat(all(fs.listFiles(path("/d/x/y/1"), true))).hasSize(1);
        assertThatThrownBy(() -> fs.listFiles(path("/none"), true)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.listFiles(path("/d/x/y/1/z"), true)).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    @SuppressWarnings("deprecation")
    void countsOperationsAndBytes() throws IOException {
        FileSystem.Statistics statistics = FileSystem.getStatistics("stead", SteadFileSystem.class);
        statistics.reset();
        write("/d/a", "12345");
        assertThat(read("/d/a")).isEqualTo("12345");
        assertThat(statistics.getBytesWritten()).isEqualTo(5);
        assertThat(statistics.getBytesRead()).isEqualTo(5);
        assertThat(statistics.getWriteOps()).isEqualTo(1);
        assertThat(statistics.getReadOps()).isEqualTo(1);
        assertThat(fs.getStorageStatistics().getLong("op_create")).isEqualTo(1);
        assertThat(fs.getStorageStatistics().getLong("messages.out.STAT")).isEqualTo(7);
        assertThat(fs.getStorageStatistics().isTracked("no.such.thing")).isFalse();
    }

    // ---- names, as HDFS answers

    @Test
    void renameOfTwoArgumentsReturnsFalseWhereHdfsDoes() throws IOException {
        write("/a", "a");
        write("/b", "b");
        fs.mkdirs(path("/d/a"));
        assertThat(fs.rename(path("/none"), path("/x"))).as("source missing").isFalse();
        assertThat(fs.rename(path("/a"), path("/b"))).as("target is a file").isFalse();
        assertThat(fs.rename(path("/a"), path("/none/a")))
                .as("target's parent missing")
                .isFalse();
        assertThat(fs.rename(path("/a"), path("/d")))
                .as("name taken in the target")
                .isFalse();
        assertThat(fs.rename(path("/d"), path("/d/a/x"))).as("below itself").isFalse();
        assertThat(fs.rename(path("/d"), path("/d")))
                .as("directory onto itself")
                .isFalse();
        assertThat(fs.rename(path("/"), path("/x"))).as("the root").isFalse();
        assertThat(fs.rename(path("/a"), path("/a"))).as("file onto itself").isTrue();
        assertThat(fs.rename(path("/a"), path("/")))
                .as("file into its own directory")
                .isTrue();
        assertThat(fs.rename(path("/a"), path("/d/a"))).as("into a directory").isTrue();
        assertThat(read("/d/a/a")).isEqualTo("a");
        assertThatThrownBy(() -> fs.rename(path("/d"), path("/b/x"))).isInstanceOf(ParentNotDirectoryException.class);
    }

    @Test
    void renameOfThreeArgumentsThrows() throws IOException {
        write("/a", "a");
        write("/b", "b");
        write("/full/x", "x");
        fs.mkdirs(path("/empty"));
        fs.mkdirs(path("/d"));
        assertThatThrownBy(() -> fs.rename(path("/none"), path("/x"), Options.Rename.NONE))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.rename(path("/a"), path("/b"), Options.Rename.NONE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.rename(path("/a"), path("/a"), Options.Rename.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.rename(path("/a"), path("/d"), Options.Rename.OVERWRITE))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.rename(path("/d"), path("/full"), Options.Rename.OVERWRITE))
                .isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThatThrownBy(() -> fs.rename(path("/d"), path("/d/below"), Options.Rename.OVERWRITE))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.rename(path("/a"), path("/none/a"), Options.Rename.OVERWRITE))
                .isInstanceOf(FileNotFoundException.class);
        fs.rename(path("/a"), path("/b"), Options.Rename.OVERWRITE);
        assertThat(read("/b")).isEqualTo("a");
        fs.rename(path("/full"), path("/empty"), Options.Rename.OVERWRITE);
        assertThat(read("/empty/x")).isEqualTo("x");
    }

    @Test
    void deleteAnswersWhetherThereWasSomething() throws IOException {
        write("/d/a", "a");
        assertThat(fs.delete(path("/none"), true)).isFalse();
        assertThat(fs.delete(path("/d/a/below"), true)).isFalse();
        assertThatThrownBy(() -> fs.delete(path("/d"), false)).isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThat(fs.delete(path("/d"), true)).isTrue();
        write("/a", "a");
        assertThatThrownBy(() -> fs.delete(path("/"), false)).isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThat(fs.delete(path("/"), true))
                .as("the root stays, with what is in it")
                .isFalse();
        assertThat(fs.exists(path("/a"))).isTrue();
    }

    @Test
    @SuppressWarnings("deprecation")
    void filesAndDirectoriesAreToldApart() throws IOException {
        write("/d/a", "a");
        assertThat(fs.isFile(path("/d/a"))).isTrue();
        assertThat(fs.isDirectory(path("/d/a"))).isFalse();
        assertThat(fs.isFile(path("/d"))).isFalse();
        assertThat(fs.isDirectory(path("/d"))).isTrue();
        for (String absent : List.of("/none", "/d/a/below", "/" + "n".repeat(256))) {
            assertThat(fs.exists(path(absent))).isFalse();
            assertThat(fs.isFile(path(absent))).isFalse();
            assertThat(fs.isDirectory(path(absent))).isFalse();
        }
        recorder.takeCalls();
        assertThat(fs.isFile(path("/none")) || fs.isDirectory(path("/none"))).isFalse();
        assertThat(recorder.takeCalls()).containsExactly("find", "find");
    }

    @Test
    void theExceptionForAnAbsentNameHasTheStackTraceOfItsCaller() {
        assertThat(catchThrowable(() -> fs.getFileStatus(path("/none"))))
                .isExactlyInstanceOf(FileNotFoundException.class)
                .hasMessageStartingWith("stead://reference:7410/none: NOT_FOUND")
                .hasStackTraceContaining(getClass().getName());
    }

    @Test
    void lookingBelowAFileFindsNothingAndMakingThereIsRefused() throws IOException {
        write("/a", "a");
        assertThat(fs.exists(path("/a/b"))).isFalse();
        assertThatThrownBy(() -> fs.getFileStatus(path("/a/b"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.mkdirs(path("/a/b"))).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.create(path("/a/b"))).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> fs.mkdirs(path("/a"))).isInstanceOf(FileAlreadyExistsException.class);
        fs.mkdirs(path("/d"));
        assertThatThrownBy(() -> fs.create(path("/d"), true)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.open(path("/d"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void umaskIsAppliedOnceByTheClient() throws IOException {
        fs.getConf().set("fs.permissions.umask-mode", "027");
        fs.create(path("/x/file")).close();
        fs.mkdirs(path("/y"), new FsPermission((short) 0777));
        assertThat(fs.getFileStatus(path("/x/file")).getPermission().toShort()).isEqualTo((short) 0640);
        assertThat(fs.getFileStatus(path("/x")).getPermission().toShort())
                .as("as the directory above")
                .isEqualTo((short) 0755);
        assertThat(fs.getFileStatus(path("/y")).getPermission().toShort()).isEqualTo((short) 0750);
        fs.setPermission(path("/y"), new FsPermission((short) 01777));
        assertThat(fs.getFileStatus(path("/y")).getPermission().toShort()).isEqualTo((short) 01777);
    }

    @Test
    void onlyWhatIsMadeNeedsAUmask() throws IOException {
        write("/log", "a");
        fs.getConf().set("fs.permissions.umask-mode", "twenty");
        FsPermission permission = FsPermission.getFileDefault();
        fs.create(path("/log"), permission, EnumSet.of(CreateFlag.APPEND), 0, (short) 1, 1 << 20, null, null)
                .close();
        assertThatThrownBy(() -> fs.create(
                        path("/other"), permission, EnumSet.of(CreateFlag.CREATE), 0, (short) 1, 1 << 20, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fs.permissions.umask-mode");
        assertThatThrownBy(() -> fs.mkdirs(new Path("file:///elsewhere"), permission))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Wrong FS");
    }

    /** A directory without execute bits could be entered by nobody but a superuser. */
    @Test
    void aDirectoryWithoutPermissionGetsTheDefaultOfDirectories() throws IOException {
        fs.getConf().set("fs.permissions.umask-mode", "022");
        fs.mkdirs(path("/d"), null);
        assertThat(fs.getFileStatus(path("/d")).getPermission().toShort()).isEqualTo((short) 0755);
    }

    @Test
    void otherUsersAreRefused() throws Exception {
        write("/private/a", "a");
        fs.setPermission(path("/private"), new FsPermission((short) 0700));
        UserGroupInformation bob = UserGroupInformation.createUserForTesting("bob", new String[] {"bobs"});
        bob.doAs((java.security.PrivilegedExceptionAction<Void>) () -> {
            try (FileSystem other = recorder.fileSystem(conf)) {
                assertThat(other.getHomeDirectory().getName()).isEqualTo("bob");
                assertThatThrownBy(() -> other.open(path("/private/a"))).isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> other.mkdirs(path("/mine"))).isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> other.exists(path("/private/a"))).isInstanceOf(AccessControlException.class);
            }
            return null;
        });
    }

    @Test
    void attributes() throws IOException {
        write("/a", "a");
        fs.setTimes(path("/a"), 1000, -1);
        assertThat(fs.getFileStatus(path("/a")).getModificationTime()).isEqualTo(1000);
        fs.setOwner(path("/a"), "someone", null);
        assertThat(fs.getFileStatus(path("/a")).getOwner()).isEqualTo("someone");
        assertThatThrownBy(() -> fs.setOwner(path("/a"), null, null)).isInstanceOf(IOException.class);
        assertThat(fs.setReplication(path("/a"), (short) 1)).isTrue();
        assertThat(fs.setReplication(path("/a"), (short) 3)).isTrue();
        assertThat(fs.getFileStatus(path("/a")).getReplication()).isEqualTo((short) 3);

        fs.setXAttr(path("/a"), "user.x", new byte[] {1});
        assertThat(fs.getXAttr(path("/a"), "user.x")).containsExactly(1);
        assertThat(fs.listXAttrs(path("/a"))).containsExactly("user.x");
        assertThatThrownBy(() -> fs.setXAttr(path("/a"), "user.x", new byte[] {2}, EnumSet.of(XAttrSetFlag.CREATE)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.getXAttr(path("/a"), "user.y")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.setXAttr(path("/a"), "nonsense", new byte[0]))
                .isInstanceOf(HadoopIllegalArgumentException.class);
        fs.removeXAttr(path("/a"), "user.x");
        assertThat(fs.getXAttrs(path("/a"))).isEmpty();
    }

    // ---- data

    @Test
    void checksumIsTheCompositeCrc() throws IOException {
        write("/a", "123456789");
        CRC32C crc = new CRC32C();
        crc.update("123456789".getBytes(StandardCharsets.UTF_8));
        assertThat(fs.getFileChecksum(path("/a")).getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(path("/a")).getBytes()).getInt())
                .isEqualTo((int) crc.getValue())
                .isEqualTo(0xe3069283);
        write("/b", "123456789 and more");
        assertThat(fs.getFileChecksum(path("/b"), 9)).isEqualTo(fs.getFileChecksum(path("/a")));
        assertThat(fs.getFileChecksum(path("/b"), 10)).isNotEqualTo(fs.getFileChecksum(path("/a")));
        assertThat(fs.getFileChecksum(path("/a"))).isInstanceOf(CompositeCrcFileChecksum.class);
        assertThatThrownBy(() -> fs.getFileChecksum(path("/"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    @SuppressWarnings("deprecation")
    void aFlushedFileIsReadByNewReaders() throws IOException {
        try (FSDataOutputStream out = fs.create(path("/a"))) {
            assertThat(fs.exists(path("/a"))).isTrue();
            out.writeBytes("one");
            out.hflush();
            assertThat(read("/a")).isEqualTo("one");
            out.writeBytes("two");
            out.hsync();
            assertThat(read("/a")).isEqualTo("onetwo");
            assertThat(out.hasCapability(StreamCapabilities.HFLUSH)).isTrue();
            assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isTrue();
            assertThat(out.hasCapability(StreamCapabilities.ABORTABLE_STREAM)).isFalse();
        }
    }

    @Test
    void aClosedOutputTakesNothingAndClosesAgain() throws IOException {
        FSDataOutputStream out = fs.create(path("/a"));
        out.close();
        out.close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(out::hflush).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(out::hsync).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void closingTheFileSystemCompletesItsFiles() throws IOException {
        SteadFileSystem other = recorder.fileSystem(conf);
        other.create(path("/a")).writeBytes("kept");
        other.create(path("/b")).close();
        assertThat(other.deleteOnExit(path("/b"))).isTrue();
        other.close();
        other.close();
        assertThat(read("/a")).isEqualTo("kept");
        assertThat(fs.exists(path("/b"))).isFalse();
        assertThat(recorder.closed()).isEqualTo(1);
        assertThatThrownBy(() -> other.getFileStatus(path("/a"))).hasMessageContaining("closed");
    }

    @Test
    void severalThreadsWriteOneStream() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (FSDataOutputStream out = fs.create(path("/a"))) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                byte[] line = new byte[100];
                Arrays.fill(line, (byte) ('a' + thread));
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        ((SteadOutputStream) out.getWrappedStream()).write(line, 0, line.length);
                    }
                    return null;
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        } finally {
            threads.shutdown();
        }
        String text = read("/a");
        assertThat(text).hasSize(40_000);
        for (int line = 0; line < 400; line++) {
            String part = text.substring(line * 100, line * 100 + 100);
            assertThat(part).isEqualTo(part.substring(0, 1).repeat(100));
        }
    }

    @Test
    void positionedReadsDoNotMoveTheStream() throws IOException {
        write("/a", "0123456789");
        try (FSDataInputStream in = fs.open(path("/a"))) {
            byte[] two = new byte[2];
            assertThat(in.read(8, two, 0, 2)).isEqualTo(2);
            assertThat(two).containsExactly('8', '9');
            assertThat(in.getPos()).isZero();
            ByteBuffer direct = ByteBuffer.allocateDirect(4);
            in.readFully(3, direct);
            assertThat(direct.flip().get()).isEqualTo((byte) '3');
            assertThatThrownBy(() -> in.readFully(9, two)).isInstanceOf(EOFException.class);
            assertThat(in.read(10, two, 0, 2)).isEqualTo(-1);
            ByteBuffer all = ByteBuffer.allocate(100);
            assertThat(in.read(all)).isEqualTo(10);
            assertThat(in.read(all)).isEqualTo(-1);
            assertThatThrownBy(() -> in.seek(11)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.seek(-1)).isInstanceOf(EOFException.class);
            in.seek(4);
            in.unbuffer();
            assertThat(in.read()).isEqualTo('4');
        }
    }

    @Test
    void vectoredReadsJoinWhatIsNear() throws Exception {
        conf.set("fs.stead.read.vectored.min.seek", "4");
        try (SteadFileSystem joining = recorder.fileSystem(conf)) {
            write("/a", "0123456789abcdef");
            List<FileRange> ranges = List.of(
                    FileRange.createFileRange(12, 2), FileRange.createFileRange(0, 2), FileRange.createFileRange(4, 3));
            List<ByteBuffer> given = new ArrayList<>();
            try (FSDataInputStream in = joining.open(path("/a"))) {
                in.readVectored(ranges, size -> {
                    // A pool's buffers may be larger than wanted.
                    ByteBuffer buffer = ByteBuffer.allocate(size + 10);
                    given.add(buffer);
                    return buffer;
                });
                StringBuilder text = new StringBuilder();
                for (FileRange range : ranges) {
                    ByteBuffer buffer = range.getData().get();
                    assertThat(given).anySatisfy(one -> assertThat(one).isSameAs(buffer));
                    text.append(StandardCharsets.UTF_8.decode(buffer.duplicate()))
                            .append(' ');
                }
                assertThat(text.toString()).isEqualTo("cd 01 456 ");
                assertThat(((SteadInputStream) in.getWrappedStream())
                                .getIOStatistics()
                                .counters())
                        .containsEntry("stream_read_vectored_incoming_ranges", 3L)
                        .containsEntry("stream_read_vectored_combined_ranges", 2L)
                        .containsEntry("stream_read_bytes", 9L);
                assertThatThrownBy(
                                () -> in.readVectored(List.of(FileRange.createFileRange(15, 2)), ByteBuffer::allocate))
                        .isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void mandatoryOptionsMustBeKnown() throws Exception {
        write("/a", "a");
        assertThatThrownBy(() ->
                        fs.createFile(path("/b")).must("fs.stead.nonsense", 1).build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        fs.openFile(path("/a")).must("fs.stead.nonsense", 1).build())
                .isInstanceOf(IllegalArgumentException.class);
        fs.createFile(path("/b"))
                .must("fs.stead.create.width", 2)
                .must("fs.option.create.conditional.overwrite", true)
                .opt("fs.stead.nonsense", 1)
                .build()
                .close();
        assertThatThrownBy(() -> fs.createFile(path("/b"))
                        .must("fs.option.create.conditional.overwrite", true)
                        .build())
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> fs.createFile(path("/none/b")).build()).isInstanceOf(FileNotFoundException.class);
        fs.openFile(path("/a"))
                .must("fs.option.openfile.read.policy", "unheard-of, random")
                .mustLong("fs.option.openfile.length", 1)
                .build()
                .get()
                .close();
        assertThatThrownBy(() -> fs.openFile(path("/a"))
                        .withFileStatus(fs.getFileStatus(path("/b")))
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writersComeAndGo() throws IOException {
        write("/a", "first");
        try (FSDataOutputStream out = fs.append(path("/a"))) {
            assertThat(out.getPos()).isEqualTo(5);
            out.writeBytes(", second");
            assertThat(fs.isFileClosed(path("/a"))).isFalse();
            assertThatThrownBy(() -> fs.append(path("/a")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("FILE_OPEN");
            assertThatThrownBy(() -> fs.truncate(path("/a"), 0)).hasMessageContaining("FILE_OPEN");
        }
        assertThat(fs.isFileClosed(path("/a"))).isTrue();
        assertThat(fs.getFileStatus(path("/a")).getLen()).isEqualTo(13);
        assertThat(fs.truncate(path("/a"), 4)).isTrue();
        assertThat(fs.getFileStatus(path("/a")).getLen()).isEqualTo(4);
        assertThatThrownBy(() -> fs.truncate(path("/a"), 5)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> fs.truncate(path("/a"), -1)).isInstanceOf(IllegalArgumentException.class);

        FSDataOutputStream late = fs.append(path("/a"));
        late.writeBytes("lost");
        assertThat(fs.recoverLease(path("/a"))).isFalse();
        assertThat(fs.recoverLease(path("/a"))).isTrue();
        assertThatThrownBy(late::close).isInstanceOf(IOException.class).hasMessageContaining("STALE_GENERATION");
        assertThat(fs.getFileStatus(path("/a")).getLen()).isEqualTo(4);

        assertThatThrownBy(() -> fs.append(path("/none"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.recoverLease(path("/"))).hasMessageContaining("Path is not a file");
        assertThatThrownBy(() -> fs.isFileClosed(path("/none"))).hasMessageContaining("File does not exist");
        for (String offered : List.of(
                CommonPathCapabilities.FS_APPEND,
                CommonPathCapabilities.FS_TRUNCATE,
                CommonPathCapabilities.LEASE_RECOVERABLE)) {
            assertThat(fs.hasPathCapability(path("/a"), offered)).as(offered).isTrue();
        }
    }

    @Test
    void whatIsNotOfferedSaysSo() throws IOException {
        write("/a", "a");
        assertThatThrownBy(() -> fs.concat(path("/a"), new Path[] {path("/a")}))
                .isInstanceOf(UnsupportedOperationException.class);
        try (SymlinkSwitch off = new SymlinkSwitch(false)) {
            assertThat(off).isNotNull();
            assertThatThrownBy(() -> fs.createSymlink(path("/a"), path("/l"), false))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("fs.symlinks.enabled");
        }
        assertThatThrownBy(() -> fs.getAclStatus(path("/a"))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> fs.createSnapshot(path("/"))).isInstanceOf(UnsupportedOperationException.class);
        for (String missing :
                List.of(CommonPathCapabilities.FS_ACLS, CommonPathCapabilities.FS_SNAPSHOTS, "nonsense")) {
            assertThat(fs.hasPathCapability(path("/a"), missing)).as(missing).isFalse();
        }
        assertThat(fs.hasPathCapability(path("/a"), CommonPathCapabilities.FS_XATTRS))
                .isTrue();
        assertThat(fs.hasPathCapability(path("stead://elsewhere:1/a"), "nonsense"))
                .isFalse();
    }

    @Test
    void aSerializedStatusIsAPlainOne() throws Exception {
        write("/a", "text");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(fs.getFileStatus(path("/a")));
        Object back = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        assertThat(back).isExactlyInstanceOf(LocatedFileStatus.class).isEqualTo(fs.getFileStatus(path("/a")));
        assertThat(((LocatedFileStatus) back).getBlockLocations()).hasSize(1);
    }
}
