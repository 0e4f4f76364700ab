package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.RenameMode;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.testing.SimulatedMds;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.VisibleNames;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation that needs several shards, with the power cut at every step of every shard: right before a batch, or
 * after it and before any reply leaves; one cut, two of them, and cuts among lost, doubled and late messages. A real
 * client repeats what was not answered. Whatever was cut, the answer is the one of an undisturbed run or, where a message
 * was lost for good, an equally right one; the end is the undisturbed end; nothing stays locked, open or queued; and a
 * moved file or directory is under exactly one of its names after every single step.
 *
 * <p>How many pairs of cuts are tried is {@code -Dstead.crash.pairs}, each operation; -1 = all. The table of what was run
 * is left in {@code target/crash-matrix.txt}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossShardCrashTest {
    private static final int SHARDS = 3;
    private static final int PAIRS = Integer.getInteger("stead.crash.pairs", 20);
    private static final String LOOKUP = System.getProperty("stead.lookup", "direct");
    private static final int STORMS = Integer.getInteger("stead.crash.storms", 6);

    private static final String RECURSIVE_DELETE = "recursive delete over three shards";

    private final List<String> table = new ArrayList<>();

    /**
     * One operation and its stage.
     *
     * @param moved the two names of which exactly one is visible at every moment; empty where nothing moves
     */
    private record Scenario(
            String name,
            Consumer<World> stage,
            Function<World, CompletableFuture<String>> operation,
            String answer,
            Function<World, Set<String>> gone,
            Function<World, Set<String>> come,
            Function<World, List<FsPath>> moved) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A cluster with a directory on each shard, /s0, /s1 ... below the root being on the shard of that number. */
    private static final class World {
        private final SimulatedShards shards;
        private final AsyncSteadFs client;
        private final List<String> homes = new ArrayList<>();

        World(long seed) {
            shards = new SimulatedShards(SHARDS, seed, Map.of("stead.lookup", LOOKUP));
            client = shards.client("root");
            List<Optional<String>> found = new ArrayList<>();
            for (int shard = 0; shard < SHARDS; shard++) {
                found.add(Optional.empty());
            }
            for (int i = 0; found.stream().anyMatch(Optional::isEmpty); i++) {
                String name = "/d" + i;
                int shard = shards.await("directory " + name, client.names().mkdirs(path(name), 0755, true, true))
                        .handle()
                        .shard();
                if (found.get(shard).isEmpty()) {
                    found.set(shard, Optional.of(name));
                }
            }
            found.forEach(name -> homes.add(name.orElseThrow()));
        }

        /** Path below the directory that is on this shard. */
        FsPath on(int shard, String rest) {
            return path(homes.get(shard) + "/" + rest);
        }

        /** A directory right below a home, on a shard of choice: names are tried until one lands there. */
        FsPath directory(int home, int shard) {
            for (int i = 0; ; i++) {
                FsPath path = on(home, "x" + shard + "-" + i);
                int landed = shards.await("directory " + path, client.names().mkdirs(path, 0755, true, true))
                        .handle()
                        .shard();
                if (landed == shard) {
                    return path;
                }
                done(client.names().delete(path, false));
            }
        }

        void file(FsPath path) {
            StripedWriter writer =
                    shards.await("create " + path, client.writes().create(path, CreateOptions.DEFAULT));
            done(writer.close());
        }

        void rename(FsPath source, FsPath target) {
            done(client.names().rename(source, target, RenameMode.NO_REPLACE));
        }

        <T> T done(CompletableFuture<T> answer) {
            T value = shards.await("the stage", answer);
            shards.quiet();
            return value;
        }

        SortedSet<String> paths() {
            return new TreeSet<>(shards.state().paths().keySet());
        }
    }

    private static FsPath path(String text) {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static String text(FsPath path) {
        return path.toString();
    }

    private static Scenario plain(
            String name,
            Consumer<World> stage,
            Function<World, CompletableFuture<String>> operation,
            String answer,
            Function<World, Set<String>> gone,
            Function<World, Set<String>> come) {
        return new Scenario(name, stage, operation, answer, gone, come, world -> List.of());
    }

    private static CompletableFuture<String> answer(CompletableFuture<?> operation) {
        return operation.handle((value, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause == null) {
                return value instanceof Boolean ? "moved " + value : "done";
            }
            return cause instanceof FsException refused ? refused.error().toString() : cause.toString();
        });
    }

    private static CompletableFuture<String> create(World world, FsPath path, boolean overwrite) {
        return answer(world.client
                .writes()
                .create(path, CreateOptions.DEFAULT.withOverwrite(overwrite))
                .thenCompose(StripedWriter::close));
    }

    private static CompletableFuture<String> rename(World world, FsPath source, FsPath target, RenameMode mode) {
        return answer(world.client.names().rename(source, target, mode));
    }

    static List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        Function<World, Set<String>> nothing = world -> Set.of();
        all.add(plain(
                "mkdir on another shard",
                world -> {},
                world -> answer(world.client.names().mkdirs(path("/new5"), 0755, false, true)),
                "done",
                nothing,
                world -> Set.of("/new5/")));
        all.add(plain(
                "mkdirs with parents over shards",
                world -> {},
                world -> answer(world.client.names().mkdirs(path("/p2/q3/r/s"), 0755, true, true)),
                "done",
                nothing,
                world -> Set.of("/p2/", "/p2/q3/", "/p2/q3/r/", "/p2/q3/r/s/")));
        all.add(plain(
                "create with parents over shards",
                world -> {},
                world -> create(world, path("/p4/q1/r/f"), false),
                "done",
                nothing,
                world -> Set.of("/p4/", "/p4/q1/", "/p4/q1/r/", "/p4/q1/r/f")));
        all.add(plain(
                "rmdir of a directory on another shard",
                world -> world.homes.add(text(world.directory(1, 2))),
                world -> answer(world.client.names().delete(path(world.homes.get(SHARDS)), false)),
                "done",
                world -> Set.of(world.homes.get(SHARDS) + "/"),
                nothing));
        all.add(plain(
                "rmdir refused: not empty",
                world -> {
                    world.homes.add(text(world.directory(1, 2)));
                    world.file(path(world.homes.get(SHARDS) + "/f"));
                },
                world -> answer(world.client.names().delete(path(world.homes.get(SHARDS)), false)),
                "NOT_EMPTY",
                nothing,
                nothing));
        all.add(plain(
                RECURSIVE_DELETE,
                world -> {
                    world.file(world.on(2, "a/b/c"));
                    world.file(world.on(2, "g"));
                    world.directory(2, 0);
                    world.file(path(text(world.directory(2, 1)) + "/k/l"));
                    world.file(world.on(0, "far"));
                    world.rename(world.on(0, "far"), world.on(2, "a/far"));
                },
                world -> answer(world.client.names().delete(path(world.homes.get(2)), true)),
                "done",
                world -> {
                    SortedSet<String> below = new TreeSet<>(world.paths());
                    below.removeIf(path -> !path.startsWith(world.homes.get(2) + "/"));
                    return below;
                },
                nothing));
        all.add(plain(
                "delete of a file whose metafile is elsewhere",
                world -> {
                    world.file(world.on(1, "f"));
                    world.rename(world.on(1, "f"), world.on(2, "f"));
                },
                world -> answer(world.client.names().delete(world.on(2, "f"), false)),
                "done",
                world -> Set.of(text(world.on(2, "f"))),
                nothing));
        all.add(plain(
                "create over a file whose metafile is elsewhere",
                world -> {
                    world.file(world.on(1, "f"));
                    world.rename(world.on(1, "f"), world.on(2, "f"));
                },
                world -> create(world, world.on(2, "f"), true),
                "done",
                nothing,
                nothing));
        all.add(new Scenario(
                "rename of a file to another shard",
                world -> world.file(world.on(1, "f")),
                world -> rename(world, world.on(1, "f"), world.on(2, "g"), RenameMode.NO_REPLACE),
                "moved true",
                world -> Set.of(text(world.on(1, "f"))),
                world -> Set.of(text(world.on(2, "g"))),
                world -> List.of(world.on(1, "f"), world.on(2, "g"))));
        all.add(new Scenario(
                "rename of a file onto one whose metafile is elsewhere",
                world -> {
                    world.file(world.on(1, "f"));
                    world.file(world.on(0, "old"));
                    world.rename(world.on(0, "old"), world.on(2, "g"));
                },
                world -> rename(world, world.on(1, "f"), world.on(2, "g"), RenameMode.OVERWRITE),
                "moved true",
                world -> Set.of(text(world.on(1, "f"))),
                nothing,
                world -> List.of(world.on(1, "f"), world.on(2, "g"))));
        all.add(plain(
                "rename refused: the target exists",
                world -> {
                    world.file(world.on(1, "f"));
                    world.file(world.on(2, "g"));
                },
                world -> rename(world, world.on(1, "f"), world.on(2, "g"), RenameMode.NO_REPLACE),
                "ALREADY_EXISTS",
                nothing,
                nothing));
        all.add(plain(
                "rename refused: no source",
                world -> {},
                world -> rename(world, world.on(1, "f"), world.on(2, "g"), RenameMode.NO_REPLACE),
                "NOT_FOUND",
                nothing,
                nothing));
        all.add(new Scenario(
                "rename of a directory to another shard",
                world -> {
                    world.done(world.client.names().mkdirs(world.on(1, "a/b/c"), 0755, true, true));
                    world.file(world.on(1, "a/b/f"));
                },
                world -> rename(world, world.on(1, "a/b"), world.on(2, "b"), RenameMode.NO_REPLACE),
                "moved true",
                world -> Set.of(
                        text(world.on(1, "a/b")) + "/", text(world.on(1, "a/b/c")) + "/", text(world.on(1, "a/b/f"))),
                world -> Set.of(text(world.on(2, "b")) + "/", text(world.on(2, "b/c")) + "/", text(world.on(2, "b/f"))),
                world -> List.of(world.on(1, "a/b"), world.on(2, "b"))));
        all.add(new Scenario(
                "rename of a third shard's directory onto an empty one",
                world -> {
                    world.homes.add(text(world.directory(1, 0)));
                    world.homes.add(text(world.directory(2, 1)));
                },
                world -> rename(
                        world, path(world.homes.get(SHARDS)), path(world.homes.get(SHARDS + 1)), RenameMode.OVERWRITE),
                "moved true",
                world -> Set.of(world.homes.get(SHARDS) + "/"),
                nothing,
                world -> List.of(path(world.homes.get(SHARDS)), path(world.homes.get(SHARDS + 1)))));
        all.add(plain(
                "rename of a directory into itself through another shard",
                world -> world.homes.add(text(world.directory(1, 2))),
                world -> rename(
                        world, path(world.homes.get(1)), path(world.homes.get(SHARDS) + "/in"), RenameMode.NO_REPLACE),
                "INVALID_RENAME",
                nothing,
                nothing));
        return all;
    }

    /** One run of a scenario with the power cut here and there. */
    private static final class Run {
        private final Scenario scenario;
        private final boolean stormy;
        private final World world;
        private final SortedSet<String> unchanged;
        private final SortedSet<String> expected;
        private final int[] before = new int[SHARDS];
        private final List<FsPath> moved;
        private final List<VisibleNames.Name> names = new ArrayList<>();

        Run(Scenario scenario, long seed) {
            this(scenario, seed, false);
        }

        Run(Scenario scenario, long seed, boolean stormy) {
            this.scenario = scenario;
            this.stormy = stormy;
            this.world = new World(seed);
            scenario.stage.accept(world);
            world.shards.quiet();
            this.unchanged = world.paths();
            this.expected = world.paths();
            this.moved = scenario.moved.apply(world);
            expected.removeAll(scenario.gone.apply(world));
            expected.addAll(scenario.come.apply(world));
            for (int shard = 0; shard < SHARDS; shard++) {
                before[shard] = world.shards.shard(shard).steps();
            }
            watch();
        }

        private void watch() {
            if (moved.isEmpty()) {
                return;
            }
            var paths = world.shards.state().paths();
            String source = text(moved.get(0));
            Handle object = Optional.ofNullable(paths.get(source)).orElseGet(() -> paths.get(source + "/"));
            for (FsPath path : moved) {
                String parent = text(path).substring(0, text(path).lastIndexOf('/') + 1);
                names.add(new VisibleNames.Name(
                        Optional.ofNullable(paths.get(parent)).orElseThrow(),
                        text(path).substring(parent.length())));
            }
            for (SimulatedMds shard : world.shards.shards()) {
                shard.onStep(() -> assertThat(VisibleNames.of(object, names, world.shards::committed))
                        .as("names of what moves")
                        .hasSize(1));
            }
        }

        int steps(int shard) {
            return world.shards.shard(shard).steps() - before[shard];
        }

        void cut(Cut cut) {
            world.shards.shard(cut.shard).crashAt(before[cut.shard] + cut.step, cut.after);
        }

        void go() {
            String answer = world.shards.await("the answer of " + scenario, scenario.operation.apply(world));
            world.shards.setFaults(Faults.NONE);
            world.shards.quiet();
            if (isInDoubt(answer)) {
                assertThat(world.paths()).isIn(unchanged, expected);
            } else {
                assertThat(answer).isEqualTo(scenario.answer);
                assertThat(world.paths()).isEqualTo(expected);
            }
        }

        /** A client sends a recursive delete once and waits for as long as an operation may take: it may be lost. */
        private boolean isInDoubt(String answer) {
            return stormy && scenario.name.equals(RECURSIVE_DELETE) && answer.equals("TIMED_OUT");
        }
    }

    /** The power of a shard is cut before or after its batch of this number, counted from the operation's begin. */
    private record Cut(int shard, int step, boolean after) {
        @Override
        public String toString() {
            return "shard " + shard + (after ? " after" : " before") + " step " + step;
        }
    }

    private static List<Cut> cuts(Run undisturbed) {
        List<Cut> cuts = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            for (int step = 0; step < undisturbed.steps(shard); step++) {
                cuts.add(new Cut(shard, step, false));
                cuts.add(new Cut(shard, step, true));
            }
        }
        return cuts;
    }

    private void run(Scenario scenario, long seed, Faults faults, Cut... cuts) {
        try {
            Run run = new Run(scenario, seed, !faults.equals(Faults.NONE));
            for (Cut cut : cuts) {
                run.cut(cut);
            }
            run.world.shards.setFaults(faults);
            run.go();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    scenario + ", seed " + seed + ", faults " + faults + ", power cut at " + List.of(cuts), e);
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void aPowerCutAtAnyStepOfAnyShardChangesNeitherAnswerNorEnd(Scenario scenario) {
        Run undisturbed = new Run(scenario, 1);
        undisturbed.go();
        List<Cut> cuts = cuts(undisturbed);
        for (Cut cut : cuts) {
            run(scenario, 1, Faults.NONE, cut);
        }
        RandomGenerator random = new SplittableRandom(scenario.name.hashCode());
        int pairs = 0;
        if (PAIRS < 0) {
            for (Cut first : cuts) {
                for (Cut second : cuts) {
                    if (!first.equals(second)) {
                        run(scenario, 1, Faults.NONE, first, second);
                        pairs++;
                    }
                }
            }
        } else {
            for (; pairs < PAIRS; pairs++) {
                run(scenario, 1, Faults.NONE, any(cuts, random), any(cuts, random));
            }
        }
        for (int storm = 1; storm <= STORMS; storm++) {
            run(scenario, storm, Faults.MANY, any(cuts, random), any(cuts, random));
        }
        String steps = undisturbed.steps(0) + "+" + undisturbed.steps(1) + "+" + undisturbed.steps(2);
        table.add(String.format(
                "%-56s %9s %8d %8d %8d  all as undisturbed", scenario, steps, cuts.size(), pairs, STORMS));
    }

    private static Cut any(List<Cut> cuts, RandomGenerator random) {
        return cuts.get(random.nextInt(cuts.size()));
    }

    @AfterAll
    void writeTable() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                "%-56s %9s %8s %8s %8s  %s", "operation", "steps", "one cut", "two cuts", "storms", "result"));
        lines.addAll(table);
        Files.write(Path.of("target", "crash-matrix.txt"), lines);
    }
}
