package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.testing.ShardsCheck;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.WalkingClient;
import io.steadfs.path.FsPath;
import io.steadfs.path.LinkTarget;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.Faults;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations on three shards, which must come out as on one. Directories down to depth two are dealt out over
 * the shards; renames then mix them further, so that every step of every operation over shards is met.
 */
class SeveralShardsTest {
    private static final String[] NAMES = {"a", "b", "c", "d", "e"};
    private static final int MOST_LINKS = 5;
    private static final String[] RENAME_MODES = {"NO_REPLACE", "OVERWRITE", "INTO_DIRECTORY"};

    private final Shell one = new Shell();

    @ParameterizedTest(name = "seed {0}, {1} operations, faults {2}, crashes {3}, whole paths {4}, partitions {5}")
    @CsvSource({
        "1, 3000, false, false, false, false",
        "2, 3000, false, false, false, false",
        "2, 3000, false, false, false, true",
        "3, 500, true, false, false, false",
        "4, 500, true, true, false, false",
        "5, 500, true, true, false, false",
        "5, 500, true, true, false, true",
        "1, 3000, false, false, true, false",
        "2, 3000, false, false, true, false",
        "2, 3000, false, false, true, true",
        "3, 500, true, false, true, false",
        "4, 500, true, true, true, false",
        "5, 500, true, true, true, false",
        "5, 500, true, true, true, true"
    })
    void behavesAsOneShard(
            long seed, int operations, boolean faults, boolean crashes, boolean whole, boolean partitions) {
        SimulatedShards cluster = new SimulatedShards(3, seed);
        WalkingClient client = client(cluster, 42 + seed, whole, seed);
        Random random = new Random(seed);
        String last = "";
        if (faults) {
            cluster.network().setFaults(new Faults(30, 30, 50, 5_000));
        }
        for (int i = 0; i < operations; i++) {
            if (crashes && random.nextInt(5) == 0) {
                int shard = random.nextInt(3);
                if (cluster.shard(shard).isUp()) {
                    cluster.shard(shard)
                            .crashAt(cluster.shard(shard).steps() + random.nextInt(6), random.nextBoolean());
                }
            }
            String command = partitions && i % 2 == 1 && last.startsWith("mkdir")
                    ? split(last)
                    : command(random, NAMES.length, 4);
            last = command;
            String what = "seed " + seed + ", operation " + i + ": " + command;
            Reply expected = followed(command, each -> one.as("root", each));
            Reply reply = followed(command, each -> run(cluster, client, each));
            assertThat(reply.error())
                    .as(
                            "%s: %s; expected %s",
                            what, reply.header().getMessage(), expected.header().getMessage())
                    .isEqualTo(expected.error());
            if (reply.body() instanceof RenameReply renamed && expected.body() instanceof RenameReply other) {
                assertThat(renamed.getMoved()).as(what).isEqualTo(other.getMoved());
            }
            if (reply.isOk() && reply.body() instanceof ListReply list) {
                assertThat(names(list.getEntriesList()))
                        .as(what)
                        .isEqualTo(names(((ListReply) expected.body()).getEntriesList()));
            }
            if (i % 250 == 0) {
                compare(cluster, what);
            }
        }
        cluster.network().setFaults(Faults.NONE);
        compare(cluster, "at the end");
        for (ReadView view : cluster.views()) {
            assertThat(Intents.next(view))
                    .as("operations that a shard drove over several")
                    .isGreaterThan(operations / 50);
        }
    }

    /** One that walks from the root, or one that sends whole paths to any shard. */
    private static WalkingClient client(SimulatedShards cluster, long session, boolean whole, long seed) {
        WalkingClient client = new WalkingClient(cluster, session, "root");
        return whole ? client.toAnyShard(new SplittableRandom(seed)) : client;
    }

