package io.steadfs.client.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.SimulatedCluster;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The create with leased handles where servers refuse, or the creator leaves. */
class LeasedCreateTest {
    private static final int STRIP = 64 * 1024;

    private static SimulatedCluster cluster(int ioServers) {
        return new SimulatedCluster(1, ioServers, Faults.NONE, 0, Map.of("stead.create.protocol", "leased"));
    }

    /** Beside it, whether handles of all servers are at hand. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullServerIsPassedBy(boolean warm) throws Exception {
        SimulatedCluster cluster = cluster(4);
        if (warm) {
            cluster.file("first", 4, STRIP, new byte[0]);
        }
        int before = cluster.io.get(2).datafiles.size();
        cluster.io.get(2).full = true;
        byte[] bytes = SimulatedCluster.bytes(7, 4 * STRIP);
        cluster.file("f", 4, STRIP, bytes);
        assertThat(cluster.io.get(2).datafiles).hasSize(before);
        assertThat(cluster.read("f")).isEqualTo(bytes);
        assertThat(cluster.shard.unlinked).isEmpty();
    }

    @Test
    void aServerThatCannotWriteIsPassedBy() throws Exception {
        SimulatedCluster cluster = cluster(2);
        cluster.io.get(0).broken = true;
        byte[] bytes = SimulatedCluster.bytes(7, 2 * STRIP);
        cluster.file("f", 2, STRIP, bytes);
        assertThat(cluster.io.get(0).datafiles).isEmpty();
        assertThat(cluster.read("f")).isEqualTo(bytes);
    }

    /** The one that is not full is busy for a while. */
    @Test
    void aServerThatIsBusyIsAskedAgainWhereTheOtherIsFull() throws Exception {
        SimulatedCluster cluster =
                new SimulatedCluster(1, 2, Faults.NONE, 700, Map.of("stead.create.protocol", "leased"));
        cluster.await(cluster.fs.clusterMap());
        cluster.io.get(0).full = true;
        for (int i = 0; i < 20; i++) {
            var unused = cluster.create("f" + i, 2, STRIP);
        }
        assertThat(cluster.io.get(0).datafiles).isEmpty();
        assertThat(cluster.shard.files).hasSize(20);
    }

    @Test
    void whereAllAreFullNothingIsLeft() throws Exception {
        SimulatedCluster cluster = cluster(2);
        cluster.file("first", 2, STRIP, new byte[0]);
        cluster.io.forEach(server -> server.full = true);
        assertThatThrownBy(() -> cluster.create("f", 2, STRIP))
                .isInstanceOfSatisfying(
                        FsException.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(FsError.NO_SPACE));
        assertThat(cluster.shard.unlinked).isEmpty();
        assertThat(cluster.shard.files).containsOnlyKeys("first");
    }

    @Test
    void aFileWhoseCreatorLeftBeforeItsLinkGetsNoName() throws Exception {
        SimulatedCluster cluster = cluster(2);
        cluster.file("first", 2, STRIP, new byte[0]);
        long links = cluster.sent(Kind.LINK);
        CompletableFuture<StripedWriter> opening = cluster.fs
                .writes()
                .create(
                        FsPath.parse("f"),
                        CreateOptions.DEFAULT.withLayout(2, STRIP).withOverwrite(true));
        cluster.time.runUntil("a handle is reserved", () -> cluster.sent(Kind.RESERVE_HANDLE) > 0, 10_000);
        opening.cancel(true);
        cluster.time.runUntil("it is taken back", () -> cluster.shard.abandoned.size() == 1, 10_000);
        assertThat(cluster.sent(Kind.LINK)).isEqualTo(links);
        assertThat(cluster.shard.unlinked).isEmpty();
    }
}
