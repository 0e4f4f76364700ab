package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that get one writer after the other, against what an array of bytes does. */
@Timeout(300)
class WritersComeAndGoTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int STRIP = 64 << 10;

    private static Cluster cluster;
    private static SteadFs fs;
    private static SteadFs other;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        cluster = Cluster.start(directory, 2, Map.of());
        fs = cluster.connect(Cluster.SUPERUSER, List.of());
        other = cluster.connect(Cluster.SUPERUSER, List.of());
    }

    @AfterAll
    static void stop() throws IOException {
        fs.close();
        other.close();
        cluster.close();
    }

    static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] read(SteadFs fs, FsPath path) throws IOException {
        try (FileReader reader = fs.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
            while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
                // A read may return less than asked for.
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    private static FileWriter create(FsPath path, int width) throws FsException {
        return fs.create(path, CreateOptions.DEFAULT.withLayout(width, STRIP));
    }

    private static void file(FsPath path, int width, byte[] bytes) throws IOException {
        try (FileWriter writer = create(path, width)) {
            writer.write(bytes, 0, bytes.length);
        }
    }

    private static void awaitClosed(FsPath path) {
        await().atMost(SOON).until(() -> fs.recoverLease(path));
        await().atMost(SOON).until(() -> fs.isFileClosed(path));
    }

    @Test
    void randomWritersAndCutsAgainstAnArray() throws IOException {
        Random random = new Random(Seed.OF_RUN);
        for (int run = 0; run < 6; run++) {
            FsPath path = FsPath.parse("/random-" + run);
            byte[] model = content(random.nextLong(), random.nextInt(5 * STRIP));
            file(path, 1 + random.nextInt(4), model);
            for (int step = 0; step < 25; step++) {
                String what = "seed " + Seed.OF_RUN + ", run " + run + ", step " + step;
                if (random.nextInt(3) == 0) {
                    int length = random.nextInt(model.length + 1);
                    assertThat(other.truncate(path, length).length()).as(what).isEqualTo(length);
                    model = Arrays.copyOf(model, length);
                } else {
                    model = append(path, model, random, what);
                }
                assertThat(fs.stat(path).length()).as(what).isEqualTo(model.length);
                assertThat(Arrays.equals(read(fs, path), model)).as(what).isTrue();
            }
        }
    }

    /** One writer: some writes, some flushes, then a close or the loss of the file, with all that was flushed kept. */
    private static byte[] append(FsPath path, byte[] before, Random random, String what) throws IOException {
        byte[] model = before;
        boolean taken = random.nextInt(4) == 0;
        FileWriter writer = fs.append(path);
        assertThat(writer.position()).as(what).isEqualTo(model.length);
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] more = content(random.nextLong(), 1 + random.nextInt(1 << random.nextInt(18)));
            writer.write(more, 0, more.length);
            int length = model.length;
            model = Arrays.copyOf(model, length + more.length);
            System.arraycopy(more, 0, model, length, more.length);
            if (taken || random.nextInt(3) == 0) {
                if (random.nextBoolean()) {
                    writer.hflush();
                } else {
                    writer.hsync();
                }
                assertThat(Arrays.equals(read(other, path), model)).as(what).isTrue();
            }
        }
        if (taken) {
            assertThat(other.recoverLease(path)).as(what).isFalse();
            awaitClosed(path);
            FsException refused = catchThrowableOfType(FsException.class, writer::close);
            assertThat(refused).as(what).isNotNull();
            assertThat(refused.error()).as(what).isEqualTo(FsError.STALE_GENERATION);
        } else {
            writer.close();
        }
        return model;
    }

    @Test
    void aLateWriterChangesNothing() throws IOException {
        FsPath path = FsPath.parse("/late");
        byte[] first = content(1, 3 * STRIP + 17);
        byte[] second = content(2, 2 * STRIP + 5);
        byte[] late = content(3, 4 * STRIP);
        FileWriter loser = create(path, 2);
        loser.write(first, 0, first.length);
        loser.hflush();
        FsException open = catchThrowableOfType(FsException.class, () -> other.append(path));
        assertThat(open.error()).isEqualTo(FsError.FILE_OPEN);
        assertThat(other.recoverLease(path)).isFalse();
        await().atMost(SOON).until(() -> other.isFileClosed(path));
        FileWriter winner = other.append(path);
        assertThat(winner.position()).isEqualTo(first.length);
        winner.write(second, 0, STRIP);
        winner.hflush();

        loser.write(late, 0, late.length);
        FsException refused = catchThrowableOfType(FsException.class, loser::hflush);
        assertThat(refused.error()).isEqualTo(FsError.STALE_GENERATION);
        FsException again = catchThrowableOfType(FsException.class, loser::close);
        assertThat(again.error()).isEqualTo(FsError.STALE_GENERATION);

        winner.write(second, STRIP, second.length - STRIP);
        winner.close();
        byte[] expected = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, expected, first.length, second.length);
        assertThat(read(fs, path)).isEqualTo(expected);
    }

    @Test
    void whatAReaderOpenedBeforeATruncateStaysReadable() throws IOException {
        FsPath path = FsPath.parse("/shortened");
        byte[] bytes = content(4, 6 * STRIP);
        byte[] other = content(5, 6 * STRIP);
        file(path, 2, bytes);
        int kept = 2 * STRIP + 100;
        try (FileReader reader = fs.open(path)) {
            fs.truncate(path, kept);
            for (int offset : new int[] {0, STRIP - 3, 2 * STRIP - 1, 2 * STRIP + 90}) {
                ByteBuffer ten = ByteBuffer.allocate(10);
                assertThat(reader.read(offset, ten)).as("at " + offset).isEqualTo(10);
                assertThat(ten.array()).isEqualTo(Arrays.copyOfRange(bytes, offset, offset + 10));
            }
            FsException gone =
                    catchThrowableOfType(FsException.class, () -> reader.read(5 * STRIP, ByteBuffer.allocate(10)));
            assertThat(gone.error()).isEqualTo(FsError.STALE_GENERATION);
        }
        try (FileWriter writer = fs.append(path)) {
            writer.write(other, 0, other.length);
        }
        byte[] expected = Arrays.copyOf(bytes, kept + other.length);
        System.arraycopy(other, 0, expected, kept, other.length);
        assertThat(read(fs, path)).isEqualTo(expected);
    }

    @Test
    void whoMayNotWriteMayNotTakeEither() throws IOException {
        FsPath path = FsPath.parse("/mine");
        file(path, 1, content(6, 10));
        try (SteadFs stranger = cluster.connect("stranger", List.of("strangers"))) {
            for (FsException refused : List.of(
                    catchThrowableOfType(FsException.class, () -> stranger.append(path)),
                    catchThrowableOfType(FsException.class, () -> stranger.truncate(path, 1)),
                    catchThrowableOfType(FsException.class, () -> stranger.recoverLease(path)))) {
                assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
            }
        }
        FsException longer = catchThrowableOfType(FsException.class, () -> fs.truncate(path, 11));
        assertThat(longer.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        FsException root = catchThrowableOfType(FsException.class, () -> fs.append(FsPath.parse("/")));
        assertThat(root.error()).isEqualTo(FsError.IS_A_DIRECTORY);
        assertThat(read(fs, path)).hasSize(10);
    }
}
