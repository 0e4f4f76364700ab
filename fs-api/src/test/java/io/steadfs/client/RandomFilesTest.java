package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.LeakPresenceDetector;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random writes, flushes and reads over a network that loses, doubles and delays, against an array. */
class RandomFilesTest {
    private static final int MOST_BYTES = 3 << 20;

    static LongStream seeds() {
        long first = Long.getLong("stead.test.seed", System.nanoTime());
        return Long.getLong("stead.test.seed") != null
                ? LongStream.of(first)
                : LongStream.concat(LongStream.range(1, 41), LongStream.of(first));
    }

    @ParameterizedTest(name = "-Dstead.test.seed={0}")
    @MethodSource("seeds")
    void readsWhatWasWritten(long seed) throws Exception {
        Random random = new Random(seed);
        Map<String, String> settings = Map.of(
                "stead.client.write.size", "64k",
                "stead.client.write.window", Integer.toString((64 * 1024) << random.nextInt(6)),
                "stead.client.attempt.timeout", "200",
                "stead.client.operation.timeout", "600000",
                "stead.client.readahead", Integer.toString(random.nextInt(4) * 100_000));
        SimulatedCluster cluster = new SimulatedCluster(seed, 1 + random.nextInt(5), Faults.MANY, 30, settings);
        int width = 1 + random.nextInt(6);
        int strip = SimulatedCluster.STRIP * (1 + random.nextInt(3));
        byte[] model = SimulatedCluster.bytes(seed, random.nextInt(MOST_BYTES));

        StripedWriter writer = cluster.create("f", width, strip);
        int written = 0;
        while (written < model.length) {
            int count = Math.min(model.length - written, 1 + random.nextInt(1 << (3 + random.nextInt(17))));
            cluster.write(writer, model, written, count);
            written += count;
            if (random.nextInt(20) == 0) {
                cluster.await(random.nextBoolean() ? writer.hflush() : writer.hsync());
                readOpenFile(cluster, model, written, random);
            }
        }
        CompletableFuture<Void> closing = writer.close();
        assertThat(writer.position()).isEqualTo(model.length);
        cluster.await(closing);

        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        assertThat(reader.length()).isEqualTo(model.length);
        for (int i = 0; i < 30 && model.length > 0; i++) {
            int from = random.nextInt(model.length);
            int count = 1 + random.nextInt(1 << random.nextInt(21));
            checkRead(cluster, reader, model, from, count, model.length);
        }
        int at = 0;
        while (at < model.length) {
            int count = 1 + random.nextInt(200_000);
            checkRead(cluster, reader, model, at, count, model.length);
            at += count;
        }
        CRC32C crc = new CRC32C();
        crc.update(model);
        assertThat(cluster.await(reader.compositeCrc())).isEqualTo((int) crc.getValue());
        reader.unbuffer();
        cluster.await(cluster.fs.close());
        cluster.time.runFor(60_000);
        LeakPresenceDetector.check();
    }

    private static void readOpenFile(SimulatedCluster cluster, byte[] model, int visible, Random random)
            throws Exception {
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        assertThat(reader.length()).isGreaterThanOrEqualTo(visible);
        int from = random.nextInt(visible);
        checkRead(cluster, reader, model, from, 1 + random.nextInt(300_000), (int) reader.length());
        reader.unbuffer();
    }

    private static void checkRead(
            SimulatedCluster cluster, StripedReader reader, byte[] model, int from, int count, int length)
            throws Exception {
        byte[] expected = Arrays.copyOfRange(model, from, Math.min(length, from + count));
        assertThat(Arrays.equals(cluster.read(reader, from, count), expected))
                .as("bytes %d..%d of %d", from, from + count, length)
                .isTrue();
    }

    @Test
    void aLongReadGoesInParts() throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(8, 2, Faults.NONE, 0, Map.of("stead.client.read.size", "64k"));
        byte[] model = SimulatedCluster.bytes(8, 5_000_001);
        cluster.file("f", 2, SimulatedCluster.STRIP, model);
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        checkRead(cluster, reader, model, 100, 6_000_000, model.length);
        checkRead(cluster, reader, model, 3, 4_000_000, model.length);
        reader.unbuffer();
        cluster.time.runFor(1000);
        LeakPresenceDetector.check();
    }

    @Test
    void memoryIsBoundedByTheWindow() throws Exception {
        SimulatedCluster cluster =
                new SimulatedCluster(7, 3, Faults.NONE, 0, Map.of("stead.client.write.window", "256k"));
        StripedWriter writer = cluster.create("f", 3, SimulatedCluster.STRIP);
        byte[] bytes = SimulatedCluster.bytes(7, 1 << 20);
        assertThat(writer.append(bytes, 0, bytes.length)).isEqualTo(256 * 1024);
        assertThat(writer.append(bytes, 256 * 1024, 1)).isZero();
        cluster.await(writer.room());
        assertThat(writer.append(bytes, 256 * 1024, bytes.length - 256 * 1024)).isPositive();
        cluster.await(cluster.fs.close());
        cluster.time.runFor(60_000);
        LeakPresenceDetector.check();
    }
}
