package io.steadfs.lab.bench.compare;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.compare.cold.ClientProcess;
import io.steadfs.lab.bench.compare.cold.ColdClient;
import io.steadfs.lab.bench.compare.cold.ColdTask;
import io.steadfs.lab.bench.compare.cold.ColdWork;
import io.steadfs.lab.bench.compare.cold.FirstOperations;
import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.pace.Rest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares the first operations of new client processes on two systems that take turns, there and back. First, each
 * client has servers of its own that have just started. Then all clients share servers that have served another client
 * before.
 */
final class ColdComparison {
    /** Ground of the measured clients. */
    private static final String CLIENTS = "/cold/clients";

    private static final String REHEARSAL = "/cold/rehearsal";
    private static final int REHEARSAL_THREADS = 8;

    /** How often each work of the plan is rehearsed: 1,000 operations each time. */
    private static final int REHEARSALS = 3;

    private final ColdPlan plan;
    private final Starter first;
    private final Starter second;
    private final ClientProcess clients;
    private final Progress progress;
    private final RunningSystems running;
    private final List<Double> firstStarts = new ArrayList<>();
    private final List<Double> secondStarts = new ArrayList<>();

    /** Starts the servers of a system in the folder that the system has, each time with the files of the last time. */
    @FunctionalInterface
    interface Starter {
        Contender start(Cleanup cleanup) throws IOException, InterruptedException;
    }

    /** @param running ends servers that run, if the user stops the process */
    ColdComparison(
            ColdPlan plan,
            Starter first,
            Starter second,
            ClientProcess clients,
            RunningSystems running,
            Progress progress) {
        this.plan = plan;
        this.first = first;
        this.second = second;
        this.clients = clients;
        this.running = running;
        this.progress = progress;
    }

    /** Makes the files of all rounds on both systems. Returns what is to be said of the two systems. */
    List<SystemFacts> prepare() throws IOException, InterruptedException {
        return List.of(prepare(first), prepare(second));
    }

    private SystemFacts prepare(Starter starter) throws IOException, InterruptedException {
        try (Cleanup cleanup = running.begin()) {
            Contender system = starter.start(cleanup);
            progress.say("making files on " + system.name());
            for (ColdCell cell : cells(false)) {
                for (int turn = 0; turn < 2 * plan.rounds(); turn++) {
                    cell.work().prepare(system.fileSystem(), task(cell, turn));
                }
            }
            system.awaitQuiet();
            return SystemFacts.of(system);
        }
    }

    private static ColdTask task(ColdCell cell, int turn) {
        return new ColdTask(CLIENTS, cell.work(), cell.threads(), turn);
    }

    private List<ColdCell> cells(boolean warm) {
        List<ColdCell> cells = new ArrayList<>();
        for (ColdWork work : plan.works()) {
            for (int threads : plan.threads()) {
                cells.add(new ColdCell(warm, work, threads));
            }
        }
        return cells;
    }

    /**
     * Measures all rows. Servers that have just started get three quarters of the time, since each client waits for
     * their start.
     *
     * @param begun when the run began, as a time of {@link System#nanoTime()}
     * @param until no round begins after this time, but each row gets one; a time of {@link System#nanoTime()}. Not used
     *     if the plan has no limit
     */
    ColdResults run(long begun, long until) throws IOException, InterruptedException {
        List<ColdCell> fresh = cells(false);
        int turns = 0;
        for (; turns < plan.rounds() && (turns == 0 || inTime(begun + (until - begun) / 4 * 3)); turns++) {
            for (ColdCell cell : fresh) {
                fresh(cell, turns);
            }
        }
        List<ColdCell> warm = cells(true);
        try (Cleanup cleanup = running.begin()) {
            Contender one = first.start(cleanup);
            Contender other = second.start(cleanup);
            rehearse(one);
            rehearse(other);
            Rest rest = new Rest(Stream.of(one, other)
                    .flatMap(system -> system.servers().values().stream())
                    .toList());
            for (int round = 0; round < plan.rounds() && (round == 0 || inTime(until)); round++) {
                for (ColdCell cell : warm) {
                    warm(cell, round, turns + round, one, other, rest);
                }
            }
        }
        return new ColdResults(Stream.concat(fresh.stream(), warm.stream()).toList(), firstStarts, secondStarts);
    }

    private boolean inTime(long until) {
        return plan.minutes() == 0 || System.nanoTime() - until < 0;
    }

    /** One round of a row with servers that have just started. Only one system's servers run at a time. */
    private void fresh(ColdCell cell, int round) throws IOException, InterruptedException {
        for (Starter system : inTurn(round, first, second)) {
            boolean isFirst = system == first;
            (isFirst ? cell.first() : cell.second())
                    .add(fresh(system, task(cell, round), isFirst ? firstStarts : secondStarts));
        }
        progress.say(cell.line());
    }

    /** There and back: in every second round the second system comes first. */
    private static <T> List<T> inTurn(int round, T one, T other) {
        return round % 2 == 0 ? List.of(one, other) : List.of(other, one);
    }

    private FirstOperations fresh(Starter starter, ColdTask task, List<Double> starts)
            throws IOException, InterruptedException {
        try (Cleanup cleanup = running.begin()) {
            long begun = System.nanoTime();
            Contender system = starter.start(cleanup);
            starts.add((System.nanoTime() - begun) / 1e9);
            return clients.run(system.client(), task);
        }
    }

    private void rehearse(Contender system) throws IOException, InterruptedException {
        progress.say("rehearsing on " + system.name());
        for (int turn = 0; turn < REHEARSALS; turn++) {
            for (ColdWork work : plan.works()) {
                ColdClient.rehearse(system.fileSystem(), new ColdTask(REHEARSAL, work, REHEARSAL_THREADS, turn));
            }
        }
        system.awaitQuiet();
    }

    private void warm(ColdCell cell, int round, int turn, Contender one, Contender other, Rest rest)
            throws IOException, InterruptedException {
        for (Contender system : inTurn(round, one, other)) {
            if (!rest.await()) {
                progress.say("servers do not come to rest");
            }
            (system == one ? cell.first() : cell.second()).add(clients.run(system.client(), task(cell, turn)));
        }
        progress.say(cell.line());
    }
}
