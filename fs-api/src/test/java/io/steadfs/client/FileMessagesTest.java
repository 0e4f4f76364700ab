package io.steadfs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.LeakPresenceDetector;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many messages a file costs. */
class FileMessagesTest {
    private static final int K = 1024;

    @AfterEach
    void nothingLeaks() {
        LeakPresenceDetector.check();
    }

    @ParameterizedTest(name = "{0} columns of {1} KiB strips, {2} KiB: {3} writes, {4} messages")
    @CsvSource({
        "1, 1024,    0, 0,  2",
        "1, 1024,    4, 1,  3",
        "1, 1024, 1024, 1,  3",
        "1, 1024, 1025, 2,  4",
        "1, 1024, 4096, 4,  6",
        "1,   64,  640, 1,  3",
        "4,   64,  256, 4,  6",
        "8,   64,  512, 8, 10",
        "8,   64, 1024, 8, 10",
        "8,   64,   65, 2,  4",
        "4, 1024, 4096, 4,  6",
        "8, 1024, 8192, 8, 10",
    })
    void createWriteClose(int width, int stripKib, int kib, int writes, int messages) throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(8);
        byte[] bytes = SimulatedCluster.bytes(1, kib * K);

        cluster.file("f", width, stripKib * K, bytes);

        assertThat(cluster.sent(Kind.WRITE)).isEqualTo(writes);
        assertThat(cluster.sentForFiles()).isEqualTo(messages);
        assertThat(cluster.read("f")).isEqualTo(bytes);
        assertThat(cluster.fs.counters()).containsEntry("client.retries", 0L).containsEntry("steps.create", 1L);
        cluster.io.forEach(server -> server.datafiles
                .values()
                .forEach(datafile -> assertThat(datafile.synced).isEqualTo(datafile.bytes.length)));
    }

    @Test
    void createAlone() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        cluster.create("f", 1, 64 * K);
        assertThat(cluster.sentForFiles()).isEqualTo(1);
        cluster.create("g", 1, 64 * K);
        assertThat(cluster.sentForFiles()).isEqualTo(2);
        assertThat(cluster.sent(Kind.CLUSTER_MAP)).isEqualTo(1);
        assertThat(cluster.sent(Kind.OPEN_SESSION)).isEqualTo(1);
    }

    @Test
    void flushesSendOnlyWhatIsMissing() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(4);
        StripedWriter writer = cluster.create("f", 4, 64 * K);
        byte[] bytes = SimulatedCluster.bytes(2, 100 * K);

        cluster.await(writer.hflush());
        assertThat(cluster.sentForFiles()).as("nothing to flush").isEqualTo(1);
        cluster.write(writer, bytes);
        cluster.await(writer.hflush());
        assertThat(cluster.sentForFiles()).as("two columns, one attach").isEqualTo(1 + 2 + 1);
        cluster.await(writer.hflush());
        assertThat(cluster.sentForFiles()).as("again").isEqualTo(4);
        cluster.await(writer.hsync());
        assertThat(cluster.sent(Kind.SYNC)).as("two servers").isEqualTo(2);
        cluster.await(writer.hsync());
        assertThat(cluster.sentForFiles()).as("all synced").isEqualTo(6);
        cluster.write(writer, bytes, 0, K);
        cluster.await(writer.hsync());
        assertThat(cluster.sentForFiles()).as("a synced write, and its length").isEqualTo(8);
        cluster.await(writer.hflush());
        assertThat(cluster.sentForFiles()).as("nothing new").isEqualTo(8);
        cluster.write(writer, bytes, 0, K);
        cluster.await(writer.hflush());
        assertThat(cluster.sentForFiles()).as("a write, and its length").isEqualTo(10);
        cluster.await(writer.close());
        assertThat(cluster.sentForFiles()).as("a sync, close").isEqualTo(12);
        assertThat(cluster.sent(Kind.ATTACH)).isEqualTo(3);
    }

    /** The length that others are told, and what of it is on stable storage, after each step. */
    @Test
    void othersAreToldWhatWasFlushed() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        StripedWriter writer = cluster.create("f", 2, 64 * K);
        byte[] bytes = SimulatedCluster.bytes(9, 100 * K);
        cluster.write(writer, bytes);
        assertThat(lengths(cluster)).as("written").containsExactly(0, 0);
        cluster.await(writer.hflush());
        assertThat(lengths(cluster)).as("flushed").containsExactly(100 * K, 0);
        cluster.write(writer, bytes, 0, 10 * K);
        cluster.await(writer.hsync());
        assertThat(lengths(cluster)).as("synced").containsExactly(110 * K, 110 * K);
        cluster.write(writer, bytes, 0, 10 * K);
        cluster.await(writer.close());
        assertThat(lengths(cluster)).as("closed").containsExactly(120 * K, 120 * K);
    }

    private static long[] lengths(SimulatedCluster cluster) throws Exception {
        FileInfo info = cluster.await(cluster.fs.attributes().stat(FsPath.parse("f")));
        assertThat(cluster.await(cluster.fs.lists().list(FsPath.parse(""), com.google.protobuf.ByteString.EMPTY, 10))
                        .entries())
                .extracting(entry -> entry.info().length())
                .containsExactly(info.length());
        return new long[] {info.length(), info.recordedLength()};
    }

    /** Who goes by the length that he was told reads no byte beyond it of a file that grows. */
    @Test
    void noMoreThanWasToldIsReadOfAFileThatGrows() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(2);
        StripedWriter writer = cluster.create("f", 2, 64 * K);
        byte[] bytes = SimulatedCluster.bytes(9, 100 * K);
        cluster.write(writer, bytes);
        cluster.await(writer.hflush());
        FsPath path = FsPath.parse("f");
        assertThat(cluster.await(cluster.fs.reads().open(path)).length()).isEqualTo(100 * K);
        assertThat(cluster.await(cluster.fs.reads().openToldLength(path, 70 * K))
                        .length())
                .isEqualTo(70 * K);
        assertThat(cluster.await(cluster.fs.reads().openToldLength(path, 170 * K))
                        .length())
                .isEqualTo(100 * K);
        cluster.await(writer.close());
        assertThat(cluster.await(cluster.fs.reads().openToldLength(path, 70 * K))
                        .length())
                .as("closed")
                .isEqualTo(100 * K);
    }

    @Test
    void columnsOfOneServerAreSyncedTogether() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        StripedWriter writer = cluster.create("f", 4, 64 * K);
        cluster.write(writer, SimulatedCluster.bytes(3, 256 * K));
        cluster.await(writer.hflush());
        cluster.await(writer.close());
        assertThat(cluster.sent(Kind.SYNC)).isEqualTo(1);
        assertThat(cluster.sent(Kind.WRITE)).isEqualTo(4);
    }

    @Test
    void closeWithoutSync() throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(1, 1, Faults.NONE, 0, Map.of("stead.close.sync", "false"));
        cluster.file("f", 1, 64 * K, SimulatedCluster.bytes(4, 4 * K));
        assertThat(cluster.sentForFiles()).isEqualTo(3);
        cluster.io
                .get(0)
                .datafiles
                .values()
                .forEach(datafile -> assertThat(datafile.synced).isZero());
    }

    @Test
    void openOfAKnownFileAsksNobody() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        byte[] bytes = SimulatedCluster.bytes(5, 4 * K);
        cluster.file("f", 1, 64 * K, bytes);
        FsPath path = FsPath.parse("f");
        FileInfo info = cluster.await(cluster.fs.attributes().stat(path));
        long before = cluster.sentForFiles();
        StripedReader reader = cluster.await(cluster.fs.reads().open(path, info));
        assertThat(cluster.sentForFiles()).isEqualTo(before);
        assertThat(cluster.read(reader, 0, 4 * K)).isEqualTo(bytes);
        reader.unbuffer();
        assertThat(cluster.sentForFiles()).isEqualTo(before + 1);
    }

    @ParameterizedTest(name = "{0} bytes, readahead of {1}: {2} reads with the open, {3} after a read of the last byte")
    @CsvSource({
        "    0, 4194304, 0, 0",
        "    1, 4194304, 1, 1",
        "65536, 4194304, 1, 1",
        "65537, 4194304, 0, 1",
        "65536,       0, 0, 1",
    })
    void aFileOfAChunkComesWithTheOpen(int length, String readahead, int withOpen, int afterwards) throws Exception {
        SimulatedCluster cluster =
                new SimulatedCluster(1, 1, Faults.NONE, 0, Map.of("stead.client.readahead", readahead));
        byte[] bytes = SimulatedCluster.bytes(6, length);
        cluster.file("f", 1, 1024 * K, bytes);
        StripedReader reader = cluster.await(cluster.fs.reads().open(FsPath.parse("f")));
        assertThat(cluster.sent(Kind.READ)).isEqualTo(withOpen);
        int last = Math.max(0, length - 1);
        assertThat(cluster.read(reader, last, 1)).isEqualTo(Arrays.copyOfRange(bytes, last, length));
        assertThat(cluster.sent(Kind.READ)).isEqualTo(afterwards);
        reader.unbuffer();
    }

    @Test
    void whatCameWithAnOpenIsGivenBackUnread() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        cluster.file("f", 1, 64 * K, SimulatedCluster.bytes(7, 4 * K));
        cluster.await(cluster.fs.reads().open(FsPath.parse("f"))).unbuffer();
        CompletableFuture<StripedReader> left = cluster.fs.reads().open(FsPath.parse("f"));
        left.cancel(true);
        cluster.time.runFor(1_000);
    }

    @Test
    void closingTheClientEndsItsSession() throws Exception {
        SimulatedCluster cluster = SimulatedCluster.calm(1);
        StripedWriter writer = cluster.create("f", 1, 64 * K);
        cluster.write(writer, new byte[K]);
        assertThat(cluster.shard.sessions).hasSize(1);
        cluster.await(cluster.fs.close());
        assertThat(cluster.shard.sessions).isEmpty();
        assertThat(writer.failure()).isPresent();
    }
}
