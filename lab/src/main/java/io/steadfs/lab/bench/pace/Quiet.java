package io.steadfs.lab.bench.pace;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Waits until metadata servers have finished all work that deletions leave behind. Unfinished work would disturb the
 * next measurement.
 */
public final class Quiet {
    private static final List<String> WORK =
            List.of("deletion.datafiles", "deletion.trees", "outbox.pending", "recovery.files", "intents.open");

    private static final long POLL_MILLIS = 5;
    private static final long PATIENCE_SECONDS = 120;

    private final Connection observer;

    public Quiet(Connection observer) {
        this.observer = observer;
    }

    /** @throws IOException if the servers do not finish in time; the message names the work that is left */
    public void await() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        SortedMap<String, Long> left = left();
        while (!left.isEmpty()) {
            if (System.nanoTime() - until > 0) {
                throw new IOException("work left after " + PATIENCE_SECONDS + " s: " + left);
            }
            Thread.sleep(POLL_MILLIS);
            left = left();
        }
    }

    private SortedMap<String, Long> left() throws FsException {
        SortedMap<String, Long> left = new TreeMap<>();
        ClusterMap map = observer.fs().clusterMap();
        for (ClusterMap.Server server : map.getServersList()) {
            if (server.getRole() == ClusterMap.Role.MDS) {
                StatusReply status =
                        StatusOf.server(observer.transport(), "mds-" + server.getId(), ShardAddresses.of(map, server));
                for (String name : WORK) {
                    long count = status.getGaugesOrDefault(name, 0);
                    if (count > 0) {
                        left.merge(name, count, Long::sum);
                    }
                }
            }
        }
        return left;
    }
}
