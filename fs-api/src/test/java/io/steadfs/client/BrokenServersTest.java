package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.util.LeakPresenceDetector;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** IO servers that are away, full, forgetful or hold damaged bytes. */
class BrokenServersTest {
    private static final int STRIP = SimulatedCluster.STRIP;

    @AfterEach
    void nothingLeaks() {
        LeakPresenceDetector.check();
    }

    private static FsException refusal(ThrowingCallable call) {
        return catchThrowableOfType(FsException.class, call);
    }

    @Test
    void anotherServerTakesANewColumn() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(3);
        cluster.network.crash(SimulatedCluster.ioAddress(2));
        byte[] bytes = SimulatedCluster.bytes(1, 10 * STRIP);
        cluster.file("f", 3, STRIP, bytes);
        assertThat(cluster.read("f")).isEqualTo(bytes);
        assertThat(cluster.io.get(1).datafiles).isEmpty();
        assertThat(cluster.shard.attributes("f").getLayout().getDatafilesList())
                .extracting(datafile -> new Handle(datafile).owner())
                .containsExactly(1, 3, 3);
    }

    @Test
    void aServerThatIsSilentIsGivenUpForANewColumn() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        cluster.network.cut("client", SimulatedCluster.ioAddress(1));
        byte[] bytes = SimulatedCluster.bytes(1, 100);
        cluster.file("f", 1, STRIP, bytes);
        assertThat(cluster.read("f")).isEqualTo(bytes);
        assertThat(cluster.io.get(1).datafiles).hasSize(1);
    }

    @Test
    void aFullServerIsPassedBy() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(3);
        cluster.io.get(0).full = true;
        cluster.io.get(1).full = true;
        cluster.file("f", 1, STRIP, new byte[100]);
        assertThat(cluster.io.get(2).datafiles).hasSize(1);
        cluster.io.get(2).full = true;
        FsException refusal = refusal(() -> cluster.file("g", 1, STRIP, new byte[100]));
        assertThat(refusal.error()).isEqualTo(FsError.NO_SPACE);
        assertThat(refusal).hasMessageContaining("/g").hasMessageContaining("full");
    }

    @Test
    void anAcknowledgedColumnStaysAndWaitsForItsServer() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        byte[] bytes = SimulatedCluster.bytes(2, 3000);
        StripedWriter writer = cluster.create("f", 1, STRIP);
        cluster.write(writer, bytes, 0, 1000);
        cluster.await(writer.hsync());
        cluster.network.crash(SimulatedCluster.ioAddress(1));
        cluster.write(writer, bytes, 1000, 2000);
        CompletableFuture<Void> closing = writer.close();
        cluster.time.runFor(20_000);
        assertThat(closing).isNotDone();
        cluster.io.get(0).forgetUnsynced();
        cluster.network.start(SimulatedCluster.ioAddress(1), cluster.io.get(0));
        cluster.await(closing);
        assertThat(cluster.read("f")).isEqualTo(bytes);
    }

    @Test
    void bytesLostBeforeTheirSyncAreAnError() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        StripedWriter writer = cluster.create("f", 1, STRIP);
        cluster.write(writer, new byte[1000]);
        cluster.await(writer.hflush());
        cluster.io.get(0).forgetUnsynced();
        FsException atSync = refusal(() -> cluster.await(writer.hsync()));
        assertThat(atSync.error()).isEqualTo(FsError.WRITE_GAP);

        StripedWriter second = cluster.create("g", 1, STRIP);
        cluster.write(second, new byte[1000]);
        cluster.await(second.hflush());
        cluster.io.get(0).forgetUnsynced();
        cluster.write(second, new byte[10]);
        FsException atWrite = refusal(() -> cluster.await(second.close()));
        assertThat(atWrite.error()).isEqualTo(FsError.WRITE_GAP);
        assertThat(atWrite)
                .hasMessageContaining("/g")
                .hasMessageContaining("file offset 1000")
                .hasMessageContaining("IO server 1 at io1:101");
        assertThat(cluster.shard.attributes("g").getOpen()).isTrue();
    }

    @Test
    void aServerAwayForTooLongEndsTheWriting() throws Exception {
        SimulatedCluster cluster =
                new SimulatedCluster(1, 1, Faults.NONE, 0, Map.of("stead.client.operation.timeout", "5000"));
        StripedWriter writer = cluster.create("f", 1, STRIP);
        cluster.network.crash(SimulatedCluster.ioAddress(1));
        cluster.write(writer, new byte[10]);
        FsException refusal = refusal(() -> cluster.await(writer.hflush()));
        assertThat(refusal.error()).isEqualTo(FsError.UNREACHABLE);
        assertThat(refusal(() -> cluster.await(writer.close())).error()).isEqualTo(FsError.UNREACHABLE);
        assertThat(cluster.time.monotonicNanos()).isLessThan(20_000_000_000L);
    }

    @Test
    void aFlippedBitIsNamedByFileOffsetAndServer() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        byte[] bytes = SimulatedCluster.bytes(3, 6 * STRIP);
        cluster.file("f", 2, STRIP, bytes);
        long second = cluster.shard.attributes("f").getLayout().getDatafiles(1);
        cluster.io.get(1).datafile(second).bytes[STRIP + 10] ^= 4;

        FsException refusal = refusal(() -> cluster.read("f"));
        assertThat(refusal.error()).isEqualTo(FsError.CORRUPT);
        assertThat(refusal)
                .hasMessageContaining("/f: file offset " + 3 * STRIP)
                .hasMessageContaining("datafile " + new Handle(second))
                .hasMessageContaining("IO server 2 at io2:102");
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        assertThat(cluster.read(reader, 0, 100)).as("other chunks").hasSize(100);
        reader.unbuffer();
        cluster.time.runFor(1000);
    }

    @Test
    void aShortDatafileIsCorruptNotZeros() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        cluster.file("f", 2, STRIP, SimulatedCluster.bytes(3, 4 * STRIP));
        long first = cluster.shard.attributes("f").getLayout().getDatafiles(0);
        MemoryIoServer.Datafile datafile = cluster.io.get(0).datafile(first);
        datafile.synced = STRIP + 5;
        cluster.io.get(0).forgetUnsynced();
        FsException refusal = refusal(() -> cluster.read("f"));
        assertThat(refusal.error()).isEqualTo(FsError.CORRUPT);
        assertThat(refusal)
                .hasMessageContaining("file offset " + (2 * STRIP + 5))
                .hasMessageContaining("ends at " + (STRIP + 5));
    }

    @Test
    void aMissingColumnIsCorruptNotZeros() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        cluster.file("f", 2, STRIP, SimulatedCluster.bytes(3, 4 * STRIP));
        cluster.shard.attributes("f").getLayoutBuilder().setDatafiles(1, 0);
        FsException refusal = refusal(() -> cluster.read("f"));
        assertThat(refusal.error()).isEqualTo(FsError.CORRUPT);
        assertThat(refusal).hasMessageContaining("/f: file offset " + STRIP).hasMessageContaining("column 1");
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        assertThat(refusal(() -> cluster.await(reader.compositeCrc())).error()).isEqualTo(FsError.CORRUPT);
        cluster.time.runFor(1000);
    }

    @Test
    void bytesBeyondTheRecordedLengthDoNotCount() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        byte[] bytes = SimulatedCluster.bytes(4, 5 * STRIP);
        cluster.file("f", 2, STRIP, bytes);
        int length = 2 * STRIP + 1000;
        cluster.shard.attributes("f").setLength(length);
        byte[] expected = java.util.Arrays.copyOf(bytes, length);
        assertThat(cluster.read("f")).isEqualTo(expected);
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(expected);
        assertThat(cluster.await(reader.compositeCrc())).isEqualTo((int) crc.getValue());
    }

    @Test
    void anOpenFileIsReadAsFarAsItHasNoHole() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        byte[] bytes = SimulatedCluster.bytes(5, 3 * STRIP);
        StripedWriter writer = cluster.create("f", 2, STRIP);
        FsPath path = FsPath.parse("f");
        assertThat(cluster.await(cluster.fs.reads().open(path)).length()).isZero();
        cluster.write(writer, bytes, 0, 2 * STRIP + 100);
        assertThat(cluster.await(cluster.fs.reads().open(path)).length()).isZero();
        cluster.await(writer.hflush());
        assertThat(cluster.await(cluster.fs.reads().open(path)).length()).isEqualTo(2 * STRIP + 100);
        cluster.write(writer, bytes, 2 * STRIP + 100, 10);
        assertThat(cluster.read("f")).isEqualTo(java.util.Arrays.copyOf(bytes, 2 * STRIP + 100));
        assertThat(cluster.sent(Kind.STAT_DATAFILES)).isEqualTo(4);
        cluster.await(cluster.fs.close());
        cluster.time.runFor(1000);
    }

    @Test
    void readAheadFollowsASequentialReaderOnly() throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(
                1, 1, Faults.NONE, 0, Map.of("stead.client.read.size", "256k", "stead.client.readahead", "512k"));
        byte[] bytes = SimulatedCluster.bytes(6, 64 * STRIP);
        cluster.file("f", 1, 64 * STRIP, bytes);
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        for (int at = 0; at < bytes.length; at += 4096) {
            assertThat(cluster.read(reader, at, 4096)).isEqualTo(java.util.Arrays.copyOfRange(bytes, at, at + 4096));
        }
        assertThat(cluster.sent(Kind.READ)).as("sequential").isBetween(16L, 20L);
        assertThat(cluster.counter("client.bytes.fetched")).isBetween((long) bytes.length, bytes.length + 10L * STRIP);

        StripedReader random = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        long before = cluster.sent(Kind.READ);
        long fetched = cluster.counter("client.bytes.fetched");
        cluster.read(random, 50 * STRIP + 10, 100);
        cluster.read(random, 50 * STRIP + 1000, 100);
        cluster.read(random, 50 * STRIP - 50, 100);
        assertThat(cluster.sent(Kind.READ) - before).as("the chunk is kept").isEqualTo(2);
        assertThat(cluster.counter("client.bytes.fetched") - fetched).isEqualTo(2L * STRIP);
        reader.unbuffer();
        random.unbuffer();
        cluster.time.runFor(1000);
    }
}
