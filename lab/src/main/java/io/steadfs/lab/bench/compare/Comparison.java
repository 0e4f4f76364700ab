package io.steadfs.lab.bench.compare;

import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.work.Work;
import io.steadfs.lab.bench.compare.work.WorkDirectory;
import io.steadfs.lab.bench.compare.work.WorkKind;
import io.steadfs.lab.bench.pace.MemoryAtHand;
import io.steadfs.lab.bench.pace.Rest;
import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compares two systems that take turns, round by round. Every second round reverses the order of the systems, so that
 * slow changes affect both systems alike. Before each round, the servers of both systems must become idle. A rehearsal
 * decides how many operations a round of a lane has. The comparison may visit all rows several times, so that the
 * rounds of a row are not all measured in the same minute.
 */
final class Comparison {
    private final ComparePlan plan;
    private final Contender first;
    private final Contender second;
    private final WorkDirectory firstGround;
    private final WorkDirectory secondGround;
    private final Path folder;
    private final Together together;
    private final Rest rest;
    private final MemoryAtHand memoryAtHand;
    private final Progress progress;
    private int plainFiles;

    /** @param folder folder on this machine for files that are written without a distributed file system */
    Comparison(ComparePlan plan, Contender first, Contender second, Path folder, Together together, Progress progress) {
        this.plan = plan;
        this.first = first;
        this.second = second;
        this.firstGround = new WorkDirectory(first.fileSystem());
        this.secondGround = new WorkDirectory(second.fileSystem());
        this.folder = folder;
        this.together = together;
        this.rest = new Rest(Stream.of(first, second)
                .flatMap(system -> system.servers().values().stream())
                .toList());
        this.memoryAtHand = new MemoryAtHand(folder, plan.streamMebibytes());
        this.progress = progress;
    }

    /**
     * Makes the files that the works need. Rehearses each work, so that Java compiles the code of clients and servers
     * before the measurement.
     */
    void prepare() throws IOException, InterruptedException {
        progress.say("making files on " + first.name() + " and " + second.name());
        firstGround.make(together);
        secondGround.make(together);
        for (WorkKind kind : plan.works()) {
            progress.say("rehearsing: " + kind.title);
            Row row = row(kind, Collections.max(plan.threads(kind)));
            row.rehearse(plan);
            row.rehearseFor(plan.rehearsalMillis(kind));
        }
    }

    /**
     * Measures all rows. If time is left after the visits, rows with the least certain ratios get more rounds until the
     * time is over. If the plan limits the minutes, visits after the first visit stop once the time is over.
     *
     * @param until end of the time for the measurement, as a time of {@link System#nanoTime()}
     */
    List<Cell> run(long until) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (WorkKind kind : plan.works()) {
            for (int threads : plan.threads(kind)) {
                rows.add(row(kind, threads));
            }
        }
        for (int visit = 0; visit < plan.visits(); visit++) {
            for (Row row : rows) {
                if (visit == 0) {
                    row.rehearse(plan);
                } else if (plan.minutes() > 0 && System.nanoTime() - until >= 0) {
                    progress.say("no time left for the rest of visit " + (visit + 1));
                    return cells(rows);
                }
                row.settle(plan.uncountedRounds());
                for (int round = 0; round < plan.rounds(); round++) {
                    row.round();
                }
                progress.say(row.cell().line());
            }
        }
        goOn(rows, until);
        return cells(rows);
    }

    private static List<Cell> cells(List<Row> rows) {
        return rows.stream().map(Row::cell).toList();
    }

    /**
     * Measures more rounds until the time is over. Each step chooses the row whose ratio gains the most certainty per
     * second. Each step measures two rounds of the chosen row, in opposite order.
     */
    private void goOn(List<Row> rows, long until) throws IOException, InterruptedException {
        if (System.nanoTime() - until >= 0) {
            return;
        }
        progress.say("more rounds where ratios are least certain");
        Row last = rows.get(rows.size() - 1);
        while (System.nanoTime() - until < 0) {
            Row row = Collections.max(rows, Comparator.comparingDouble(Row::gain));
            if (row != last) {
                row.settle(Math.max(1, plan.uncountedRounds()));
            }
            row.round();
            row.round();
            last = row;
        }
    }

    private void rest(WorkKind kind) throws IOException, InterruptedException {
        if (!rest.await()) {
            progress.say("servers do not come to rest");
        }
        if (kind == WorkKind.STREAM_WRITE) {
            memoryAtHand.take();
        }
    }

    private Row row(WorkKind kind, int threads) {
        Optional<FloorLanes> floor = kind.hasFloor() && threads == 1
                ? Optional.of(FloorLanes.of(folder.resolve("appended-" + kind), together))
                : Optional.empty();
        return new Row(kind, threads, lanes(kind, threads), floor, () -> rest(kind));
    }

    private List<Lane> lanes(WorkKind kind, int threads) {
        List<Lane> lanes = new ArrayList<>();
        lanes.add(lane(first, firstGround, kind, threads, first.name()));
        lanes.add(lane(second, secondGround, kind, threads, second.name()));
        if (kind == WorkKind.CREATE && threads > 1) {
            lanes.add(lane(
                    first, firstGround, WorkKind.CREATE_SEPARATE, threads, first.name() + ", separate directories"));
        }
        if (kind.isStream()) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                works.add(kind.plain(folder, plainFiles++));
            }
            lanes.add(new Lane("plain channels", Optional.empty(), works, kind.unitsOfOperation, together));
        }
        return lanes;
    }

    private Lane lane(Contender system, WorkDirectory directory, WorkKind kind, int threads, String name) {
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            works.add(kind.of(directory, i));
        }
        return new Lane(name, Optional.of(system), works, kind.unitsOfOperation, together);
    }

    /**
     * Fills both systems with empty files, and measures the servers' memory before and after. Returns an empty list if
     * the plan asks for no such files.
     */
    List<ServerMemory> memory() throws IOException, InterruptedException {
        List<ServerMemory> all = new ArrayList<>();
        if (plan.memoryFiles() > 0) {
            all.add(filled(first, firstGround));
            all.add(filled(second, secondGround));
        }
        return all;
    }

    private ServerMemory filled(Contender system, WorkDirectory directory) throws IOException, InterruptedException {
        progress.say("memory of " + system.name() + " before and after " + plan.memoryFiles() + " more files");
        ServerMemory.Reading before = ServerMemory.Reading.of(system);
        directory.fill(together, plan.memoryFiles());
        system.awaitQuiet();
        return new ServerMemory(system.name(), plan.memoryFiles(), before, ServerMemory.Reading.of(system));
    }
}
