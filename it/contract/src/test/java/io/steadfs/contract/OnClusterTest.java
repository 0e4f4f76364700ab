package io.steadfs.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics.LongStatistic;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Hadoop's suites do not ask: striped data, several clients, messages, permission to read. */
class OnClusterTest {
    private static final Path TOP = new Path("/OnClusterTest");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");

    private FileSystem fs;

    @BeforeEach
    void open() throws IOException {
        fs = FileSystem.newInstance(Cluster.uri(), Cluster.configuration());
        fs.mkdirs(TOP);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(TOP, true);
        fs.close();
    }

    private static Path path(String name) {
        return new Path(TOP, name);
    }

    private void write(Path path, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path)) {
            out.write(bytes);
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private Map<String, Long> messages() {
        Map<String, Long> messages = new TreeMap<>();
        for (var all = fs.getStorageStatistics().getLongStatistics(); all.hasNext(); ) {
            LongStatistic statistic = all.next();
            if (statistic.getName().startsWith("messages.out.")) {
                messages.put(statistic.getName().substring("messages.out.".length()), statistic.getValue());
            }
        }
        return messages;
    }

    /** Messages since an earlier count. */
    private Map<String, Long> messagesSince(Map<String, Long> before) {
        Map<String, Long> since = messages();
        before.forEach((kind, count) -> since.merge(kind, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        since.remove("RENEW_SESSION");
        return since;
    }

    /** So the suites do not pass because no directory splits. */
    @Test
    void directoriesSplitAndListAllTheSame() throws Exception {
        assumeTrue(Cluster.SPLIT_ENTRIES < 100, "only where few names split a directory");
        Path wide = path("wide");
        Set<String> names = new TreeSet<>();
        for (int i = 0; i <= 4 * Cluster.SPLIT_ENTRIES; i++) {
            write(new Path(wide, "file-" + i), random(1));
            names.add("file-" + i);
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            SteadCommand.Ended partitions =
                    SteadCommand.run("fs", "--uri", Cluster.uri().toString(), "--json", "-partitions", wide.toString());
            assertThat(HASH.matcher(partitions.printed()).results())
                    .as("first and last hash of each partition: %s", partitions.printed())
                    .hasSizeGreaterThan(2);
        });
        assertThat(fs.listStatus(wide))
                .extracting(each -> each.getPath().getName())
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void aSmallFileTakesThreeMessages() throws IOException {
        write(path("first"), random(1));
        Map<String, Long> before = messages();
        write(path("small"), random(4096));
        assertThat(messagesSince(before)).isEqualTo(Map.of("CREATE", 1L, "WRITE", 1L, "CLOSE", 1L));
    }

    @Test
    void aListingMakesReadingFree() throws Exception {
        write(path("a"), random(5000));
        write(path("b"), random(7000));
        Map<String, Long> before = messages();
        long bytes = 0;
        for (FileStatus status : fs.listStatus(TOP)) {
            assertThat(fs.getFileBlockLocations(status, 0, status.getLen())).hasSize(1);
            try (FSDataInputStream in =
                    fs.openFile(status.getPath()).withFileStatus(status).build().get()) {
                bytes += in.readAllBytes().length;
            }
        }
        assertThat(bytes).isEqualTo(12_000);
        assertThat(messagesSince(before)).isEqualTo(Map.of("LIST", 1L, "READ", 2L));
    }

    @Test
    void aStripedFileReadsBackInEveryWay() throws Exception {
        byte[] bytes = random(10_000_000);
        Path file = path("striped");
        write(file, bytes);

        FileStatus status = fs.getFileStatus(file);
        assertThat(status.getLen()).isEqualTo(bytes.length);
        BlockLocation[] blocks = ((LocatedFileStatus) status).getBlockLocations();
        assertThat(blocks).hasSize(1);
        assertThat(blocks[0].getNames()).as("one copy").hasSize(1);

        try (FSDataInputStream in = fs.open(file)) {
            assertThat(Arrays.equals(in.readAllBytes(), bytes)).isTrue();
            byte[] part = new byte[3_000_000];
            in.readFully(999_999, part);
            assertThat(Arrays.equals(part, 0, part.length, bytes, 999_999, 3_999_999))
                    .isTrue();
            ByteBuffer direct = ByteBuffer.allocateDirect(70_000);
            in.readFully(4_150_000, direct);
            assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(bytes, 4_150_000, 70_000));

            List<FileRange> ranges = new ArrayList<>();
            for (int i = 0; i < 90; i++) {
                ranges.add(FileRange.createFileRange(i * 111_111L, 1000 + i));
            }
            in.readVectored(ranges, ByteBuffer::allocateDirect);
            for (FileRange range : ranges) {
                assertThat(range.getData().get())
                        .isEqualTo(ByteBuffer.wrap(bytes, (int) range.getOffset(), range.getLength()));
            }
        }

        CRC32C crc = new CRC32C();
        crc.update(bytes);
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(file).getBytes()).getInt())
                .isEqualTo((int) crc.getValue());
        CRC32C prefix = new CRC32C();
        prefix.update(bytes, 0, 1_234_567);
        assertThat(ByteBuffer.wrap(fs.getFileChecksum(file, 1_234_567).getBytes())
                        .getInt())
                .isEqualTo((int) prefix.getValue());
    }

    @Test
    void widthAndStripSizeAreOptionsOfOneFile() throws IOException {
        byte[] bytes = random(300_000);
        Path file = path("narrow");
        try (FSDataOutputStream out = (FSDataOutputStream) fs.createFile(file)
                .blockSize(65_536)
                .must("fs.stead.create.width", 2)
                .must("fs.stead.create.strip.size", 65_536)
                .build()) {
            out.write(bytes);
        }
        assertThat(((LocatedFileStatus) fs.getFileStatus(file)).getBlockLocations())
                .extracting(block -> block.getNames()[0])
                .as("a block for each strip, on two servers in turn")
                .hasSize(5)
                .satisfies(names -> assertThat(Set.copyOf(names)).hasSize(2));
        try (FSDataInputStream in = fs.open(file)) {
            assertThat(in.readAllBytes()).isEqualTo(bytes);
        }
    }

    @Test
    void anotherClientSeesWhatWasFlushed() throws IOException {
        try (FileSystem other = FileSystem.newInstance(Cluster.uri(), Cluster.configuration());
                FSDataOutputStream out = fs.create(path("open"))) {
            assertThat(other.exists(path("open"))).isTrue();
            assertThatThrownBy(() -> other.create(path("open"), false)).isInstanceOf(FileAlreadyExistsException.class);
            out.write("one".getBytes(StandardCharsets.UTF_8));
            out.hflush();
            out.write("two".getBytes(StandardCharsets.UTF_8));
            try (FSDataInputStream in = other.open(path("open"))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo("one");
            }
            out.hsync();
            try (FSDataInputStream in = other.open(path("open"))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo("onetwo");
            }
        }
    }

    @Test
    void aReplacedTargetIsNeverMissing() throws Exception {
        Path target = path("target");
        write(target, random(10));
        FileContext context = FileContext.getFileContext(Cluster.uri(), Cluster.configuration());
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (FileSystem other = FileSystem.newInstance(Cluster.uri(), Cluster.configuration())) {
            Future<Integer> looked = thread.submit(() -> {
                int looks = 0;
                for (; !done.get(); looks++) {
                    assertThat(other.getFileStatus(target).getLen()).isEqualTo(10);
                }
                return looks;
            });
            for (int i = 0; i < 50; i++) {
                write(path("source"), random(10));
                context.rename(path("source"), target, Options.Rename.OVERWRITE);
            }
            done.set(true);
            assertThat(looked.get()).isPositive();
        } finally {
            done.set(true);
            thread.shutdown();
        }
    }

    @Test
    void exclusiveCreateHasOneWinner() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<FileSystem> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                clients.add(FileSystem.newInstance(Cluster.uri(), Cluster.configuration()));
            }
            for (int round = 0; round < 10; round++) {
                Path file = path("round-" + round);
                List<Future<Boolean>> tries = new ArrayList<>();
                for (FileSystem client : clients) {
                    tries.add(threads.submit(() -> {
                        try (FSDataOutputStream out = client.create(file, false)) {
                            out.write(1);
                            return true;
                        } catch (FileAlreadyExistsException e) {
                            return false;
                        }
                    }));
                }
                int winners = 0;
                for (Future<Boolean> each : tries) {
                    winners += each.get() ? 1 : 0;
                }
                assertThat(winners).isEqualTo(1);
            }
        } finally {
            threads.shutdown();
            for (FileSystem client : clients) {
                client.close();
            }
        }
    }

    @Test
    void whoMayNotReadAFileCannotOpenIt() throws Exception {
        Path secret = path("secret");
        write(secret, random(100));
        fs.setPermission(secret, new FsPermission((short) 0640));
        Cluster.asAlice(() -> {
            FileSystem alice = FileSystem.get(Cluster.uri(), Cluster.configuration());
            assertThatThrownBy(() -> alice.open(secret)).isInstanceOf(AccessControlException.class);
            FileStatus status = alice.getFileStatus(secret);
            assertThatThrownBy(() -> alice.openFile(secret)
                            .withFileStatus(status)
                            .build()
                            .get())
                    .hasCauseInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> alice.getFileChecksum(secret)).isInstanceOf(AccessControlException.class);
            return null;
        });
        fs.setPermission(secret, new FsPermission((short) 0644));
        int length = Cluster.asAlice(() -> {
            try (FSDataInputStream in =
                    FileSystem.get(Cluster.uri(), Cluster.configuration()).open(secret)) {
                return in.readAllBytes().length;
            }
        });
        assertThat(length).isEqualTo(100);
    }
}
