package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.testing.FakeIoServer;
import io.steadfs.mds.testing.SimulatedMds;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The basecase create, whose metafile, datafiles and dirent are made one after another in different places: the power is
 * cut at every step of every shard, once, twice, and among lost, doubled and late messages; and the client dies after any
 * of its messages. A name leads to a complete file at every moment, and of what has no name nothing stays, once the
 * session has ended.
 *
 * <p>How many pairs of cuts are tried is {@code -Dstead.crash.pairs}, each scenario; -1 = all. The table of what was run is left in
 * {@code target/basecase-crash-matrix.txt}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BasecaseCrashTest {
    private static final int SHARDS = 3;
    private static final int COLUMNS = 2;
    private static final int PAIRS = Integer.getInteger("stead.crash.pairs", 20);
    private static final int STORMS = Integer.getInteger("stead.crash.storms", 6);
    private static final long LIMIT_MILLIS = 600_000;

    /** The messages of a create. */
    private static final Set<Kind> STEPS =
            EnumSet.of(Kind.CREATE_METAFILE, Kind.CREATE_DATAFILE, Kind.ATTACH, Kind.LINK);

    private final List<String> table = new ArrayList<>();

    /** Sends nothing any more once its client died: after so many messages of a create. */
    private static final class MortalTransport implements Transport {
        private final Transport transport;
        private int left = Integer.MAX_VALUE;
        private boolean dead;
        private Optional<Kind> held = Optional.empty();
        private Optional<Map.Entry<ServerAddress, Request>> late = Optional.empty();

        MortalTransport(Transport transport) {
            this.transport = transport;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            if (!dead && held.isPresent() && held.get() == request.kind()) {
                late = Optional.of(Map.entry(server, request));
                dead = true;
            }
            if (dead) {
                request.payload().release();
                return new CompletableFuture<>();
            }
            if (STEPS.contains(request.kind()) && --left == 0) {
                dead = true;
            }
            return transport.send(server, request, timeoutMillis);
        }

        /** What was held arrives now. */
        CompletableFuture<Reply> sendLate() {
            Map.Entry<ServerAddress, Request> message = late.orElseThrow();
            RequestHeader header = message.getValue().header();
            return transport.send(
                    message.getKey(),
                    new Request(
                            message.getValue().kind(),
                            header,
                            message.getValue().body(),
                            message.getValue().payload()),
                    1_000);
        }

        @Override
        public void close() {}
    }

    /** A cluster with a directory on each shard. */
    private static final class World {
        private final SimulatedShards shards;
        private final AsyncSteadFs founder;
        private final AsyncSteadFs client;
        private Optional<MortalTransport> way = Optional.empty();
        private final List<FsPath> homes = new ArrayList<>();
        private boolean stormy;

        World(long seed, long sessionMillis) {
            shards = new SimulatedShards(
                    SHARDS,
                    seed,
                    Map.of(
                            "stead.create.protocol",
                            "basecase",
                            "stead.session.duration",
                            Long.toString(sessionMillis),
                            "stead.lookup",
                            "component"));
            founder = shards.client("root");
            client = shards.client("root", transport -> {
                MortalTransport mortal = new MortalTransport(transport);
                way = Optional.of(mortal);
                return mortal;
            });
            List<Optional<FsPath>> found = new ArrayList<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                found.add(Optional.empty());
            }
            for (int i = 0; found.stream().anyMatch(Optional::isEmpty); i++) {
                FsPath path = path("/d" + i);
                int shard = shards.await("directory " + path, founder.names().mkdirs(path, 0755, true, true))
                        .handle()
                        .shard();
                if (found.get(shard).isEmpty()) {
                    found.set(shard, Optional.of(path));
                }
            }
            found.forEach(home -> homes.add(home.orElseThrow()));
            shards.await("the client's session", client.names().mkdirs(path("/client"), 0755, true, true));
            shards.quiet();
        }

        MortalTransport way() {
            return way.orElseThrow();
        }

        FsPath on(int shard, String name) {
            return homes.get(shard).child(name);
        }

        Optional<Handle> find(FsPath path) {
            return Optional.ofNullable(shards.state().paths().get(path.toString()));
        }

        MetafileRow row(Handle file) {
            return Metafiles.find(shards.committed(file.shard()), file).orElseThrow();
        }

        boolean hasWriter(Handle file) {
            return row(file).getWriterSession() != 0;
        }

        boolean hasUnlinked() {
            return shards.shards().stream()
                    .anyMatch(shard ->
                            UnlinkedFiles.from(shard.store().committed(), 0, 1).isPresent());
        }

        /** Everything is settled: nothing between the shards, and no metafile without a name. */
        void settled() {
            shards.quiet();
            shards.time().runUntil("no metafile is without a name", () -> areUp() && !hasUnlinked(), LIMIT_MILLIS);
            shards.quiet();
            shards.state();
            checkDatafiles();
        }

        private boolean areUp() {
            return shards.shards().stream().allMatch(SimulatedMds::isUp);
        }

        /**
         * What is stored is listed; or its IO server will remove it when it asks, because its metafile is gone, or among
         * faults because the client did not hear of it and had another one made.
         */
        private void checkDatafiles() {
            for (FakeIoServer server : shards.ioServers()) {
                for (Handle datafile : server.lengths().keySet()) {
                    Handle metafile =
                            Optional.ofNullable(server.madeFor().get(datafile)).orElseThrow();
                    Metafiles.find(shards.committed(metafile.shard()), metafile)
                            .filter(row -> !stormy || !isGivenUp(row, datafile))
                            .ifPresent(row -> assertThat(row.getLayout().getDatafilesList())
                                    .as("datafiles of %s", metafile)
                                    .contains(datafile.value()));
                }
            }
        }

        /** All columns have other datafiles: this one cannot become one of them. */
        private static boolean isGivenUp(MetafileRow row, Handle datafile) {
            List<Long> listed = row.getLayout().getDatafilesList();
            return listed.size() == COLUMNS && !listed.contains(0L) && !listed.contains(datafile.value());
        }

        CompletableFuture<String> create(FsPath path, boolean overwrite) {
            return client.writes()
                    .create(
                            path,
                            CreateOptions.DEFAULT.withLayout(COLUMNS, 1 << 16).withOverwrite(overwrite))
                    .thenCompose(StripedWriter::close)
                    .handle((closed, failure) -> {
                        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                        if (cause == null) {
                            return "done";
                        }
                        return cause instanceof FsException refused
                                ? refused.error().toString()
                                : cause.toString();
                    });
        }

        void checkComplete(FsPath path) {
            Handle file = find(path).orElseThrow(() -> new AssertionError(path + " is not there"));
            MetafileRow row = row(file);
            assertThat(row.getUnlinkedSession()).isZero();
            assertThat(row.getGroup()).as("group of %s", path).isEqualTo("supergroup");
            assertThat(row.getLayout().getDatafilesList()).hasSize(COLUMNS).doesNotContain(0L);
            assertThat(row.getWriterSession()).isZero();
        }
    }

    private static FsPath path(String text) {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** The power of a shard is cut before or after its batch of this number, counted from the create's begin. */
    private record Cut(int shard, int step, boolean after) {
        @Override
        public String toString() {
            return "shard " + shard + (after ? " after" : " before") + " step " + step;
        }
    }

    /** What happens in a world. */
    private interface Story {
        void run(World world);
    }

    private record Scenario(String name, long sessionMillis, Story stage, Story story) {}

    private static int[] steps(World world) {
        return world.shards.shards().stream().mapToInt(SimulatedMds::steps).toArray();
    }

    private void run(Scenario scenario, long seed, Faults faults, List<Cut> cuts) {
        try {
            World world = new World(seed, scenario.sessionMillis);
            scenario.stage.run(world);
            int[] before = steps(world);
            for (Cut cut : cuts) {
                world.shards.shard(cut.shard).crashAt(before[cut.shard] + cut.step, cut.after);
            }
            world.shards.setFaults(faults);
            world.stormy = !faults.equals(Faults.NONE);
            scenario.story.run(world);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    scenario.name + ", seed " + seed + ", faults " + faults + ", power cut at " + cuts, e);
        }
    }

    private void runAll(Scenario scenario) {
        World undisturbed = new World(1, scenario.sessionMillis);
        scenario.stage.run(undisturbed);
        int[] before = steps(undisturbed);
        scenario.story.run(undisturbed);
        List<Cut> cuts = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            for (int step = 0; step < steps(undisturbed)[shard] - before[shard]; step++) {
                cuts.add(new Cut(shard, step, false));
                cuts.add(new Cut(shard, step, true));
            }
        }
        cuts.forEach(cut -> run(scenario, 1, Faults.NONE, List.of(cut)));
        RandomGenerator random = new SplittableRandom(scenario.name.hashCode());
        List<List<Cut>> pairs = pairs(cuts, random);
        pairs.forEach(pair -> run(scenario, 1, Faults.NONE, pair));
        for (int storm = 1; storm <= STORMS; storm++) {
            run(scenario, storm, Faults.MANY, List.of(any(cuts, random), any(cuts, random)));
        }
        table.add(String.format("%-44s %8d %8d %8d  as it must be", scenario.name, cuts.size(), pairs.size(), STORMS));
    }

    private static List<List<Cut>> pairs(List<Cut> cuts, RandomGenerator random) {
        List<List<Cut>> pairs = new ArrayList<>();
        if (PAIRS < 0) {
            cuts.forEach(first -> cuts.stream()
                    .filter(second -> !second.equals(first))
                    .forEach(second -> pairs.add(List.of(first, second))));
        } else {
            while (pairs.size() < PAIRS) {
                pairs.add(List.of(any(cuts, random), any(cuts, random)));
            }
        }
        return pairs;
    }

    private static Cut any(List<Cut> cuts, RandomGenerator random) {
        return cuts.get(random.nextInt(cuts.size()));
    }

    @AfterAll
    void writeTable() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(String.format("%-44s %8s %8s %8s  %s", "basecase create", "one cut", "two cuts", "storms", "result"));
        lines.addAll(table);
        Files.write(Path.of("target", "basecase-crash-matrix.txt"), lines);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aCreateIsDoneWhateverIsCut(int home) {
        runAll(new Scenario("in a directory of shard " + home, 60_000, world -> {}, world -> {
            assertThat(world.shards.await("create", world.create(world.on(home, "f"), false)))
                    .isEqualTo("done");
            world.shards.setFaults(Faults.NONE);
            world.settled();
            world.checkComplete(world.on(home, "f"));
        }));
    }

    @Test
    void aRefusedCreateLeavesNothingWhateverIsCut() {
        runAll(new Scenario(
                "refused: the name exists",
                60_000,
                world -> {
                    world.shards.await("stage", world.founder.names().mkdirs(world.on(1, "f"), 0755, true, true));
                    world.shards.quiet();
                },
                world -> {
                    assertThat(world.shards.await("create", world.create(world.on(1, "f"), false)))
                            .isIn("ALREADY_EXISTS", "IS_A_DIRECTORY");
                    world.shards.setFaults(Faults.NONE);
                    world.settled();
                    assertThat(world.find(world.on(1, "f"))).isEmpty();
                }));
    }

    @Test
    void aFileIsReplacedWhateverIsCut() {
        runAll(new Scenario(
                "over a basecase file",
                60_000,
                world -> {
                    world.shards.await("stage", world.create(world.on(2, "f"), false));
                    world.settled();
                },
                world -> {
                    Handle old = world.find(world.on(2, "f")).orElseThrow();
                    assertThat(world.shards.await("create", world.create(world.on(2, "f"), true)))
                            .isEqualTo("done");
                    world.shards.setFaults(Faults.NONE);
                    world.settled();
                    world.checkComplete(world.on(2, "f"));
                    assertThat(world.find(world.on(2, "f"))).isNotEqualTo(Optional.of(old));
                    assertThat(Metafiles.find(world.shards.committed(old.shard()), old))
                            .isEmpty();
                }));
    }

    /** N + 3 messages, and one more because the link is sent on from the root's shard; so many were sent. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aClientThatDiesLeavesNothingWithoutAName(int messages) {
        runAll(new Scenario("the client dies after message " + messages, 4_000, world -> {}, world -> {
            world.way().left = messages;
            var unused = world.create(world.on(2, "f"), false);
            world.shards.time().runUntil("the client dies", () -> world.way().dead, LIMIT_MILLIS);
            world.shards.time().runFor(2_000);
            world.shards.setFaults(Faults.NONE);
            world.shards.time().runFor(3 * 4_000);
            world.settled();
            Optional<Handle> file = world.find(world.on(2, "f"));
            if (messages < COLUMNS + 4) {
                assertThat(file).isEmpty();
            } else if (file.isPresent()) {
                Handle open = file.get();
                world.shards.time().runUntil("it is closed", () -> !world.hasWriter(open), LIMIT_MILLIS);
                world.checkComplete(world.on(2, "f"));
            }
        }));
    }

    /** Shard 0, which is to link, knows the session as a guest and cannot ask anybody about it: only the fence tells it. */
    @Test
    void aLinkThatComesAfterTheFenceIsRefused() {
        for (long seed = 1; ; seed++) {
            World world = new World(seed, 4_000);
            world.way().held = Optional.of(Kind.LINK);
            var unused = world.create(path("/late"), false);
            world.shards
                    .time()
                    .runUntil("the link is sent", () -> world.way().late.isPresent(), LIMIT_MILLIS);
            assertThat(world.hasUnlinked()).isTrue();
            Request late = world.way().late.orElseThrow().getValue();
            if (HomeShard.of(late.header().getSession(), SHARDS) == 0
                    || UnlinkedFiles.from(world.shards.committed(0), 0, 1).isPresent()) {
                continue;
            }
            world.shards.network().cut("mds-0", SimulatedShards.address(1));
            world.shards.network().cut("mds-0", SimulatedShards.address(2));
            world.shards.time().runUntil("the metafile is removed", () -> !world.hasUnlinked(), LIMIT_MILLIS);
            Reply reply = world.shards.await("the late link", world.way().sendLate());
            assertThat(reply.error()).isEqualTo(FsError.SESSION_EXPIRED);
            world.shards.network().heal("mds-0", SimulatedShards.address(1));
            world.shards.network().heal("mds-0", SimulatedShards.address(2));
            world.settled();
            assertThat(world.find(path("/late"))).isEmpty();
            return;
        }
    }

    /** The name is made, and the metafile's shard cannot be told. */
    @Test
    void aNameOfWhichWordIsOnItsWayIsKept() {
        for (long seed = 1; ; seed++) {
            World world = new World(seed, 4_000);
            world.shards.await("a guest", world.client.names().mkdirs(world.on(2, "x"), 0755, true, true));
            world.shards.quiet();
            world.way().left = COLUMNS + 4;
            var unused = world.create(world.on(2, "f"), false);
            world.shards
                    .time()
                    .runUntil(
                            "the link is made",
                            () -> world.way().dead
                                    && (Outbox.count(world.shards.committed(2), 1) > 0 || !world.hasUnlinked()),
                            LIMIT_MILLIS);
            for (int shard = 0; shard < 2; shard++) {
                world.shards.network().cut("mds-2", SimulatedShards.address(shard));
            }
            world.shards.time().runFor(1_000);
            boolean elsewhere = Outbox.count(world.shards.committed(2), 1) > 0;
            if (elsewhere) {
                world.shards.time().runFor(20_000);
                assertThat(world.hasUnlinked()).isTrue();
            }
            for (int shard = 0; shard < 2; shard++) {
                world.shards.network().heal("mds-2", SimulatedShards.address(shard));
            }
            world.shards.time().runFor(20_000);
            world.settled();
            world.checkComplete(world.on(2, "f"));
            if (elsewhere) {
                return;
            }
        }
    }

    @Test
    void aShardThatIsDownDelaysTheRemoval() {
        World world = new World(3, 4_000);
        world.way().left = COLUMNS + 2;
        var unused = world.create(world.on(2, "f"), false);
        world.shards.time().runUntil("the client dies", () -> world.way().dead, LIMIT_MILLIS);
        world.shards.time().runFor(1_000);
        int owner = -1;
        for (int shard = 0; shard < SHARDS; shard++) {
            if (UnlinkedFiles.from(world.shards.committed(shard), 0, 1).isPresent()) {
                owner = shard;
            }
        }
        assertThat(owner).isNotNegative();
        world.shards.shard((owner + 1) % SHARDS).crash(60_000);
        world.shards.time().runFor(59_000);
        assertThat(UnlinkedFiles.from(world.shards.committed(owner), 0, 1)).isPresent();
        world.shards.time().runFor(2_000);
        world.settled();
        assertThat(world.find(world.on(2, "f"))).isEmpty();
    }
}
