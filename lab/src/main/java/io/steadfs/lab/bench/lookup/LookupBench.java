package io.steadfs.lab.bench.lookup;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.lab.bench.pace.Quiet;
import io.steadfs.path.FsPath;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Counts the messages of operations in a cluster with a metadata server for each shard. Every directory is dealt out by
 * its name, so a path goes from shard to shard as often as chance has it. Each operation is counted for a new client, and
 * then once more for the same client. Copies of directories are good for the whole run.
 */
final class LookupBench {
    static final List<String> LOOKUPS = List.of("component", "direct");

    private static final Map<String, String> SERVERS =
            Map.of("stead.mkdir.spread.depth", "1000", "stead.mds.copies.term", "600000");

    private final int shards;
    private final Connections connections;
    private final SteadUri uri;
    private final Connection maker;
    private final Quiet quiet;

    /** Starts a cluster in the folder. The cleanup ends it. */
    LookupBench(int shards, Path folder, Cleanup cleanup) throws IOException, InterruptedException {
        this.shards = shards;
        LocalCluster.Builder builder = LocalCluster.in(cleanup.temporaryFolder(folder, "stead-lookup-"))
                .mds(shards)
                .shards(shards)
                .ioServers(1);
        SERVERS.forEach(builder::set);
        this.uri = new SteadUri(cleanup.add(builder.start()).address());
        this.connections = cleanup.add(Connections.ofProcess());
        this.maker = cleanup.add(connections.open(uri));
        this.quiet = new Quiet(maker);
    }

    List<LookupRow> run(List<Integer> depths) throws IOException, InterruptedException {
        List<LookupRow> rows = new ArrayList<>();
        for (int depth : depths) {
            FsPath directory = directory(depth);
            for (LookupOperation operation : LookupOperation.values()) {
                for (String lookup : LOOKUPS) {
                    rows.add(row(depth, directory, operation, lookup));
                }
            }
        }
        return rows;
    }

    /** The directory in which names have this depth. */
    private FsPath directory(int depth) throws IOException {
        FsPath directory = FsPath.ROOT;
        for (int i = 1; i < depth; i++) {
            directory = directory.child("directory-" + i);
        }
        if (depth > 1) {
            maker.fs().mkdirs(directory, 0755, true, false);
        }
        return directory;
    }

    private LookupRow row(int depth, FsPath directory, LookupOperation operation, String lookup)
            throws IOException, InterruptedException {
        String name = operation.name() + "-" + lookup + "-" + depth;
        try (Connection client = connections.open(uri, Map.of("stead.lookup", lookup))) {
            meetShards(client, name);
            LookupCount cold = count(client, operation, directory, name + "-cold");
            LookupCount warm = operation == LookupOperation.LIST
                    ? counted(client, operation, directory, name + "-cold")
                    : count(client, operation, directory, name + "-warm");
            return new LookupRow(shards, depth, operation, lookup, cold, warm);
        }
    }

    /** Makes the client's session known to all shards, in directories that are not used otherwise. */
    private void meetShards(Connection client, String name) throws IOException {
        client.fs()
                .create(FsPath.ROOT.child(name + "-met"), CreateOptions.DEFAULT)
                .close();
    }

    private LookupCount count(Connection client, LookupOperation operation, FsPath directory, String name)
            throws IOException, InterruptedException {
        operation.prepare(maker.fs(), directory.child(name));
        return counted(client, operation, directory, name);
    }

    private LookupCount counted(Connection client, LookupOperation operation, FsPath directory, String name)
            throws IOException, InterruptedException {
        quiet.await();
        Counters before = maker.counters();
        Closeable left = operation.run(client.fs(), directory.child(name));
        quiet.await();
        LookupCount count = LookupCount.of(maker.counters().since(before));
        left.close();
        return count;
    }
}
