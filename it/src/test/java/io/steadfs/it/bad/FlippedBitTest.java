package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.it.Cluster;
import io.steadfs.it.StoredDatafiles;
import io.steadfs.layout.Layout;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One bit of stored data changes: the reader is told which file, where in it, and which server; nobody else notices. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class FlippedBitTest {
    private static final int CHUNK = 64 << 10;
    private static final byte[] LARGE = random(20 * CHUNK + 77, 1);
    private static final byte[] SMALL = random(1000, 2);

    private final AnswerTable table = new AnswerTable("flipped-bits", "One bit of stored data is flipped");
    private final Path data;
    private final Cluster cluster;
    private final SteadFs fs;

    FlippedBitTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(data, 2, Map.of());
        fs = cluster.connect(Cluster.SUPERUSER, List.of());
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @BeforeAll
    void flip() throws IOException {
        write("/large", 2, LARGE);
        write("/small", 1, SMALL);
        write("/other-large", 2, LARGE);
        write("/other-small", 1, SMALL);
        Handle large = layout("/large").datafiles().get(1);
        Handle small = layout("/small").datafiles().get(0);
        cluster.stop();
        flipInFile(large, 3 * CHUNK + 5);
        flipInStore(small, 500);
        cluster.startAgain();
    }

    @AfterAll
    void stop() throws IOException {
        table.write();
        fs.close();
        cluster.close();
    }

    private void write(String path, int width, byte[] bytes) throws IOException {
        try (FileWriter writer = fs.create(FsPath.parse(path), CreateOptions.DEFAULT.withLayout(width, CHUNK))) {
            writer.write(bytes, 0, bytes.length);
        }
    }

    private Layout layout(String path) throws IOException {
        try (FileReader reader = fs.open(FsPath.parse(path))) {
            return reader.info().layout().orElseThrow();
        }
    }

    private void flipInFile(Handle datafile, long offset) throws IOException {
        Path directory = StoredDatafiles.directory(data, ServerId.io(datafile.owner()));
        Path file;
        try (Stream<Path> all = Files.walk(directory)) {
            file = all.filter(each -> each.endsWith(datafile.toString()))
                    .findAny()
                    .orElseThrow();
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int before = bytes.read();
            bytes.seek(offset);
            bytes.write(before ^ 1);
        }
    }

    private void flipInStore(Handle datafile, int offset) throws IOException {
        byte[] key = DatafileTables.key(datafile);
        try (Store store = StoredDatafiles.openStore(data, ServerId.io(datafile.owner()));
                Overlay overlay = store.overlay()) {
            byte[] bytes = store.committed().get(DatafileTables.SMALL, key).orElseThrow();
            bytes[offset] ^= 1;
            overlay.put(DatafileTables.SMALL, key, bytes);
            store.commit(overlay, true);
        }
    }

    private byte[] read(String path, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileReader reader = fs.open(FsPath.parse(path))) {
            while (bytes.hasRemaining() && reader.read(position + bytes.position(), bytes) > 0) {
                // A read may return less than asked for.
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private FsException failure(String path, long position, int length) {
        FsException failure = catchThrowableOfType(FsException.class, () -> read(path, position, length));
        assertThat(failure).as("reading %s", path).isNotNull();
        table.add("read of " + path + ", " + length + " bytes at " + position, String.valueOf(failure.getMessage()));
        return failure;
    }

    @Test
    void inALargeFile() throws IOException {
        // Chunk 3 of column 1 of 2 is strip 7 of the file.
        int server = layout("/large").serverOf(1);
        FsException failure = failure("/large", 0, LARGE.length);

        assertThat(failure.error()).isEqualTo(FsError.CORRUPT);
        assertThat(failure)
                .hasMessageContaining("/large")
                .hasMessageContaining(String.valueOf(7 * CHUNK))
                .hasMessageContaining("IO server " + server)
                .hasMessageContaining(cluster.port("io-" + server).toString());
        assertThat(read("/large", 0, 7 * CHUNK)).isEqualTo(Arrays.copyOf(LARGE, 7 * CHUNK));
        assertThat(read("/large", 8 * CHUNK, LARGE.length))
                .isEqualTo(Arrays.copyOfRange(LARGE, 8 * CHUNK, LARGE.length));
        table.add("read of /large before and behind that chunk", "all bytes right");
    }

    @Test
    void inASmallFile() throws IOException {
        int server = layout("/small").serverOf(0);
        FsException failure = failure("/small", 10, 1);

        assertThat(failure.error()).isEqualTo(FsError.CORRUPT);
        assertThat(failure).hasMessageContaining("/small").hasMessageContaining("IO server " + server);
    }

    @Test
    void theServersLiveAndOtherFilesAreWhole() throws IOException {
        assertThat(read("/other-large", 0, LARGE.length + 1)).isEqualTo(LARGE);
        assertThat(read("/other-small", 0, SMALL.length + 1)).isEqualTo(SMALL);
        write("/new", 2, LARGE);
        assertThat(read("/new", 0, LARGE.length + 1)).isEqualTo(LARGE);
        table.add("reads of other files, and a new file", "all bytes right");
    }
}
