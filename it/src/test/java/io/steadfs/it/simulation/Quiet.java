package io.steadfs.it.simulation;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.List;

/** Whether a cluster has nothing left to do: nothing under way between servers, nobody's session open. */
final class Quiet {
    private Quiet() {}

    /** What is left, in words; empty when all is quiet. */
    static List<String> left(SimulatedCluster cluster) {
        List<String> left = new ArrayList<>();
        if (!cluster.around().membership().allAlive()) {
            left.add("a server is not alive");
        }
        int shard = 0;
        for (ReadView view : cluster.views()) {
            note(left, shard, "intents", Intents.numbers(view, 0, 1));
            note(left, shard, "locks", PreparedSlots.all(view, 1));
            note(
                    left,
                    shard,
                    "a moved directory",
                    List.copyOf(PreparedSlots.admittedMoves(view).keySet()));
            if (Outbox.count(view, 1) > 0) {
                left.add("shard " + shard + " has notices");
            }
            note(left, shard, "datafiles to remove", DeletionQueue.servers(view));
            note(left, shard, "trees to reclaim", DeletionQueue.trees(view, Handle.NONE, 1));
            note(left, shard, "files to recover", RecoveringFiles.after(view, Handle.NONE, 1));
            if (!PooledLeases.all(view).isEmpty()) {
                left.add("shard " + shard + " has leases");
            }
            note(left, shard, "sessions", Sessions.after(view, 0, 1));
            note(
                    left,
                    shard,
                    "files without a name",
                    UnlinkedFiles.from(view, 0, 1).stream().toList());
            shard++;
        }
        cluster.ioServers().forEach(server -> {
            if (!UnconfirmedDatafiles.page(server.store().committed(), Handle.NONE, 1, madeMillis -> true)
                    .due()
                    .isEmpty()) {
                left.add(server.name() + " has unconfirmed datafiles");
            }
            noteRows(left, server, DatafileTables.GONE, "removed datafiles to remember");
            if (server.hasLeases()) {
                left.add(server.name() + " has leases");
            }
        });
        return left;
    }

    private static void noteRows(List<String> left, SimulatedIoServer server, Table table, String what) {
        try (ReadView.Cursor rows = server.store().committed().scan(table, new byte[0], new byte[] {(byte) 0x80})) {
            if (rows.next()) {
                left.add(server.name() + " has " + what);
            }
        }
    }

    private static void note(List<String> left, int shard, String what, java.util.Collection<?> found) {
        if (!found.isEmpty()) {
            left.add("shard " + shard + " has " + what + ": " + found);
        }
    }
}
