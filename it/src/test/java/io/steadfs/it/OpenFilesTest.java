package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.path.FsPath;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files that others look at, read, delete and replace while they are written or read, through Hadoop's API, with two clients
 * and three shards: of which one has the name, and another may have the file.
 */
@Timeout(300)
class OpenFilesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int MIB = 1 << 20;

    private static final AtomicInteger DIRECTORIES = new AtomicInteger();

    private static Cluster cluster;
    private static FileSystem writing;
    private static FileSystem other;
    private static FileContext context;

    @BeforeAll
    static void start(@TempDir java.nio.file.Path directory) throws IOException {
        cluster = Cluster.start(directory, 4, Map.of());
        writing = FileSystem.newInstance(uri(), new Configuration());
        other = FileSystem.newInstance(uri(), new Configuration());
        context = FileContext.getFileContext(uri(), new Configuration());
    }

    @AfterAll
    static void stop() throws IOException {
        writing.close();
        other.close();
        cluster.close();
    }

    private static URI uri() {
        return cluster.local().uri();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** A directory below the root that is on a shard. */
    private static Path directory(String name, int shard) throws IOException {
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            while (true) {
                String tried = "/" + name + "-" + DIRECTORIES.incrementAndGet();
                if (fs.mkdirs(FsPath.parse(tried), 0755, true, true).handle().shard() == shard) {
                    return new Path(tried);
                }
            }
        }
    }

    private static int shardOf(Path file) throws IOException {
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            return fs.stat(FsPath.parse(file.toUri().getPath())).handle().shard();
        }
    }

    // ---- what others are told of the length

    /** By each way to ask. */
    private static Map<String, Long> told(Path file) throws IOException {
        Path parent = file.getParent();
        Map<String, Long> told = new TreeMap<>();
        FileStatus status = other.getFileStatus(file);
        told.put("getFileStatus", status.getLen());
        told.put("blocks of a status", sum(other.getFileBlockLocations(status, 0, Long.MAX_VALUE)));
        told.put("blocks of a path", sum(other.getFileBlockLocations(file, 0, Long.MAX_VALUE)));
        told.put("listStatus", of(file, List.of(other.listStatus(parent))));
        told.put("listStatus of the file", of(file, List.of(other.listStatus(file))));
        told.put("listStatusIterator", of(file, all(other.listStatusIterator(parent))));
        told.put("listLocatedStatus", of(file, all(other.listLocatedStatus(parent))));
        told.put("listFiles", of(file, all(other.listFiles(parent, false))));
        told.put("listFiles recursive", of(file, all(other.listFiles(new Path("/"), true))));
        told.put("globStatus", of(file, List.of(other.globStatus(new Path(parent, "*")))));
        told.put("content summary", other.getContentSummary(parent).getLength());
        told.put("content summary of the file", other.getContentSummary(file).getLength());
        told.put("space", other.getContentSummary(file).getSpaceConsumed());
        told.put("context's getFileStatus", context.getFileStatus(file).getLen());
        told.put("context's blocks", sum(context.getFileBlockLocations(file, 0, Long.MAX_VALUE)));
        told.put("context's listStatus", of(file, all(context.listStatus(parent))));
        told.put("context's listLocatedStatus", of(file, all(context.listLocatedStatus(parent))));
        told.put("context's listFiles", of(file, all(context.util().listFiles(new Path("/"), true))));
        told.put("context's glob", of(file, List.of(context.util().globStatus(new Path(parent, "*")))));
        told.put(
                "context's content summary",
                context.util().getContentSummary(parent).getLength());
        return told;
    }

    private static long sum(BlockLocation[] blocks) {
        return Arrays.stream(blocks).mapToLong(BlockLocation::getLength).sum();
    }

    private static <T extends FileStatus> List<FileStatus> all(RemoteIterator<T> listed) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        while (listed.hasNext()) {
            all.add(listed.next());
        }
        return all;
    }

    private static long of(Path file, List<FileStatus> listed) {
        return listed.stream()
                .filter(status ->
                        status.getPath().toUri().getPath().equals(file.toUri().getPath()))
                .mapToLong(FileStatus::getLen)
                .findFirst()
                .orElse(-1);
    }

    private static void assertTold(Path file, long length) throws IOException {
        Map<String, Long> told = told(file);
        assertThat(told.values()).as("%s, of %d bytes: %s", file, length, told).containsOnly(length);
    }

    @Test
    void everyWayToAskTellsWhatWasFlushed() throws IOException {
        for (int shard = 0; shard < 3; shard++) {
            Path file = new Path(directory("told", shard), "file");
            try (FSDataOutputStream out = writing.create(file)) {
                assertTold(file, 0);
                out.write(bytes(1_000));
                out.hflush();
                assertTold(file, 1_000);
                out.write(bytes(500));
                out.hsync();
                assertTold(file, 1_500);
                out.write(bytes(3 * MIB));
                out.hflush();
                assertTold(file, 1_500 + 3 * MIB);

                // The name moves to another shard, the file does not.
                Path moved = new Path(directory("moved", (shard + 1) % 3), "file");
                assertThat(writing.rename(file, moved)).isTrue();
                assertThat(shardOf(moved)).isEqualTo(shard);
                assertTold(moved, 1_500 + 3 * MIB);
                out.write(bytes(7));
                out.hflush();
                assertTold(moved, 1_507 + 3 * MIB);
                file = moved;
            }
            assertTold(file, 1_507 + 3 * MIB);
        }
    }

    @Test
    void whatWasToldIsToldAfterARestartOfAllServers() throws IOException {
        Path flushed = new Path(directory("restart", 1), "flushed");
        Path synced = new Path(flushed.getParent().suffix("-more"), "synced");
        FSDataOutputStream first = writing.create(flushed);
        FSDataOutputStream second = writing.create(synced);
        first.write(bytes(2_000));
        first.hflush();
        second.write(bytes(3_000));
        second.hsync();
        cluster.stop();
        cluster.startAgain();
        assertTold(flushed, 2_000);
        assertTold(synced, 3_000);
        first.write(bytes(10));
        first.hflush();
        assertTold(flushed, 2_010);
        first.close();
        second.close();
        assertTold(synced, 3_000);
    }

    @Test
    void aReaderByTheStatusFindsAllRecordsThatWereSynced() throws IOException {
        Path file = new Path(directory("records", 2), "records.seq");
        Configuration hadoop = new Configuration();
        SequenceFile.Writer.Option target = SequenceFile.Writer.file(file.makeQualified(uri(), new Path("/")));
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                hadoop,
                target,
                SequenceFile.Writer.keyClass(LongWritable.class),
                SequenceFile.Writer.valueClass(Text.class))) {
            for (long record = 0; record < 1_000; record++) {
                writer.append(new LongWritable(record), new Text("record " + record));
            }
            writer.hsync();
            LongWritable key = new LongWritable();
            Text value = new Text();
            long found = 0;
            try (SequenceFile.Reader reader = new SequenceFile.Reader(
                    hadoop, SequenceFile.Reader.file(file.makeQualified(uri(), new Path("/"))))) {
                while (reader.next(key, value)) {
                    assertThat(key.get()).isEqualTo(found);
                    assertThat(value).hasToString("record " + found);
                    found++;
                }
            }
            assertThat(found).isEqualTo(1_000);
        }
    }

    /** What is written beyond the last flush is visible, or not, as it comes; nothing is shown twice because of it. */
    @Test
    void tailShowsEachByteOfAGrowingFileOnce() throws Exception {
        Path file = new Path(directory("tail", 1), "log");
        StringBuilder expected = new StringBuilder();
        PrintStream before = System.out;
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        try (FSDataOutputStream out = writing.create(file)) {
            line(out, expected, 20);
            out.hflush();
            System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
            Thread tail = new Thread(() -> {
                try {
                    new FsShell(new Configuration()).run(new String[] {
                        "-tail", "-f", "-s", "5", uri() + file.toUri().getPath()
                    });
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            tail.setDaemon(true);
            tail.start();
            await().atMost(SOON).until(() -> shown.size() >= expected.length());
            for (int round = 0; round < 12; round++) {
                line(out, expected, round % 8 == 3 ? 3 * MIB : 100);
                int seen = shown.size();
                if (round % 2 == 0) {
                    out.hflush();
                    await().atMost(SOON).until(() -> shown.size() >= expected.length());
                } else {
                    assertThat(seen).isLessThanOrEqualTo(expected.length());
                }
            }
            out.hsync();
            await().atMost(SOON).until(() -> shown.size() >= expected.length());
            tail.interrupt();
            tail.join(SOON.toMillis());
            assertThat(tail.isAlive()).isFalse();
        } finally {
            System.setOut(before);
        }
        assertThat(shown.size()).isEqualTo(expected.length());
        assertThat(shown.toString(StandardCharsets.UTF_8).contentEquals(expected))
                .isTrue();
    }

    private static void line(FSDataOutputStream out, StringBuilder expected, int length) throws IOException {
        String line = "x".repeat(length - 8) + String.format("%7d\n", expected.length());
        out.write(line.getBytes(StandardCharsets.UTF_8));
        expected.append(line);
    }

    // ---- files that go, or become others, under those who have them open

    private enum Change {
        DELETED,
        OVERWRITTEN,
        REPLACED_BY_A_RENAME,
        DELETED_WITH_ITS_DIRECTORY;

        void to(Path file) throws IOException {
            switch (this) {
                case DELETED -> assertThat(other.delete(file, false)).isTrue();
                case OVERWRITTEN -> write(file, bytes(13 * MIB));
                case REPLACED_BY_A_RENAME -> {
                    Path source = file.suffix("-source");
                    write(source, bytes(13 * MIB));
                    context.rename(source, file, Options.Rename.OVERWRITE);
                }
                case DELETED_WITH_ITS_DIRECTORY ->
                    assertThat(other.delete(file.getParent(), true)).isTrue();
            }
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = other.create(file, true)) {
            out.write(bytes);
        }
    }

    private interface Read {
        void once() throws IOException;
    }

    /** Repeats it until it fails, which must be as of a file that is not there. */
    private static void assertFileIsGone(Path file, String how, Read read) {
        IOException[] met = new IOException[1];
        await(how).atMost(SOON).until(() -> {
            try {
                read.once();
                return false;
            } catch (IOException e) {
                met[0] = e;
                return true;
            }
        });
        assertThat(met[0])
                .as(how)
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining(file.toUri().getPath());
    }

    @ParameterizedTest
    @EnumSource
    void readersOfAFileThatIsGoneAreToldSo(Change change) throws IOException {
        Path file = new Path(directory("read-" + change, 1), "file");
        byte[] old = bytes(12 * MIB);
        write(file, old);
        try (FSDataInputStream streamed = writing.open(file);
                FSDataInputStream ofContext = context.open(file)) {
            assertThat(streamed.read()).isEqualTo(old[0] & 0xff);
            assertThat(ofContext.read()).isEqualTo(old[0] & 0xff);
            change.to(file);
            byte[] part = new byte[100_000];
            assertFileIsGone(file, "pread", () -> {
                streamed.unbuffer();
                streamed.readFully(11 * MIB, part);
                assertThat(part).isEqualTo(Arrays.copyOfRange(old, 11 * MIB, 11 * MIB + part.length));
            });
            assertFileIsGone(file, "vectored", () -> {
                FileRange range = FileRange.createFileRange(5 * MIB, part.length);
                streamed.readVectored(List.of(range), ByteBuffer::allocate);
                try {
                    assertThat(range.getData().get()).isEqualTo(ByteBuffer.wrap(old, 5 * MIB, part.length));
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException told) {
                        throw told;
                    }
                    throw new AssertionError(e);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertFileIsGone(file, "sequential", () -> {
                byte[] rest = ofContext.readAllBytes();
                assertThat(rest).isEqualTo(Arrays.copyOfRange(old, 1, old.length));
            });
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETED", "OVERWRITTEN"})
    void writersOfAFileThatIsGoneAreToldSo(Change change) throws IOException {
        Path flushed = new Path(directory("write-" + change, 1), "flushed");
        Path unflushed = new Path(directory("write-2-" + change, 2), "unflushed");
        Path appended = new Path(directory("write-3-" + change, 0), "appended");
        write(appended, bytes(100));
        FSDataOutputStream first = writing.create(flushed);
        FSDataOutputStream second = writing.create(unflushed);
        FSDataOutputStream third = context.create(
                new Path(flushed.getParent(), "of-context"),
                java.util.EnumSet.of(org.apache.hadoop.fs.CreateFlag.CREATE));
        FSDataOutputStream fourth = writing.append(appended);
        first.write(bytes(1_000));
        first.hflush();
        second.write(bytes(1_000));
        third.write(bytes(3 * MIB));
        third.hflush();
        fourth.write(bytes(3 * MIB));
        Path striped = new Path(flushed.getParent(), "striped");
        FSDataOutputStream fifth = writing.create(striped);
        fifth.write(bytes(9 * MIB));
        fifth.hflush();
        change.to(striped);
        change.to(flushed);
        change.to(new Path(flushed.getParent(), "of-context"));
        change.to(unflushed);
        change.to(appended);
        assertFileIsGone(flushed, "hflush", () -> {
            first.write(1);
            first.hflush();
        });
        assertFileIsGone(flushed, "write", () -> first.write(1));
        assertFileIsGone(unflushed, "close", second::close);
        byte[] unit = bytes(2 * MIB);
        assertFileIsGone(new Path(flushed.getParent(), "of-context"), "write alone", () -> third.write(unit));
        assertFileIsGone(appended, "hsync", () -> {
            fourth.write(1);
            fourth.hsync();
        });
        assertFileIsGone(striped, "hsync that several servers refuse", fifth::hsync);
        for (FSDataOutputStream out : List.of(first, third, fourth, fifth)) {
            try {
                out.close();
            } catch (FileNotFoundException e) {
                assertThat(e).hasMessageContaining("/write-");
            }
        }
    }

    /** What a truncate took is no damage; what it left is read on. */
    @Test
    void aReaderOfWhatATruncateTookIsNotToldOfDamage() throws IOException {
        Path file = new Path(directory("cut", 1), "file");
        byte[] old = bytes(12 * MIB);
        write(file, old);
        try (FSDataInputStream in = writing.open(file)) {
            assertThat(in.read()).isEqualTo(old[0] & 0xff);
            assertThat(other.truncate(file, MIB)).isTrue();
            byte[] part = new byte[1_000];
            in.readFully(MIB - part.length, part);
            assertThat(part).isEqualTo(Arrays.copyOfRange(old, MIB - part.length, MIB));
            IOException met = org.assertj.core.api.Assertions.catchThrowableOfType(
                    IOException.class, () -> in.readFully(11 * MIB, part));
            assertThat(met)
                    .isInstanceOf(org.apache.hadoop.fs.PathIOException.class)
                    .hasMessageContaining("was truncated")
                    .hasMessageContaining(file.toUri().getPath());
        }
    }
}
