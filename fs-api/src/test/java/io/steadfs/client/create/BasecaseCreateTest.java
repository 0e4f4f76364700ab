package io.steadfs.client.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.SimulatedCluster;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The basecase create: its steps, and what is taken back when one of them fails. */
class BasecaseCreateTest {
    private static final int STRIP = 64 * 1024;

    private static SimulatedCluster cluster(int ioServers, Map<String, String> more) {
        Map<String, String> settings = new java.util.HashMap<>(more);
        settings.put("stead.create.protocol", "basecase");
        return new SimulatedCluster(1, ioServers, Faults.NONE, 0, settings);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void takesNPlusThreeMessagesInFourSteps(int width) throws Exception {
        SimulatedCluster cluster = cluster(8, Map.of());
        StripedWriter writer = cluster.create("f", width, STRIP);

        assertThat(cluster.sentForFiles()).isEqualTo(width + 3);
        assertThat(cluster.sent(Kind.CREATE_DATAFILE)).isEqualTo(width);
        assertThat(cluster.shard.kinds)
                .endsWith(Kind.CREATE_METAFILE, Kind.ATTACH, Kind.LINK)
                .doesNotContain(Kind.CREATE);
        assertThat(cluster.fs.counters())
                .containsEntry("create.basecase.files", 1L)
                .containsEntry("create.basecase.messages", width + 3L)
                .containsEntry("create.basecase.steps", 4L)
                .containsEntry("client.retries", 0L);
        assertThat(writer.info().group()).isEqualTo("staff");
        assertThat(writer.info().layout().orElseThrow().datafiles()).hasSize(width);
    }

    /** As where the thread that sends waits for a processor. */
    @Test
    void datafilesAreOneStepThoughEachIsAnsweredBeforeTheNextIsAskedFor() throws Exception {
        SimulatedCluster cluster = cluster(8, Map.of());
        AsyncSteadFs fs = cluster.client(transport -> new OneByOne(transport, cluster.time));

        var unused = cluster.await(fs.writes().create(FsPath.parse("f"), CreateOptions.DEFAULT.withLayout(8, STRIP)));

        assertThat(fs.counters())
                .containsEntry("create.basecase.messages", 11L)
                .containsEntry("create.basecase.steps", 4L);
    }

    @Test
    void whatIsSentAgainIsAStepOfItsOwn() throws Exception {
        SimulatedCluster cluster = cluster(4, Map.of());
        cluster.io.get(2).full = true;

        cluster.create("f", 4, STRIP);

        assertThat(cluster.fs.counters())
                .containsEntry("create.basecase.messages", 8L)
                .containsEntry("create.basecase.steps", 5L);
    }

    /** Each message is answered before it counts as sent. */
    private record OneByOne(Transport transport, SimulatedTime time) implements Transport {
        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            CompletableFuture<Reply> answer = transport.send(server, request, timeoutMillis);
            time.runUntil("an answer", answer::isDone, timeoutMillis);
            return answer;
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    @Test
    void bytesGoToTheDatafilesThatWereMade() throws Exception {
        SimulatedCluster cluster = cluster(4, Map.of());
        byte[] bytes = SimulatedCluster.bytes(1, 9 * STRIP + 17);
        cluster.file("f", 4, STRIP, bytes);
        assertThat(cluster.read("f")).isEqualTo(bytes);
        assertThat(cluster.io).allSatisfy(server -> assertThat(server.datafiles).hasSize(1));
        assertThat(cluster.sent(Kind.ATTACH)).as("nothing is attached later").isEqualTo(1);
    }

    @Test
    void everyStepIsRepeatedAmongFaults() throws Exception {
        for (long seed = 1; seed <= 30; seed++) {
            SimulatedCluster cluster =
                    new SimulatedCluster(seed, 4, Faults.NONE, 100, Map.of("stead.create.protocol", "basecase"));
            cluster.await(cluster.fs.clusterMap());
            cluster.network.setFaults(Faults.MANY);
            byte[] bytes = SimulatedCluster.bytes(seed, new Random(seed).nextInt(6 * STRIP));
            cluster.file("f", 4, STRIP, bytes);
            assertThat(cluster.read("f")).as("seed %s", seed).isEqualTo(bytes);
            assertThat(cluster.shard.unlinked).as("seed %s", seed).isEmpty();
            assertThat(cluster.shard.executed)
                    .as("seed %s", seed)
                    .containsEntry(Kind.CREATE_METAFILE, 1)
                    .containsEntry(Kind.LINK, 1);
        }
    }

    @Test
    void aRefusedLinkIsTakenBackWithItsDatafiles() throws Exception {
        SimulatedCluster cluster = cluster(4, Map.of());
        cluster.file("f", 4, STRIP, new byte[0]);

        assertThat(refusal(cluster)).isEqualTo(FsError.ALREADY_EXISTS);

        assertThat(cluster.shard.unlinked).isEmpty();
        assertThat(cluster.shard.abandoned)
                .singleElement()
                .satisfies(abandon -> assertThat(abandon.getDatafilesList()).hasSize(4));
        assertThat(cluster.fs.counters()).containsEntry("create.basecase.files", 1L);
    }

    @Test
    void aDatafileThatCannotBeMadeTakesTheOthersWithIt() throws Exception {
        SimulatedCluster cluster = cluster(4, Map.of());
        cluster.io.get(2).broken = true;

        assertThat(refusal(cluster)).isEqualTo(FsError.IO_ERROR);

        assertThat(cluster.shard.files).isEmpty();
        assertThat(cluster.shard.unlinked).isEmpty();
        assertThat(cluster.shard.abandoned)
                .singleElement()
                .satisfies(abandon -> assertThat(abandon.getDatafilesList()).hasSize(3));
        assertThat(cluster.sent(Kind.ATTACH)).isZero();
    }

    @Test
    void aFullServerIsPassedBy() throws Exception {
        SimulatedCluster cluster = cluster(4, Map.of());
        cluster.io.get(2).full = true;
        byte[] bytes = SimulatedCluster.bytes(7, 4 * STRIP);
        cluster.file("f", 4, STRIP, bytes);
        assertThat(cluster.io.get(2).datafiles).isEmpty();
        assertThat(cluster.read("f")).isEqualTo(bytes);
    }

    @Test
    void whereAllAreFullNothingIsLeft() throws Exception {
        SimulatedCluster cluster = cluster(2, Map.of());
        cluster.io.forEach(server -> server.full = true);
        assertThat(refusal(cluster)).isEqualTo(FsError.NO_SPACE);
        assertThat(cluster.shard.unlinked).isEmpty();
    }

    /** The shard may still execute what it did not answer. */
    @Test
    void ofALinkWithoutAnAnswerNothingIsTakenBack() throws Exception {
        SimulatedCluster cluster = cluster(2, Map.of("stead.client.operation.timeout", "5000"));
        cluster.create("g", 1, STRIP);
        cluster.shard.silent.add(Kind.LINK);

        assertThat(refusal(cluster)).isEqualTo(FsError.TIMED_OUT);

        assertThat(cluster.shard.files).containsKey("f");
        assertThat(cluster.shard.abandoned).isEmpty();
        assertThat(cluster.sent(Kind.ABANDON_METAFILE)).isZero();
    }

    @Test
    void aFileWhoseCreatorLeftBeforeItsLinkGetsNoName() throws Exception {
        SimulatedCluster cluster = cluster(2, Map.of());
        CompletableFuture<StripedWriter> opening =
                cluster.fs.writes().create(FsPath.parse("f"), CreateOptions.DEFAULT.withOverwrite(true));
        cluster.time.runUntil("datafiles are made", () -> cluster.sent(Kind.CREATE_DATAFILE) > 0, 10_000);
        opening.cancel(true);
        cluster.time.runUntil("it is taken back", () -> cluster.shard.abandoned.size() == 1, 10_000);
        assertThat(cluster.sent(Kind.LINK)).isZero();
        assertThat(cluster.shard.unlinked).isEmpty();
    }

    @Test
    void aFileWhoseCreatorDidNotLearnOfItsLinkIsGivenUp() throws Exception {
        SimulatedCluster cluster = cluster(2, Map.of("stead.client.operation.timeout", "5000"));
        cluster.shard.silent.add(Kind.LINK);
        assertThat(refusal(cluster)).isEqualTo(FsError.TIMED_OUT);
        cluster.time.runFor(20_000);
        cluster.shard.silent.clear();
        cluster.time.runUntil(
                "it is given up", () -> cluster.shard.executed.getOrDefault(Kind.ABANDON, 0) == 1, 60_000);
        assertThat(cluster.shard.attributes("f").getOpen()).isFalse();
        assertThat(cluster.shard.executed).containsEntry(Kind.LINK, 1);
    }

    private static FsError refusal(SimulatedCluster cluster) {
        FsException[] refusal = new FsException[1];
        assertThatThrownBy(() -> cluster.create("f", 4, STRIP))
                .isInstanceOfSatisfying(FsException.class, refused -> refusal[0] = refused);
        return refusal[0].error();
    }

    @Test
    void anUnknownProtocolIsNamed() {
        Settings settings = Settings.of(Map.of("stead.create.protocol", "hurried"));
        assertThatThrownBy(() -> settings.get(CreateProtocol.KEY))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "stead.create.protocol",
                        "hurried",
                        "unified, basecase, compound, leased, precreated, delegated, lazy, adaptive");
    }
}
