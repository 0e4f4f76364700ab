package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Transport;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that stand still for longer than leases last, and go on: the client that holds them, an IO server that granted some,
 * a shard that has to fence them. A create that named handles before and is sent afterwards is refused, and done with others;
 * files that were made before, and are written afterwards, are whole.
 */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
@TestInstance(Lifecycle.PER_CLASS)
class StoppedHolderTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long LEASE_MILLIS = 2_000;
    private static final Map<String, List<String>> PROTOCOLS = Map.of(
            "precreated", List.of("stead.create.protocol=precreated"),
            "eager", List.of("stead.create.protocol=unified", "stead.layout.eager=true"));

    private static final String[] IO_SERVERS = {"io-1", "io-2", "io-3"};

    private final EventLoops loops = EventLoops.open("test", Settings.defaults());
    private final Transport transport =
            new NettyTransport(loops, NettyOptions.from(Settings.defaults()), new MessageCounters(), new SystemClock());
    private final ProcessCluster cluster;

    StoppedHolderTest(@TempDir Path data) throws IOException {
        cluster = ProcessCluster.in(data.resolve("cluster"))
                .mds(2)
                .shards(2)
                .ioServers(StoppedHolder.COLUMNS)
                .set("stead.io.lease.duration", Long.toString(LEASE_MILLIS))
                .set("stead.io.lease.check.interval", "100")
                .start();
    }

    @BeforeEach
    void awaitTheEndOfOtherLeases() {
        await().atMost(SOON).until(() -> open() == 0);
    }

    /** Also where a test failed. */
    @AfterEach
    void goOn() throws IOException, InterruptedException {
        for (String server : List.of("io-2", "mds-2")) {
            Signals.send(cluster.pidOf(server).orElseThrow(), "CONT");
        }
    }

    @AfterAll
    void stop() throws IOException {
        transport.close();
        loops.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"precreated", "eager"})
    void aClientThatStoodStillIsRefusedAndGoesOn(String protocol) throws Exception {
        try (Child child = new Child("client", protocol)) {
            child.say("create " + child.path("before"), "CREATED");
            child.say("hold " + child.path("held"), "NAMED");
            Signals.send(child.process.pid(), "STOP");
            await().atMost(SOON).until(() -> open() == 0);
            Signals.send(child.process.pid(), "CONT");

            allIsWell(child);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"precreated", "eager"})
    void anIoServerThatStoodStillTakesItsHandlesBack(String protocol) throws Exception {
        try (Child child = new Child("io", protocol)) {
            child.say("create " + child.path("before"), "CREATED");
            child.say("hold " + child.path("held"), "NAMED");
            assertThat(gauge("leases.open", "io-2")).isPositive();
            long server = cluster.pidOf("io-2").orElseThrow();
            Signals.send(server, "STOP");
            long first = renewals("io-1");
            long third = renewals("io-3");
            // More than once at each: nobody waits for the one that stands still.
            await("leases at the others are renewed")
                    .atMost(SOON)
                    .until(() -> renewals("io-1") > first + 1 && renewals("io-3") > third + 1);
            Signals.awaitPassed(Duration.ofMillis(2 * LEASE_MILLIS));
            Signals.send(server, "CONT");
            await().atMost(SOON).until(() -> gauge("leases.open", "io-2") == 0);

            allIsWell(child);
        }
    }

    /** Leases cannot end without it. */
    @ParameterizedTest
    @ValueSource(strings = {"precreated", "eager"})
    void leasesWaitForAShardThatStandsStill(String protocol) throws Exception {
        try (Child child = new Child("shard", protocol)) {
            child.say("create " + child.path("before"), "CREATED");
            child.say("hold " + child.path("held"), "NAMED");
            long server = cluster.pidOf("mds-2").orElseThrow();
            Signals.send(server, "STOP");
            Signals.send(child.process.pid(), "STOP");
            for (String ioServer : IO_SERVERS) {
                await().atMost(SOON).until(() -> gauge("leases.revoking", ioServer) > 0);
            }
            long open = open();
            Signals.awaitPassed(Duration.ofMillis(2 * LEASE_MILLIS));
            assertThat(open()).isEqualTo(open);
            Signals.send(server, "CONT");
            await().atMost(SOON).until(() -> open() == 0);
            Signals.send(child.process.pid(), "CONT");

            allIsWell(child);
        }
    }

    /** What was named is refused, once; then all is as ever. */
    private void allIsWell(Child child) throws IOException {
        child.say("go", "CREATED 1");
        child.say("create " + child.path("after"), "CREATED");
        List<String> written = new ArrayList<>();
        for (String name : List.of("before", "held", "after")) {
            child.say("write " + child.path(name), "WRITTEN");
            written.add(child.path(name));
        }
        for (int i = 0; i < 10; i++) {
            String path = child.path("more-" + i);
            child.say("create " + path, "CREATED");
            child.say("write " + path, "WRITTEN");
            written.add(path);
        }
        try (SteadFs fs = SteadClient.connect(Settings.defaults(), List.of(cluster.address()), LocalProcess.caller())) {
            for (String path : written) {
                assertThat(WritersComeAndGoTest.read(fs, FsPath.parse(path)))
                        .as(path)
                        .isEqualTo(StoppedHolder.bytes(path));
            }
        }
    }

    /** Of those IO servers together. */
    private long gauge(String gauge, String... servers) throws IOException {
        long sum = 0;
        for (String server : servers) {
            sum += StatusOf.server(transport, server, cluster.addressOf(server)).getGaugesOrDefault(gauge, 0);
        }
        return sum;
    }

    /** How often the server was asked to renew leases. */
    private long renewals(String server) throws IOException {
        return StatusOf.server(transport, server, cluster.addressOf(server))
                .getCountersOrDefault("messages.in.RENEW_LEASES", 0);
    }

    private long open() throws IOException {
        return gauge("leases.open", IO_SERVERS);
    }

    private final class Child implements AutoCloseable {
        private final String prefix;
        private final HolderProcess process;

        /** @param stopped what stands still */
        Child(String stopped, String protocol) throws IOException {
            this.prefix = "/" + stopped + "-" + protocol + "-";
            process = HolderProcess.start(cluster.addressOf("mds-1"), PROTOCOLS.getOrDefault(protocol, List.of()));
        }

        String path(String name) {
            return prefix + name;
        }

        void say(String line, String answer) throws IOException {
            process.say(line, answer);
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
