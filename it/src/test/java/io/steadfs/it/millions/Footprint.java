package io.steadfs.it.millions;

import io.steadfs.cli.report.TextTable;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What a metadata server takes while it works: looks every second, keeps the highest of each figure by phase, and at the
 * end of a phase the heap after a full collection.
 */
final class Footprint implements AutoCloseable {
    private static final long MIB = 1 << 20;

    /**
     * One phase of the work; bytes unless said otherwise.
     *
     * @param heapLive after a full collection at the end of the phase; the others are the highest seen
     */
    record Phase(
            String name,
            long done,
            double seconds,
            long heapMost,
            long heapLive,
            long resident,
            long blockCache,
            long memtables,
            long tableReaders,
            long storeFiles,
            long openFiles) {}

    private final SmallMds mds;
    private final ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "footprint");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Phase> phases = new ArrayList<>();

    /** Of the phase under way; guarded by this. */
    private final long[] highest = new long[7];

    private boolean failed;

    Footprint(SmallMds mds) {
        this.mds = mds;
        var unused = looker.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private synchronized void look() {
        try {
            StatusReply status = mds.status();
            long[] now = {
                status.getGaugesOrThrow("heap.used.bytes"),
                mds.residentBytes(),
                status.getGaugesOrThrow("store.blockcache.bytes"),
                status.getGaugesOrThrow("store.memtables.bytes"),
                status.getGaugesOrThrow("store.tablereaders.bytes"),
                status.getGaugesOrThrow("store.files.bytes"),
                mds.openFiles()
            };
            for (int i = 0; i < now.length; i++) {
                highest[i] = Math.max(highest[i], now[i]);
            }
        } catch (IOException | RuntimeException e) {
            System.out.println("no look at the server: " + e);
            failed = true;
        }
    }

    /** Does the work, which answers how much it did, and keeps what it took. */
    void phase(String name, Callable<Long> work) throws Exception {
        synchronized (this) {
            Arrays.fill(highest, 0);
        }
        long begin = System.nanoTime();
        long done = work.call();
        double seconds = (System.nanoTime() - begin) / 1e9;
        look();
        mds.collectGarbage();
        long live = mds.status().getGaugesOrThrow("heap.used.bytes");
        synchronized (this) {
            phases.add(new Phase(
                    name,
                    done,
                    seconds,
                    highest[0],
                    live,
                    highest[1],
                    highest[2],
                    highest[3],
                    highest[4],
                    highest[5],
                    highest[6]));
        }
        System.out.printf("%s: %,d in %.1f s; live heap %d MiB%n", name, done, seconds, live / MIB);
    }

    List<Phase> phases() {
        return List.copyOf(phases);
    }

    synchronized boolean sawAll() {
        return !failed;
    }

    /** A table for people, memory in MiB. */
    String table() {
        TextTable table = new TextTable(
                1,
                "phase",
                "done",
                "s",
                "per s",
                "heap most",
                "heap live",
                "resident",
                "block cache",
                "memtables",
                "readers",
                "store files",
                "open files");
        for (Phase each : phases) {
            table.row(
                    each.name(),
                    each.done(),
                    each.seconds(),
                    Math.round(each.done() / each.seconds()),
                    each.heapMost() / MIB,
                    each.heapLive() / MIB,
                    each.resident() / MIB,
                    each.blockCache() / MIB,
                    each.memtables() / MIB,
                    each.tableReaders() / MIB,
                    each.storeFiles() / MIB,
                    each.openFiles());
        }
        return table.toString();
    }

    @Override
    public void close() {
        looker.shutdownNow();
    }
}
