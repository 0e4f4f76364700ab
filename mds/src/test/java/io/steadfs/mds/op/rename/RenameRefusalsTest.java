package io.steadfs.mds.op.rename;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.testing.ShardsCheck;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.WalkingClient;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every refusal of a rename between some names is the same on one shard as on three, wherever the directories are: which error comes first
 * does not depend on who meets it.
 *
 * <pre>
 *  /a/b/c        one below the other, on the shards of the case      /full/f   in a directory that is not empty
 *  /a/b/c/a      has the name of what may be moved into c            /t/s      below a sticky directory, not anna's
 *  /a/b/c/f      a file                                              /x/y      below a directory that anna may not search
 *  /e            empty                                           /l        a symbolic link to it
 * </pre>
 */
class RenameRefusalsTest {
    private static final int SHARDS = 3;
    private static final List<String> PATHS = List.of(
            "/",
            "/a",
            "/a/b",
            "/a/b/c",
            "/a/b/c/a",
            "/a/b/c/f",
            "/a/b/c/f/deep",
            "/a/b/c/no",
            "/a/b/c/no/deep",
            "/e",
            "/full",
            "/full/f",
            "/t/s",
            "/t/s/no",
            "/x/y",
            "/x/y/no",
            "/no/deep",
            "/l",
            "/l/no");

    private final Shell one = new Shell();
    private final SimulatedShards cluster = new SimulatedShards(SHARDS, 7);
    private final WalkingClient root = new WalkingClient(cluster, 70, "root");
    private final WalkingClient anna = new WalkingClient(cluster, 71, "anna");
    private final Set<String> used = new HashSet<>();

    @ParameterizedTest(name = "a, b, c on shards {0}, {1}, {2}, whole paths {3}")
    @CsvSource({"0, 1, 2, false", "2, 1, 1, false", "1, 0, 2, false", "0, 1, 2, true", "1, 0, 2, true"})
    void areThoseOfOneShard(int shardOfA, int shardOfB, int shardOfC, boolean whole) {
        build(shardOfA, shardOfB, shardOfC);
        if (whole) {
            SplittableRandom random = new SplittableRandom(7);
            root.toAnyShard(random);
            anna.toAnyShard(random);
        }
        Set<String> before = paths();
        int refused = 0;
        for (RenameRequest.Mode mode : List.of(
                RenameRequest.Mode.NO_REPLACE, RenameRequest.Mode.OVERWRITE, RenameRequest.Mode.INTO_DIRECTORY)) {
            for (String source : PATHS) {
                for (String target : PATHS) {
                    for (String user : List.of("root", "anna")) {
                        refused += check(user, rename(source, target, mode)) ? 1 : 0;
                    }
                }
            }
        }
        assertThat(refused).isGreaterThan(PATHS.size() * PATHS.size());
        assertThat(paths()).isEqualTo(before);
    }

    /** Answers whether the rename is refused; one that would move something is not tried. */
    private boolean check(String user, RenameRequest request) {
        Reply expected = new RenamePath()
                .decide(request, Shell.principal(user), one.state.view(), one.inputs())
                .answer();
        if (expected.isOk() && ((RenameReply) expected.body()).getMoved()) {
            return false;
        }
        Reply reply = run(user, Kind.RENAME, request);
        assertThat(reply.error())
                .as(
                        "%s, %s to %s, %s: %s; on one shard: %s",
                        user,
                        request.getSource().getPath(),
                        request.getTarget().getPath(),
                        request.getMode(),
                        reply.header().getMessage(),
                        expected.header().getMessage())
                .isEqualTo(expected.error());
        if (reply.isOk()) {
            assertThat(((RenameReply) reply.body()).getMoved()).isFalse();
        }
        return !expected.isOk();
    }

    private void build(int shardOfA, int shardOfB, int shardOfC) {
        one.given("mkdirs /a/b/c; mkdir /a/b/c/a; create /a/b/c/f; mkdir /e; mkdir /full; create /full/f");
        one.given("mkdir /t 1777; mkdir /t/s; mkdir /x 700; mkdir /x/y; symlink /e /l");
        put("/a", shardOfA);
        put("/a/b", shardOfB);
        put("/a/b/c", shardOfC);
        mkdir("/a/b/c/a", 0755);
        create("/a/b/c/f");
        mkdir("/e", 0755);
        mkdir("/full", 0755);
        create("/full/f");
        mkdir("/t", 01777);
        mkdir("/t/s", 0755);
        mkdir("/x", 0700);
        mkdir("/x/y", 0755);
        ok(run(
                "root",
                Kind.CREATE_SYMLINK,
                CreateSymlinkRequest.newBuilder()
                        .setLocation(Shell.at("/l"))
                        .setTarget("/e")
                        .build()));
    }

    /** A directory on the shard: made below the root, where placement follows the name, and moved. */
    private void put(String path, int shard) {
        Placement placement = new Placement(1);
        int i = 0;
        while (placement.shardOf(Handle.ROOT, "n" + i, 1, SHARDS) != shard || !used.add("n" + i)) {
            i++;
        }
        mkdir("/n" + i, 0755);
        ok(run("root", Kind.RENAME, rename("/n" + i, path, RenameRequest.Mode.NO_REPLACE)));
    }

    private void mkdir(String path, int mode) {
        ok(run(
                "root",
                Kind.MKDIRS,
                MkdirsRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMode(mode)
                        .build()));
    }

    private void create(String path) {
        ok(run(
                "root",
                Kind.CREATE,
                CreateRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMode(0644)
                        .build()));
    }

    private static RenameRequest rename(String source, String target, RenameRequest.Mode mode) {
        return RenameRequest.newBuilder()
                .setSource(Shell.at(source))
                .setTarget(Shell.at(target))
                .setMode(mode)
                .build();
    }

    private Reply run(String user, Kind kind, Message request) {
        CompletableFuture<Reply> answer = (user.equals("root") ? root : anna).begin(kind, request);
        cluster.time().runUntil(kind + " is answered", answer::isDone, 300_000);
        return answer.join();
    }

    private static void ok(Reply reply) {
        assertThat(reply.isOk()).as(reply.header().getMessage()).isTrue();
    }

    private Set<String> paths() {
        cluster.quiet();
        return ShardsCheck.of(cluster.views()).paths().keySet();
    }
}