    /** Nothing is lost, doubled or left behind, whoever wins. */
    @ParameterizedTest(name = "seed {0}, faults {1}, crashes {2}, whole paths {3}, partitions {4}")
    @CsvSource({
        "11, false, false, false, false",
        "12, false, false, false, false",
        "12, false, false, false, true",
        "13, true, false, false, false",
        "14, true, true, false, false",
        "15, true, true, false, false",
        "16, true, true, false, false",
        "16, true, true, false, true",
        "11, false, false, true, false",
        "12, false, false, true, false",
        "12, false, false, true, true",
        "13, true, false, true, false",
        "14, true, true, true, false",
        "15, true, true, true, false",
        "16, true, true, true, false",
        "16, true, true, true, true"
    })
    void racingClientsLeaveAWholeNamespace(
            long seed, boolean faults, boolean crashes, boolean whole, boolean partitions) {
        SimulatedShards cluster = new SimulatedShards(3, seed);
        Random random = new Random(seed);
        List<Racer> racers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            // With whole paths, every other one still walks from the root.
            WalkingClient client = client(cluster, 100 * seed + i, whole && i % 2 == 0, seed + i);
            racers.add(new Racer(client, new Random(seed + i), 200, partitions));
        }
        if (faults) {
            cluster.network().setFaults(new Faults(30, 30, 50, 5_000));
        }
        racers.forEach(Racer::next);
        while (!racers.stream().allMatch(racer -> racer.left == 0)) {
            int shard = random.nextInt(3);
            if (crashes && random.nextInt(3) == 0 && cluster.shard(shard).isUp()) {
                cluster.shard(shard).crashAt(cluster.shard(shard).steps() + random.nextInt(6), random.nextBoolean());
            }
            int done = racers.stream().mapToInt(racer -> racer.left).sum();
            cluster.time()
                    .runUntil(
                            "somebody gets on, seed " + seed,
                            () -> racers.stream().mapToInt(racer -> racer.left).sum() <= Math.max(0, done - 5),
                            120_000);
            racers.forEach(Racer::check);
        }
        cluster.network().setFaults(Faults.NONE);
        cluster.quiet();
        ShardsCheck.of(cluster.views());
    }

    /** One operation after the other, whatever comes of it. */
    private static final class Racer {
        private final WalkingClient client;
        private final Random random;
        private final boolean partitions;
        private int left;
        private String last = "";
        private Optional<Throwable> failure = Optional.empty();

        Racer(WalkingClient client, Random random, int operations, boolean partitions) {
            this.partitions = partitions;
            this.client = client;
            this.random = random;
            this.left = operations;
        }

        void next() {
            String command = partitions && last.startsWith("mkdir") ? split(last) : command(random, 3, 3);
            last = command;
            var unused = begin(client, command).whenComplete((reply, broken) -> {
                failure = Optional.ofNullable(broken)
                        .or(() -> reply.error() == FsError.FAULT
                                ? Optional.of(new AssertionError(
                                        command + ": " + reply.header().getMessage()))
                                : Optional.empty());
                if (failure.isEmpty() && --left > 0) {
                    next();
                }
            });
        }

        void check() {
            failure.ifPresent(broken -> {
                throw new AssertionError(broken);
            });
        }
    }

    private void compare(SimulatedShards cluster, String what) {
        cluster.quiet();
        Set<String> paths = new TreeSet<>();
        for (String path : ShardsCheck.of(cluster.views()).paths().keySet()) {
            paths.add(path.endsWith("/") ? path.substring(1, path.length() - 1) : path.substring(1));
        }
        assertThat(paths).as(what).isEqualTo(new TreeSet<>(one.tree("/")));
    }

    private static Set<String> names(List<Entry> entries) {
        Set<String> names = new TreeSet<>();
        entries.forEach(entry -> names.add(entry.getName() + " "
                + entry.getAttributes().getType() + " " + entry.getAttributes().getMode()));
        return names;
    }

    private static String command(Random random, int names, int depth) {
        String path = path(random, names, depth);
        return switch (random.nextInt(18)) {
            case 16 -> "symlink " + path(random, names, depth) + " " + path;
            case 17 -> "lstat " + path;
            case 0, 1 -> "create " + path;
            case 2 -> "create! " + path;
            case 3 -> "creates " + path;
            case 4 -> "mkdir " + path;
            case 5, 6 -> "mkdirs " + path;
            case 7 -> random.nextInt(3) == 0 ? "delete-r " + path : "delete " + path;
            case 8 -> "delete " + path;
            case 9 -> "list " + path;
            case 10 -> "stat " + path;
            default -> "rename " + path + " " + path(random, names, depth) + " " + RENAME_MODES[random.nextInt(3)];
        };
    }

    /** Spreads the directory that was made over a few partitions, if it is empty. */
    private static String split(String made) {
        String path = made.split(" ", -1)[1];
        return "setxattr " + path + " " + DirectoryHints.EXPECTED_FILES + " " + 10_000 * (1 + path.length() % 10);
    }

    private static String path(Random random, int names, int depth) {
        if (random.nextInt(60) == 0) {
            return "/";
        }
        StringBuilder path = new StringBuilder();
        int components = 1 + random.nextInt(depth);
        for (int i = 0; i < components; i++) {
            path.append('/').append(NAMES[random.nextInt(names)]);
        }
        return path.toString();
    }

    /** Follows symbolic links as clients do, up to a few. */
    private static Reply followed(String command, Function<String, Reply> run) {
        String now = command;
        Reply reply = run.apply(now);
        for (int links = 0; links < MOST_LINKS && reply.error() == FsError.UNRESOLVED_LINK; links++) {
            String[] words = now.split(" ", -1);
            int at = words[0].equals("symlink") || reply.header().getLinkOfTarget() ? 2 : 1;
            words[at] = behind(words[at], reply.header());
            now = String.join(" ", words);
            reply = run.apply(now);
        }
        return reply;
    }

    private static String behind(String path, ReplyHeader link) {
        try {
            LinkException met = new LinkException("", link.getLinkTarget(), link.getLinkRest(), false);
            return LinkTarget.goOn(FsPath.parse(path), met, met.target()).toString();
        } catch (FsException e) {
            throw new AssertionError(path, e);
        }
    }

    private static Reply run(SimulatedShards cluster, WalkingClient client, String command) {
        Reply reply = await(cluster, command, begin(client, command));
        return reply.body() instanceof ListReply list
                        && reply.isOk()
                        && !list.getCursor().isEmpty()
                ? listed(cluster, client, command, list)
                : reply;
    }

    /** The first page, with the entries of all others. */
    private static Reply listed(SimulatedShards cluster, WalkingClient client, String command, ListReply first) {
        ListReply.Builder all = first.toBuilder();
        while (!all.getCursor().isEmpty()) {
            Reply next = await(
                    cluster,
                    command,
                    client.begin(
                            Kind.LIST,
                            ListRequest.newBuilder()
                                    .setLocation(Shell.at(command.split(" ", -1)[1]))
                                    .setCursor(all.getCursor())
                                    .build()));
            assertThat(next.error()).as(command).isEqualTo(FsError.OK);
            ListReply page = (ListReply) next.body();
            all.addAllEntries(page.getEntriesList()).setCursor(page.getCursor());
        }
        return Reply.ok(all.build());
    }

    private static Reply await(SimulatedShards cluster, String command, CompletableFuture<Reply> answer) {
        cluster.time().runUntil(command + " is answered", answer::isDone, 300_000);
        return answer.join();
    }

    private static CompletableFuture<Reply> begin(WalkingClient client, String command) {
        String[] words = command.split(" ", -1);
        String verb = words[0];
        return switch (verb) {
            case "mkdir", "mkdirs" ->
                client.begin(
                        Kind.MKDIRS,
                        MkdirsRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setMode(0755)
                                .setParentMode(0755)
                                .setCreateParents(verb.equals("mkdirs"))
                                .build());
            case "create", "create!", "creates" ->
                client.begin(
                        Kind.CREATE,
                        CreateRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setMode(0644)
                                .setParentMode(0755)
                                .setCreateParents(verb.equals("creates"))
                                .setOverwrite(verb.equals("create!"))
                                .build());
            case "delete", "delete-r" ->
                client.begin(
                        Kind.DELETE,
                        DeleteRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setRecursive(verb.equals("delete-r"))
                                .build());
            case "symlink" ->
                client.begin(
                        Kind.CREATE_SYMLINK,
                        CreateSymlinkRequest.newBuilder()
                                .setLocation(Shell.at(words[2]))
                                .setTarget(words[1])
                                .build());
            case "lstat" ->
                client.begin(
                        Kind.STAT,
                        StatRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setKeepLink(true)
                                .build());
            case "setxattr" ->
                client.begin(
                        Kind.SET_XATTR,
                        SetXattrRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setName(words[2])
                                .setValue(ByteString.copyFromUtf8(words[3]))
                                .setCreate(true)
                                .setReplace(true)
                                .build());
            case "rename" -> client.begin(Kind.RENAME, rename(words));
            case "list" ->
                client.begin(
                        Kind.LIST,
                        ListRequest.newBuilder().setLocation(Shell.at(words[1])).build());
            default ->
                client.begin(
                        Kind.STAT,
                        StatRequest.newBuilder().setLocation(Shell.at(words[1])).build());
        };
    }

    private static Message rename(String[] words) {
        return RenameRequest.newBuilder()
                .setSource(Shell.at(words[1]))
                .setTarget(Shell.at(words[2]))
                .setMode(RenameRequest.Mode.valueOf(words[3]))
                .setSourcePath(words[1])
                .setTargetPath(words[2])
                .build();
    }
}
