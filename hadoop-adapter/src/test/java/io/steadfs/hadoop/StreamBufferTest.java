package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.reference.ReferenceFs;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamBufferTest {
    private final ReferenceFs fs = ReferenceFs.format("root");
    private final List<String> asked = new ArrayList<>();

    /** A file of random bytes; what is read from it is written down as offset+length. */
    private FileReader file(byte[] bytes) throws IOException {
        FsPath path = FsPath.parse("/file");
        try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT.withOverwrite(true))) {
            writer.write(bytes, 0, bytes.length);
        }
        FileReader reader = fs.open(path);
        return (FileReader) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {FileReader.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("read")) {
                        asked.add(arguments[0] + "+" + ((ByteBuffer) arguments[1]).remaining());
                    }
                    return method.invoke(reader, arguments);
                });
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static int read(StreamBuffer buffer, long position, int length) throws IOException {
        return buffer.read(position, ByteBuffer.allocate(length));
    }

    @Test
    void smallReadsFetchToTheEndOfTheChunkOnce() throws IOException {
        StreamBuffer buffer = new StreamBuffer(file(random(200_000)));
        assertThat(read(buffer, 65_000, 100)).isEqualTo(100);
        assertThat(read(buffer, 65_100, 100)).isEqualTo(100);
        assertThat(read(buffer, 65_500, 100)).isEqualTo(36);
        assertThat(read(buffer, 65_536, 100)).isEqualTo(100);
        assertThat(asked).containsExactly("65000+536", "65536+65536");
    }

    @Test
    void largeReadsGoPast() throws IOException {
        StreamBuffer buffer = new StreamBuffer(file(random(200_000)));
        assertThat(read(buffer, 10, 65_536)).isEqualTo(65_536);
        assertThat(read(buffer, 10, 65_526)).isEqualTo(65_526);
        assertThat(read(buffer, 10, 65_525)).isEqualTo(65_525);
        assertThat(asked).containsExactly("10+65536", "10+65526", "10+65526");
    }

    @Test
    void whoWantsAllOfASmallFileGoesPast() throws IOException {
        StreamBuffer buffer = new StreamBuffer(file(random(4096)));
        assertThat(read(buffer, 0, 4096)).isEqualTo(4096);
        assertThat(read(buffer, 4000, 4096)).isEqualTo(96);
        assertThat(asked).containsExactly("0+4096", "4000+4096");
    }

    @Test
    void nothingIsKeptAfterClear() throws IOException {
        StreamBuffer buffer = new StreamBuffer(file(random(1000)));
        assertThat(read(buffer, 0, 10)).isEqualTo(10);
        buffer.clear();
        assertThat(read(buffer, 10, 10)).isEqualTo(10);
        assertThat(asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_535, 65_536, 131_073, 500_000})
    void anySequenceOfReadsGivesTheBytesOfTheFile(int length) throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = random(length);
        StreamBuffer buffer = new StreamBuffer(file(bytes));
        long position = 0;
        for (int i = 0; i < 1000; i++) {
            if (random.nextInt(4) == 0) {
                position = random.nextInt(length + 1);
            }
            byte[] target = new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 100_000)];
            int count = buffer.read(position, ByteBuffer.wrap(target));
            if (position == length) {
                assertThat(count).as("seed %d", seed).isEqualTo(-1);
            } else {
                assertThat(count).as("seed %d", seed).isPositive();
                assertThat(Arrays.equals(target, 0, count, bytes, (int) position, (int) position + count))
                        .as("bytes %d+%d, seed %d", position, count, seed)
                        .isTrue();
                position += count;
            }
        }
    }
}
