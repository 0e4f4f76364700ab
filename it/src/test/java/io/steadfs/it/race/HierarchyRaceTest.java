package io.steadfs.it.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of directories against operations below them by a client that has met the directories, so that the shards have
 * copies of them. Each metadata server is a process. Every so many rounds one of them is killed and started again, or
 * stands still for longer than the term of copies.
 */
class HierarchyRaceTest extends Races<ProcessCluster> {
    private static final int SHARDS = 3;
    private static final int IO_SERVERS = 2;

    private final Killer killer = new Killer(cluster);
    /** Walks from the root. */
    private final SteadFs walker = connect(cluster, Cluster.SUPERUSER, "component");
    /** A client of somebody who is not the superuser. */
    private final SteadFs user = connect(cluster, "anna", "direct");
    /** The judge against the user. */
    private final Lanes usersLanes = new Lanes(List.of(judge, user));

    HierarchyRaceTest(@TempDir Path data) throws IOException {
        super(
                "hierarchy-races.md",
                SHARDS,
                ProcessCluster.in(data)
                        .mds(SHARDS)
                        .shards(SHARDS)
                        .ioServers(IO_SERVERS)
                        .set("stead.mds.copies.term", Long.toString(Killer.TERM_MILLIS))
                        .start(),
                HierarchyRaceTest::connect,
                HierarchyRaceTest::connect);
    }

    private static SteadFs connect(ProcessCluster cluster) {
        return connect(cluster, Cluster.SUPERUSER, "direct");
    }

    /** One that waits longer than servers are away. */
    private static SteadFs connect(ProcessCluster cluster, String user, String lookup) {
        return SteadClient.connect(
                Settings.of(Map.of("stead.client.operation.timeout", "120000", "stead.lookup", lookup)),
                List.of(cluster.address()),
                Caller.newBuilder().setUser(user).build());
    }

    @Override
    Map<String, Long> gauges(List<String> prefixes) throws FsException {
        killer.awaitServing();
        return Cluster.gauges(cluster.address(), addresses(), prefixes);
    }

    private Map<String, ServerAddress> addresses() {
        Map<String, ServerAddress> addresses = new TreeMap<>();
        cluster.servers().forEach(name -> addresses.put(name, cluster.addressOf(name)));
        return addresses;
    }

    /** For a while after a crash an empty file is told as open. */
    @Override
    int bytes(int round) {
        return 1;
    }

    @Override
    void beforeRound(int number) {
        killer.round(number);
    }

    @AfterAll
    void stop() throws IOException {
        killer.close();
        usersLanes.close();
        user.close();
        walker.close();
        close();
        cluster.close();
    }

    /** Who changes directories in a round: one that sends whole paths, and one that walks from the root, in turn. */
    private SteadFs mover(int round) {
        return round % 2 == 0 ? clients.get(0) : walker;
    }

    /** The second client has met the directory, and the shards have copies of it. */
    private void meet(FsPath directory) throws IOException {
        clients.get(1).find(directory.child("nothing"));
    }

