package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.LeakPresenceDetector;
import io.steadfs.client.SimulatedCluster;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Open files that share less memory than they would take: all bytes are right, nobody is stuck, and the limit is kept. */
class StreamMemoryTest {
    private static final int K = 1024;
    private static final int LIMIT = 1 << 20;
    private static final int FILES = 6;
    private static final int LENGTH = 700 * K + 77;

    @AfterEach
    void nothingIsLost() {
        LeakPresenceDetector.check();
    }

    private static SimulatedCluster cluster(long seed, Faults faults) {
        return new SimulatedCluster(seed, 3, faults, 0, Map.of("stead.client.memory", "1m"));
    }

    private static byte[] content(int file) {
        return SimulatedCluster.bytes(100 + file, LENGTH);
    }

    private static void assertAllIsGivenBack(SimulatedCluster cluster) {
        assertThat(cluster.counter("client.memory.limit.bytes")).isEqualTo(LIMIT);
        assertThat(cluster.counter("client.memory.most.bytes")).isBetween(LIMIT / 2L, (long) LIMIT);
        assertThat(cluster.counter("client.memory.used.bytes")).isZero();
    }

    /** A reader, how far it has come, and where its next bytes go. */
    private static final class Reading {
        final int file;
        final StripedReader reader;
        final byte[] bytes = new byte[LENGTH];
        int done;

        Reading(int file, StripedReader reader) {
            this.file = file;
            this.reader = reader;
        }

        CompletableFuture<Integer> next(int count) {
            return reader.read(done, ByteBuffer.wrap(bytes, done, Math.min(count, LENGTH - done)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void readersAndWritersShareALittle(long seed) throws Exception {
        SimulatedCluster cluster = cluster(seed, Faults.NONE);
        Random random = new Random(seed);
        for (int file = 0; file < FILES; file++) {
            cluster.file("f" + file, 2, 64 * K, content(file));
        }
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            readings.add(new Reading(i % FILES, cluster.await(cluster.fs.reads().open(FsPath.parse("f" + i % FILES)))));
        }
        List<StripedWriter> writers = new ArrayList<>();
        int[] written = new int[20];
        for (int i = 0; i < written.length; i++) {
            writers.add(cluster.create("w" + i, 2, 64 * K));
        }
        for (int round = 0; round < 12; round++) {
            List<CompletableFuture<Integer>> reads = new ArrayList<>();
            List<Reading> active =
                    readings.stream().filter(each -> random.nextInt(3) > 0).toList();
            active.forEach(each -> reads.add(each.next(1 + random.nextInt(200 * K))));
            for (int i = 0; i < written.length; i++) {
                if (random.nextBoolean()) {
                    written[i] += writers.get(i).append(content(i), written[i], random.nextInt(60 * K));
                }
            }
            for (int i = 0; i < active.size(); i++) {
                active.get(i).done += Math.max(0, cluster.await(reads.get(i)));
            }
        }
        for (Reading reading : readings) {
            while (reading.done < LENGTH) {
                reading.done += cluster.await(reading.next(1 + random.nextInt(LENGTH)));
            }
            assertThat(Arrays.equals(reading.bytes, content(reading.file))).isTrue();
        }
        for (int i = 0; i < written.length; i++) {
            cluster.write(writers.get(i), content(i), written[i], LENGTH - written[i]);
        }
        for (StripedWriter writer : writers) {
            cluster.await(writer.close());
        }
        assertThat(cluster.counter("client.memory.waits")).isPositive();
        readings.forEach(each -> each.reader.unbuffer());
        for (int i = 0; i < written.length; i++) {
            assertThat(Arrays.equals(cluster.read("w" + i), content(i))).isTrue();
        }
        cluster.await(cluster.fs.close());
    }

    /** Those who keep something and do nothing any more do not hold up those who need it. */
    @Test
    void idleOnesGiveBackWhatTheyKeep() throws Exception {
        SimulatedCluster cluster = cluster(5, Faults.NONE);
        List<StripedReader> idle = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            cluster.file("f" + file, 2, 64 * K, content(file));
            StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f" + file)));
            cluster.read(reader, 0, 100 * K);
            cluster.read(reader, 100 * K, 100 * K);
            idle.add(reader);
        }
        StripedWriter partial = cluster.create("partial", 1, 64 * K);
        cluster.write(partial, content(0), 0, 10 * K);
        // Bytes of the heap of the simulation, but of the budget all the same.
        StripedReader whole = cluster.await(cluster.fs.reads().open(FsPath.parse("f0")));
        assertThat(cluster.read(whole, 0, LENGTH)).isEqualTo(content(0));
        StripedWriter all = cluster.create("all", 2, 64 * K);
        cluster.write(all, content(1));
        cluster.await(all.close());
        assertThat(cluster.read("all")).isEqualTo(content(1));

        for (StripedReader reader : idle) {
            assertThat(cluster.read(reader, 300 * K, 10)).hasSize(10);
            reader.unbuffer();
        }
        whole.unbuffer();
        cluster.write(partial, content(0), 10 * K, 10 * K);
        cluster.await(partial.close());
        assertThat(cluster.read("partial")).isEqualTo(Arrays.copyOf(content(0), 20 * K));
    }

    /** Servers that do not answer hold up others no longer than an operation may take; then all is given back. */
    @Test
    void waitsEndWhereServersAreAway() throws Exception {
        SimulatedCluster cluster = cluster(6, Faults.NONE);
        cluster.file("f", 1, 64 * K, content(0));
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        List<StripedWriter> stuck = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            stuck.add(cluster.create("stuck" + i, 3, 64 * K));
        }
        for (int id = 1; id <= 3; id++) {
            cluster.network.crash(SimulatedCluster.ioAddress(id));
        }
        int taken = 0;
        for (StripedWriter writer : stuck) {
            taken += writer.append(content(1), 0, LENGTH);
        }
        assertThat(taken).isBetween(LIMIT / 2, LIMIT);
        CompletableFuture<Integer> read = reader.read(0, ByteBuffer.allocate(100));
        List<CompletableFuture<Void>> rooms =
                stuck.stream().map(StripedWriter::room).toList();
        cluster.time.runFor(10_000);
        assertThat(read).isNotDone();
        assertThat(rooms.get(3)).isNotDone();
        cluster.time.runFor(300_000);
        assertThat(rooms).allMatch(CompletableFuture::isDone);
        assertThatThrownBy(() -> cluster.await(read))
                .isInstanceOfSatisfying(
                        FsException.class, told -> assertThat(told.error()).isIn(FsError.UNREACHABLE, FsError.BUSY));
        assertThat(stuck.get(0).failure()).isPresent();
        reader.unbuffer();
        cluster.await(cluster.fs.close());
        assertThat(cluster.counter("client.memory.used.bytes")).isZero();
    }

