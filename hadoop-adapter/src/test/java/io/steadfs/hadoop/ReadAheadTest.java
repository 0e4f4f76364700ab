package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.FileInfo;
import io.steadfs.client.FileReader;
import io.steadfs.error.FsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadAheadTest {
    private static final int LIMIT = 1 << 20;
    private static final int K = 1024;

    /** A file in memory that remembers what was asked of it, as offset in KiB + length in KiB. */
    private static final class Bytes implements FileReader {
        final byte[] bytes;
        final List<String> asked = new ArrayList<>();

        Bytes(int length) {
            bytes = new byte[length];
            new Random(length).nextBytes(bytes);
        }

        @Override
        public FileInfo info() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public int read(long position, ByteBuffer target) {
            asked.add("direct " + position / K + "+" + target.remaining() / K);
            return copy(position, target);
        }

        private int copy(long position, ByteBuffer target) {
            if (position >= bytes.length) {
                return -1;
            }
            int count = (int) Math.min(target.remaining(), bytes.length - position);
            target.put(bytes, (int) position, count);
            return count;
        }

        @Override
        public CompletableFuture<Integer> readAsync(long position, ByteBuffer target) {
            asked.add(position / K + "+" + target.remaining() / K);
            return CompletableFuture.completedFuture(copy(position, target));
        }

        @Override
        public int compositeCrc() throws FsException {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unbuffer() {}

        @Override
        public void close() {}
    }

    private static void readAll(ReadAhead window, Bytes file, long from, long to, int step) throws IOException {
        long position = from;
        while (position < to) {
            byte[] target = new byte[(int) Math.min(step, to - position)];
            int count = window.read(position, ByteBuffer.wrap(target));
            assertThat(Arrays.copyOf(target, count))
                    .isEqualTo(Arrays.copyOfRange(file.bytes, (int) position, (int) position + count));
            position += count;
        }
    }

    @Test
    void aSmallReadAtTheBeginningFetchesASmallWindowAndNothingAhead() throws IOException {
        Bytes file = new Bytes(8 << 20);
        readAll(new ReadAhead(file, LIMIT, false), file, 0, 4, 4);
        assertThat(file.asked).containsExactly("0+128");
    }

    @Test
    void windowsGrowAndRunAheadWhileReadingGoesOn() throws IOException {
        Bytes file = new Bytes(4 << 20);
        readAll(new ReadAhead(file, LIMIT, false), file, 0, file.bytes.length, 10_000);
        assertThat(file.asked)
                .containsExactly("0+128", "128+256", "384+512", "896+1024", "1920+1024", "2944+1024", "3968+128");
    }

    @Test
    void aJumpMakesWindowsSmallAgain() throws IOException {
        Bytes file = new Bytes(8 << 20);
        ReadAhead window = new ReadAhead(file, LIMIT, false);
        readAll(window, file, 0, 1 << 20, 10_000);
        file.asked.clear();
        readAll(window, file, 5 << 20, (5 << 20) + 10, 10);
        assertThat(file.asked).containsExactly("5120+128");
    }

    @Test
    void aRandomReaderNeverReadsAhead() throws IOException {
        Bytes file = new Bytes(8 << 20);
        ReadAhead window = new ReadAhead(file, LIMIT, true);
        readAll(window, file, 0, 512 * K, 10_000);
        readAll(window, file, 4 << 20, (4 << 20) + 300 * K, 300 * K);
        assertThat(file.asked).containsExactly("0+128", "128+128", "256+128", "384+128", "direct 4096+300");
    }

    @Test
    void nothingIsKeptAfterClear() throws IOException {
        Bytes file = new Bytes(1 << 20);
        ReadAhead window = new ReadAhead(file, LIMIT, false);
        readAll(window, file, 0, 10, 10);
        window.clear();
        readAll(window, file, 10, 20, 10);
        assertThat(file.asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 131_073, 3_000_000})
    void anySequenceOfReadsGivesTheBytesOfTheFile(int length) throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Bytes file = new Bytes(length);
        for (boolean jumping : new boolean[] {false, true}) {
            ReadAhead window = new ReadAhead(file, 256 * K, jumping);
            long position = 0;
            for (int i = 0; i < 500; i++) {
                if (random.nextInt(4) == 0) {
                    position = random.nextInt(length + 1);
                }
                byte[] target = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 300 * K)];
                int count = window.read(position, ByteBuffer.wrap(target));
                if (position == length) {
                    assertThat(count).as("seed %d", seed).isEqualTo(-1);
                } else {
                    assertThat(count).as("seed %d", seed).isPositive();
                    assertThat(Arrays.equals(target, 0, count, file.bytes, (int) position, (int) position + count))
                            .as("bytes %d+%d, seed %d", position, count, seed)
                            .isTrue();
                    position += count;
                }
            }
        }
    }
}