    /** What is made below a directory that moves is where the directory is, or was not made. */
    @Test
    void directoryRenameAgainstCreateBelowIt() throws Exception {
        run("move-create", (grounds, round) -> {
            FsPath source = grounds.of(round, 0).child("d" + round);
            FsPath target = grounds.of(round, 1).child("e" + round);
            Handle directory = directory(source);
            meet(source);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).rename(source, target, RenameMode.NO_REPLACE);
                } else {
                    write(fs, source.child("file"), false, 1, bytes(round));
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "NOT_FOUND");
                isGone(source);
                isAt(target, directory);
                return outcome.done(1)
                        ? Map.ofEntries(Map.entry(target, directory), closed(round, target.child("file"), 1))
                        : Map.of(target, directory);
            });
        });
    }

    /** Nothing is made in a tree that is gone, and nothing is left of it. */
    @Test
    void recursiveDeleteAgainstCreateBelowIt() throws Exception {
        run("delete-tree-create", (grounds, round) -> {
            FsPath top = grounds.of(round, 0).child("t" + round);
            directory(top);
            directory(top.child("in"));
            meet(top.child("in"));
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).delete(top, true);
                } else {
                    write(fs, top.child("in").child("file"), false, 1, bytes(round));
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "NOT_FOUND");
                isGone(top);
                return Map.of();
            });
        });
    }

    /** A directory whose name begins like that of a directory that moves is not in its way. */
    @Test
    void directoryRenameBesideALongerName() throws Exception {
        run("move-beside", (grounds, round) -> {
            FsPath source = grounds.of(round, 0).child("p" + round);
            FsPath target = grounds.of(round, 1).child("q" + round);
            FsPath longer = grounds.of(round, 0).child("p" + round + "b");
            Handle directory = directory(source);
            Handle other = directory(longer);
            meet(longer);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).rename(source, target, RenameMode.NO_REPLACE);
                } else {
                    write(fs, longer.child("file"), false, 1, bytes(round));
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome).isEqualTo(new Outcome(Outcome.DONE, Outcome.DONE));
                isAt(target, directory);
                return Map.ofEntries(
                        Map.entry(target, directory), Map.entry(longer, other), closed(round, longer.child("file"), 1));
            });
        });
    }

    /** The file is where it was moved to, or in the directory, wherever that is. */
    @Test
    void directoryRenameAgainstRenameOutOfIt() throws Exception {
        run("move-move", (grounds, round) -> {
            FsPath source = grounds.of(round, 0).child("d" + round);
            FsPath target = grounds.of(round, 1).child("e" + round);
            FsPath out = grounds.of(round, 2).child("f" + round);
            Handle directory = directory(source);
            Handle file = file(round, source.child("file"), 1);
            meet(source);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).rename(source, target, RenameMode.NO_REPLACE);
                } else {
                    fs.rename(source.child("file"), out, RenameMode.NO_REPLACE);
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "NOT_FOUND");
                FsPath left = outcome.done(1) ? out : target.child("file");
                isAt(left, file);
                isAt(target, directory);
                return Map.ofEntries(Map.entry(target, directory), closed(round, left, 1));
            });
        });
    }

    /** A file never goes from a path that is over to one that has not begun. */
    @Test
    void fileRenameAgainstRenamesOfBothDirectories() throws Exception {
        run("move-both", (grounds, round) -> {
            FsPath source = grounds.of(round, 0).child("d" + round);
            FsPath away = grounds.of(round, 1).child("e" + round);
            FsPath hidden = grounds.of(round, 1).child("x" + round);
            FsPath target = grounds.of(round, 2).child("y" + round);
            Handle sourceHandle = directory(source);
            Handle targetHandle = directory(hidden);
            Handle file = file(round, source.child("file"), 1);
            meet(source);
            meet(hidden);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).rename(source, away, RenameMode.NO_REPLACE);
                    mover(round).rename(hidden, target, RenameMode.NO_REPLACE);
                } else {
                    fs.rename(source.child("file"), target.child("file"), RenameMode.NO_REPLACE);
                }
            };
            return Contest.round(attempt, outcome -> {
                // At no moment are both paths there.
                assertThat(outcome).isEqualTo(new Outcome(Outcome.DONE, "NOT_FOUND"));
                isAt(away.child("file"), file);
                return Map.ofEntries(
                        Map.entry(away, sourceHandle),
                        Map.entry(target, targetHandle),
                        closed(round, away.child("file"), 1));
            });
        });
    }

    /** Who may not pass a directory any more opens and sees nothing below it once that was acknowledged. */
    @Test
    void chmodOfAnAncestorAgainstOpensAndStats() throws Exception {
        run("chmod-open-stat", usersLanes, (grounds, round) -> {
            FsPath top = grounds.of(round, 0).child("c" + round);
            FsPath in = top.child("in");
            FsPath name = in.child("file");
            Handle topHandle = directory(top);
            Handle inHandle = directory(in);
            file(round, name, 1);
            user.open(name).close();
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    mover(round).setAttributes(top, AttributeChange.mode(0700));
                } else if (round % 4 < 2) {
                    fs.open(name).close();
                } else {
                    fs.stat(name);
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "PERMISSION_DENIED");
                assertThatThrownBy(() -> user.open(name)).hasMessageContaining("PERMISSION_DENIED");
                assertThatThrownBy(() -> user.stat(name)).hasMessageContaining("PERMISSION_DENIED");
                return Map.ofEntries(Map.entry(top, topHandle), Map.entry(in, inHandle), closed(round, name, 1));
            });
        });
    }
}
