package io.steadfs.it;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster of three shards whose messages are counted on the servers where they arrive, with a directory on each shard
 * and a client that every shard knows.
 */
final class CountedShards implements AutoCloseable {
    static final int SHARDS = 3;

    /** These come at times of their own. */
    private static final Set<String> UPKEEP = Set.of(
            "CLUSTER_MAP",
            "RENEW_SESSION",
            "SESSION_STATUS",
            "INTENT_STATUS",
            "CONFIRM_DATAFILES",
            "ACKNOWLEDGE_DATAFILES",
            "REMOVE",
            "STATUS");

    private final Cluster cluster;
    private final Connections connections = Connections.ofProcess();
    private final Connection connection;
    private final Grounds grounds;

    /** @param settings of servers and client */
    CountedShards(Path data, Map<String, String> settings) throws IOException {
        cluster = Cluster.start(data, SHARDS, SHARDS, 4, settings);
        connection = connect(settings);
        grounds = Grounds.make(fs(), "counted", SHARDS);
        for (int shard = 0; shard < SHARDS; shard++) {
            write(in(shard, "first"));
        }
    }

    Connection connect(Map<String, String> settings) throws IOException {
        return connections.open(SteadUri.parse(cluster.local().uri().toString()), settings);
    }

    Connection connection() {
        return connection;
    }

    SteadFs fs() {
        return connection.fs();
    }

    FsPath in(int shard, String name) {
        return grounds.onShard(shard).child(name);
    }

    /** A directory at depth 2 is dealt out by its name; this finds a name that is dealt to the shard. */
    FsPath directoryOn(int parent, int shard, String name) throws IOException {
        for (int i = 0; ; i++) {
            FsPath path = in(parent, name + i);
            if (fs().mkdirs(path, 0755, false, true).handle().shard() == shard) {
                return path;
            }
            fs().delete(path, false);
        }
    }

    void write(FsPath path) throws IOException {
        try (FileWriter writer = fs().create(path, CreateOptions.DEFAULT)) {
            writer.write(new byte[100], 0, 100);
        }
    }

    /** What is counted. */
    interface Work {
        void run() throws IOException;
    }

    /** How many messages of each kind arrived at the servers because of the work. */
    Map<String, Long> messages(String what, Work work) throws IOException {
        cluster.settle();
        Counters before = connection.counters();
        work.run();
        cluster.settle();
        TreeMap<String, Long> messages =
                new TreeMap<>(connection.counters().since(before).messages());
        messages.keySet().removeAll(UPKEEP);
        System.out.println(what + ": " + messages);
        return messages;
    }

    @Override
    public void close() throws IOException {
        connection.close();
        connections.close();
        cluster.close();
    }
}
