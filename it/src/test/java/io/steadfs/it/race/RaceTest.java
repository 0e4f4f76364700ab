package io.steadfs.it.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clients want the same name at the same moment, on a cluster of several shards: one gets it, the other is told so.
 * Paths are looked up from the root by the first of them, and as whole paths at the directory's shard by the second,
 * which so uses what shards keep copies of. The names of a round are in directories on all combinations of shards. Each
 * round is checked when it ends; after the last one the tree is compared with what the rounds left, and nothing is to
 * be finished behind it. {@code -Dstead.race.rounds=} says how many of each.
 */
class RaceTest extends Races<Cluster> {
    private static final int SHARDS = Integer.getInteger("stead.race.shards", 3);
    private static final int IO_SERVERS = 4;

    RaceTest(@TempDir Path data) throws IOException {
        super(
                "races.md",
                SHARDS,
                Cluster.start(data, SHARDS, SHARDS, IO_SERVERS, Cluster.SPLITTING),
                RaceTest::byComponent,
                cluster -> cluster.connect(Cluster.SUPERUSER, List.of()));
    }

    private static SteadFs byComponent(Cluster cluster) {
        return cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.lookup", "component"));
    }

    @Override
    Map<String, Long> gauges(List<String> prefixes) throws FsException {
        return cluster.gauges(prefixes);
    }

    @AfterAll
    void stop() throws IOException {
        close();
        cluster.close();
    }

