package io.steadfs.it.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.it.Cluster;
import io.steadfs.it.Grounds;
import io.steadfs.it.Signals;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A shard that has copies of a directory is away for longer than their term: its process stands still, or its disk answers
 * nothing. The directory is closed to a user meanwhile, and nothing that is below it at that shard can be had by the user
 * after that, also not by a request that was sent before.
 */
@Timeout(300)
class StuckShardTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Duration TERM = Duration.ofSeconds(1);
    private static final int SHARDS = 2;
    private static final ServerId OWNER = ServerId.mds(1);
    private static final ServerId HOLDER = ServerId.mds(2);
    private static final int HELD_SHARD = 1;
    private static final int MOST_DIRECTORIES = 100;

    private static final Map<String, String> SERVERS = Map.of(
            "stead.mds.copies.term",
            Long.toString(TERM.toMillis()),
            "stead.disk.reserve",
            "16m",
            "stead.store.cache.bytes",
            "16m",
            "stead.store.memtable.bytes",
            "1m");

    private final PoweredServers servers;
    private final SteadFs root;
    private final SteadFs user;
    private final FsPath top;
    private final FsPath below;

    /** Prepares a directory of the first shard, and one below it that is on the second, as is all in it. */
    StuckShardTest(@TempDir Path directory) throws Exception {
        Disks.assumePossible(directory);
        servers = new PoweredServers(directory, PoweredServers.Home.DISK, SHARDS, SHARDS, 1, SERVERS);
        root = connect(System.getProperty("user.name"), SOON);
        user = connect("anna", SOON);
        top = Grounds.make(root, "top", SHARDS).onShard(0);
        below = made().child("in");
    }

    private SteadFs connect(String name, Duration patience) {
        Settings settings = Settings.of(Map.of("stead.client.operation.timeout", Long.toString(patience.toMillis())));
        return SteadClient.connect(
                settings, servers.addresses(), Caller.newBuilder().setUser(name).build());
    }

    private FsPath made() throws IOException {
        for (int i = 0; i < MOST_DIRECTORIES; i++) {
            FsPath directory = top.child("d" + i);
            if (root.mkdirs(directory, 0777, false, true).handle().shard() == HELD_SHARD) {
                return directory;
            }
        }
        throw new IOException("no directory below " + top + " is on shard " + HELD_SHARD);
    }

    /** The shard has copies of what is above. */
    @BeforeEach
    void meet() throws IOException {
        root.mkdirs(below, 0755, false, true);
        assertThat(user.stat(below).handle().shard()).isEqualTo(HELD_SHARD);
        ServerAddress owner = servers.addresses().get(0);
        assertThat(Cluster.gauges(owner, Map.of(OWNER.toString(), owner), List.of("copies.given")))
                .containsKey(OWNER + " copies.given");
        // Now the term of the copies begins anew, if they were over.
        user.stat(below);
    }

    @AfterEach
    void end() {
        user.close();
        root.close();
        servers.close();
    }

    /** Runs it in a thread of its own; returns when that waits for an answer. */
    private static <T> FutureTask<T> begun(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        await().atMost(SOON)
                .until(() -> thread.getState() == Thread.State.WAITING
                        || thread.getState() == Thread.State.TIMED_WAITING
                        || task.isDone());
        return task;
    }

    private void close() throws IOException {
        root.setAttributes(top, AttributeChange.mode(0700));
    }

    private void isRefused() {
        assertThatThrownBy(() -> user.stat(below)).hasMessageContaining("PERMISSION_DENIED");
    }

    @Test
    void aShardThatStoodStillPastItsTermUsesNoCopy() throws Exception {
        long process = servers.pid(HOLDER);
        Signals.send(process, "STOP");
        FutureTask<FileInfo> waiting = begun(() -> user.stat(below));
        try {
            close();
            assertThat(waiting.isDone()).isFalse();
        } finally {
            Signals.send(process, "CONT");
        }
        assertThatThrownBy(waiting::get).hasMessageContaining("PERMISSION_DENIED");
        isRefused();
    }

    @Test
    void aShardWhoseDiskStandsStillHoldsUpOthersForATermAtMost() throws Exception {
        servers.disks().cut(List.of(HOLDER.toString()));
        FutureTask<FileInfo> stuck = begun(() -> root.mkdirs(below.child("made"), 0755, false, true));
        close();
        assertThat(stuck.isDone()).isFalse();
        try (SteadFs hasty = connect("anna", Duration.ofSeconds(3))) {
            assertThat(catchThrowable(() -> hasty.stat(below)))
                    .as("a stat of what only the stuck shard has")
                    .isInstanceOf(IOException.class);
        }

        servers.lose(List.of(HOLDER), OptionalLong.empty());
        servers.begin(List.of(HOLDER));
        servers.awaitReady(List.of(HOLDER));
        isRefused();
        FileInfo made = stuck.get();
        assertThat(root.stat(below.child("made")).handle()).isEqualTo(made.handle());
    }
}