    @Test
    void theLimitIsKeptAndAllIsGivenBack() throws Exception {
        SimulatedCluster cluster = cluster(7, Faults.NONE);
        for (int file = 0; file < FILES; file++) {
            cluster.file("f" + file, 2, 64 * K, content(file));
        }
        List<StripedReader> readers = new ArrayList<>();
        List<CompletableFuture<Integer>> reads = new ArrayList<>();
        List<ByteBuffer> targets = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            readers.add(cluster.await(cluster.fs.reads().open(FsPath.parse("f" + file))));
            for (int part = 0; part < 7; part++) {
                targets.add(ByteBuffer.allocate(100 * K));
                reads.add(readers.get(file).read(part * 100L * K, targets.get(targets.size() - 1)));
            }
        }
        for (int i = 0; i < reads.size(); i++) {
            assertThat(cluster.await(reads.get(i))).isEqualTo(100 * K);
            assertThat(targets.get(i).array())
                    .isEqualTo(Arrays.copyOfRange(content(i / 7), i % 7 * 100 * K, (i % 7 + 1) * 100 * K));
        }
        readers.forEach(StripedReader::unbuffer);
        assertAllIsGivenBack(cluster);
    }

    @Test
    void whatWaitsWhenTheClientClosesIsToldSo() throws Exception {
        SimulatedCluster cluster = cluster(8, Faults.NONE);
        cluster.file("f", 1, 64 * K, content(0));
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        StripedWriter writer = cluster.create("w", 1, 64 * K);
        for (int id = 1; id <= 3; id++) {
            cluster.network.crash(SimulatedCluster.ioAddress(id));
        }
        writer.append(content(0), 0, LENGTH);
        StripedWriter second = cluster.create("w2", 1, 64 * K);
        second.append(content(0), 0, LENGTH);
        CompletableFuture<Integer> read = reader.read(0, ByteBuffer.allocate(300 * K));
        cluster.await(cluster.fs.close());
        cluster.time.runFor(1_000);
        assertThat(read).isCompletedExceptionally();
        assertThatThrownBy(() -> cluster.await(read))
                .isInstanceOfSatisfying(
                        FsException.class,
                        told -> assertThat(told.error()).isIn(FsError.CANCELLED, FsError.UNREACHABLE, FsError.BUSY));
        assertThat(writer.failure()).isPresent();
    }
}