    @Test
    void exclusiveCreate() throws Exception {
        run("create-create", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("f" + round);
            return Contest.round((fs, client) -> write(fs, name, false, client, bytes(round)), outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("ALREADY_EXISTS");
                return Map.ofEntries(closed(round, name, winner));
            });
        });
    }

    @Test
    void exclusiveMkdir() throws Exception {
        run("mkdir-mkdir", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("d" + round);
            return Contest.round((fs, client) -> fs.mkdirs(name, 0755, false, true), outcome -> {
                outcome.winnerWhereTheOtherIsTold("ALREADY_EXISTS");
                FileInfo directory = judge.stat(name);
                assertThat(directory.directory()).isTrue();
                return Map.of(name, directory.handle());
            });
        });
    }

    @Test
    void mkdirAgainstCreate() throws Exception {
        run("mkdir-create", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("e" + round);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    write(fs, name, false, 0, bytes(round));
                } else {
                    fs.mkdirs(name, 0755, false, round % 2 == 0);
                }
            };
            return Contest.round(attempt, outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("ALREADY_EXISTS", "IS_A_DIRECTORY");
                FileInfo left = judge.stat(name);
                assertThat(left.directory()).as("%s is a directory", name).isEqualTo(winner == 1);
                return winner == 1 ? Map.of(name, left.handle()) : Map.ofEntries(closed(round, name, 0));
            });
        });
    }

    @Test
    void renameOntoOneName() throws Exception {
        run("rename-onto", (grounds, round) -> {
            FsPath target = grounds.of(round, 2).child("target" + round);
            List<FsPath> sources = List.of(
                    grounds.of(round, 0).child("a" + round),
                    grounds.of(round, 1).child("b" + round));
            List<Handle> files = List.of(file(round, sources.get(0), 0), file(round, sources.get(1), 1));
            Attempt attempt = (fs, client) -> fs.rename(sources.get(client), target, RenameMode.NO_REPLACE);
            return Contest.round(attempt, outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("ALREADY_EXISTS");
                isAt(target, files.get(winner));
                isGone(sources.get(winner));
                isAt(sources.get(1 - winner), files.get(1 - winner));
                return Map.ofEntries(closed(round, target, winner), closed(round, sources.get(1 - winner), 1 - winner));
            });
        });
    }

    @Test
    void renameOfOneName() throws Exception {
        run("rename-one", (grounds, round) -> {
            FsPath source = grounds.of(round, 2).child("source" + round);
            List<FsPath> targets = List.of(
                    grounds.of(round, 0).child("a" + round),
                    grounds.of(round, 1).child("b" + round));
            Handle file = file(round, source, 7);
            Attempt attempt = (fs, client) -> fs.rename(source, targets.get(client), RenameMode.NO_REPLACE);
            return Contest.round(attempt, outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("NOT_FOUND");
                isGone(source);
                isGone(targets.get(1 - winner));
                isAt(targets.get(winner), file);
                return Map.ofEntries(closed(round, targets.get(winner), 7));
            });
        });
    }

    /** Whoever comes second replaces what the first put there; the target is never missing, and one file is left. */
    @Test
    void overwritingRenamesOntoOneName() throws Exception {
        run("overwrite-onto", (grounds, round) -> {
            FsPath target = grounds.of(round, 2).child("target" + round);
            List<FsPath> sources = List.of(
                    grounds.of(round, 0).child("a" + round),
                    grounds.of(round, 1).child("b" + round));
            List<Handle> files = List.of(file(round, sources.get(0), 0), file(round, sources.get(1), 1));
            file(round, target, 2);
            Attempt attempt = (fs, client) -> fs.rename(sources.get(client), target, RenameMode.OVERWRITE);
            return Contest.round(attempt, outcome -> {
                assertThat(outcome).isEqualTo(new Outcome(Outcome.DONE, Outcome.DONE));
                isGone(sources.get(0));
                isGone(sources.get(1));
                int last = judge.stat(target).handle().equals(files.get(0)) ? 0 : 1;
                isAt(target, files.get(last));
                return Map.ofEntries(closed(round, target, last));
            });
        });
    }

    /** There and back: who is first replaces the other's file, and the second takes that one back to where it was. */
    @Test
    void overwritingRenamesOntoEachOther() throws Exception {
        run("overwrite-swap", (grounds, round) -> {
            List<FsPath> names = List.of(
                    grounds.of(round, 0).child("a" + round),
                    grounds.of(round, 1).child("b" + round));
            List<Handle> files = List.of(file(round, names.get(0), 0), file(round, names.get(1), 1));
            Attempt attempt = (fs, client) -> fs.rename(names.get(client), names.get(1 - client), RenameMode.OVERWRITE);
            return Contest.round(attempt, outcome -> {
                assertThat(outcome).isEqualTo(new Outcome(Outcome.DONE, Outcome.DONE));
                int left = judge.find(names.get(0)).isPresent() ? 0 : 1;
                isAt(names.get(left), files.get(left));
                isGone(names.get(1 - left));
                return Map.ofEntries(closed(round, names.get(left), left));
            });
        });
    }

    @Test
    void rmdirAgainstCreate() throws Exception {
        run("rmdir-create", (grounds, round) -> {
            FsPath directory = grounds.of(round, 0).child("d" + round);
            FsPath file = directory.child("file");
            Handle made = directory(directory);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    fs.delete(directory, false);
                } else {
                    write(fs, file, false, 1, bytes(round));
                }
            };
            return Contest.round(attempt, outcome -> {
                if (outcome.winnerWhereTheOtherIsTold("NOT_EMPTY", "NOT_FOUND") == 0) {
                    assertThat(outcome.second()).isEqualTo("NOT_FOUND");
                    isGone(directory);
                    return Map.of();
                }
                assertThat(outcome.first()).isEqualTo("NOT_EMPTY");
                isAt(directory, made);
                return Map.ofEntries(Map.entry(directory, made), closed(round, file, 1));
            });
        });
    }

    /** As before, but by a rename: the file is in the directory, or where it was. */
    @Test
    void rmdirAgainstRenameIntoIt() throws Exception {
        run("rmdir-rename", (grounds, round) -> {
            FsPath directory = grounds.of(round, 0).child("d" + round);
            FsPath source = grounds.of(round, 1).child("f" + round);
            FsPath target = directory.child("file");
            Handle made = directory(directory);
            Handle moved = file(round, source, 1);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    fs.delete(directory, false);
                } else {
                    fs.rename(source, target, RenameMode.NO_REPLACE);
                }
            };
            return Contest.round(attempt, outcome -> {
                if (outcome.winnerWhereTheOtherIsTold("NOT_EMPTY", "NOT_FOUND") == 0) {
                    assertThat(outcome.second()).isEqualTo("NOT_FOUND");
                    isGone(directory);
                    isAt(source, moved);
                    return Map.ofEntries(closed(round, source, 1));
                }
                assertThat(outcome.first()).isEqualTo("NOT_EMPTY");
                isAt(target, moved);
                isGone(source);
                return Map.ofEntries(Map.entry(directory, made), closed(round, target, 1));
            });
        });
    }

    @Test
    void deleteOfOneName() throws Exception {
        run("delete-delete", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("x" + round);
            if (round % 2 == 0) {
                file(round, name, 1);
            } else {
                directory(name);
            }
            return Contest.round((fs, client) -> fs.delete(name, false), outcome -> {
                outcome.winnerWhereTheOtherIsTold("NOT_FOUND");
                isGone(name);
                return Map.of();
            });
        });
    }

    /** Both may be done; a writer whose file was replaced before its close is told. One whole file is left. */
    @Test
    void overwritingCreates() throws Exception {
        run("overwrite-create", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("f" + round);
            return Contest.round((fs, client) -> write(fs, name, true, client, 1), outcome -> {
                assertThat(outcome.done(0) || outcome.done(1)).isTrue();
                assertThat(List.of(outcome.first(), outcome.second())).isSubsetOf(Outcome.DONE, "NOT_FOUND");
                ByteBuffer bytes = ByteBuffer.allocate(2);
                try (FileReader reader = judge.open(name)) {
                    assertThat(reader.read(0, bytes)).isEqualTo(1);
                }
                assertThat(outcome.done(bytes.get(0)))
                        .as("the writer of what is left was told that it is")
                        .isTrue();
                FileInfo left = judge.stat(name);
                assertThat(left.open()).isFalse();
                return Map.of(name, left.handle());
            });
        });
    }

    /** Directories moved into one another at the same moment never make a ring. */
    @Test
    void directoriesIntoEachOther() throws Exception {
        run("ring", (grounds, round) -> {
            List<FsPath> tops = List.of(
                    grounds.of(round, 0).child("a" + round),
                    grounds.of(round, 1).child("b" + round));
            List<Handle> topHandles = List.of(directory(tops.get(0)), directory(tops.get(1)));
            List<FsPath> insides = List.of(tops.get(0).child("in"), tops.get(1).child("in"));
            List<Handle> insideHandles = List.of(directory(insides.get(0)), directory(insides.get(1)));
            Attempt attempt = (fs, client) ->
                    fs.rename(tops.get(client), insides.get(1 - client).child("below"), RenameMode.NO_REPLACE);
            return Contest.round(attempt, outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("NOT_FOUND", "INVALID_RENAME");
                FsPath moved = insides.get(1 - winner).child("below");
                isGone(tops.get(winner));
                isAt(moved, topHandles.get(winner));
                isAt(moved.child("in"), insideHandles.get(winner));
                isGone(moved.child("in").child("below"));
                return Map.of(
                        tops.get(1 - winner),
                        topHandles.get(1 - winner),
                        insides.get(1 - winner),
                        insideHandles.get(1 - winner),
                        moved,
                        topHandles.get(winner),
                        moved.child("in"),
                        insideHandles.get(winner));
            });
        });
    }

    /** Of two that expect the same version, one sets its value, and the other is told that the version is another now. */
    @Test
    void twoThatExpectOneVersion() throws Exception {
        run("test-and-set", (grounds, round) -> {
            FsPath name = grounds.of(round, 0).child("t" + round);
            write(judge, name, false, 0, bytes(round));
            FileInfo before = judge.stat(name);
            Attempt attempt = (fs, client) -> fs.setAttributes(
                    name, AttributeChange.mode(0600 + client + 1).expecting(before));
            return Contest.round(attempt, outcome -> {
                int winner = outcome.winnerWhereTheOtherIsTold("STALE_VERSION");
                FileInfo after = judge.stat(name);
                assertThat(after.mode()).isEqualTo(0600 + winner + 1);
                assertThat(after.version()).isEqualTo(before.version() + 1);
                return Map.of(name, after.handle());
            });
        });
    }
}
