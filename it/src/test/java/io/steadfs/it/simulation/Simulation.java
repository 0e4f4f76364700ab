package io.steadfs.it.simulation;

import io.steadfs.client.FileInfo;
import io.steadfs.client.RenameMode;
import io.steadfs.client.StripedReader;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One run: a cluster is made, clients work while things go wrong, everything is healed, and when nothing is left to do
 * the state is checked: alone ({@link Invariants}), against what clients were told ({@link Linearization}), and every
 * byte of every file ({@link Contents}). The same plan, arming and variant give the same run.
 */
final class Simulation {
    private static final long SETUP_MILLIS = 60_000;
    private static final long WORK_MILLIS = 900_000;
    private static final long HEAL_MILLIS = 300_000;

    private final Plan plan;
    private final SimulatedCluster cluster;

    /**
     * What came of a run.
     *
     * @param violation empty if all was well
     * @param undecided whether the order of operations was too much to look for
     * @param coverage crashes at each place met
     * @param fingerprint of all that went over the network, and when
     */
    record Result(
            Plan plan,
            Optional<String> violation,
            boolean undecided,
            int operations,
            List<CrashPoints.Crash> crashes,
            SortedMap<String, Long> coverage,
            long simulatedMillis,
            int fingerprint) {}

    private Simulation(Plan plan, CrashPoints.Arming arming) {
        this.plan = plan;
        this.cluster = new SimulatedCluster(plan, arming);
    }

    static Result run(Plan plan, CrashPoints.Arming arming) {
        Optional<Simulation> simulation = Optional.empty();
        Optional<String> violation;
        boolean undecided = false;
        try {
            simulation = Optional.of(new Simulation(plan, arming));
            Linearization.Verdict verdict = simulation.get().run();
            undecided = verdict == Linearization.Verdict.UNDECIDED;
            violation = Optional.empty();
        } catch (AssertionError | RuntimeException e) {
            violation = Optional.of(describe(e));
        }
        return new Result(
                plan,
                violation,
                undecided,
                plan.steps().stream().mapToInt(List::size).sum(),
                simulation
                        .map(all -> List.copyOf(all.cluster.around().points().crashes()))
                        .orElse(List.of()),
                simulation.map(all -> all.cluster.around().points().coverage()).orElseGet(TreeMap::new),
                simulation
                        .map(all -> all.cluster.around().time().monotonicNanos() / 1_000_000)
                        .orElse(0L),
                simulation
                        .map(all -> all.cluster.around().network().trace().hashCode())
                        .orElse(0));
    }

    private static String describe(Throwable e) {
        StringBuilder text = new StringBuilder(String.valueOf(e.getMessage() == null ? e : e.getMessage()));
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            text.append("; because of ").append(cause);
            for (int i = 0; i < Math.min(6, cause.getStackTrace().length); i++) {
                text.append("\n      at ").append(cause.getStackTrace()[i]);
            }
        }
        return text.toString();
    }

    private Linearization.Verdict run() {
        SimulatedClient keeper = cluster.client(CrashPoints.OBSERVER + "-0", List.of());
        keeper.start();
        for (int directory = 0; directory < Names.DIRECTORIES; directory++) {
            await("setup", keeper.fs().mkdirs(Names.directory(directory), 0755, false, true), SETUP_MILLIS);
        }
        await("setup", keeper.fs().mkdirs(Names.wildRoot(), 0755, false, true), SETUP_MILLIS);

        cluster.around().points().setActive(true);
        Trouble trouble = new Trouble(cluster);
        cluster.clients().forEach(SimulatedClient::start);
        trouble.plan(plan.faults());
        boolean done = cluster.run(
                () -> cluster.clients().stream().allMatch(SimulatedClient::isDone)
                        && cluster.around().time().monotonicNanos() / 1_000_000 > lastFaultMillis(),
                WORK_MILLIS);
        require(done, () -> "clients do not come to their end");
        trouble.heal();
        checkJournal();
        cluster.clients().forEach(client -> {
            var unused = client.close();
        });
        List<Act> last = observe(keeper);
        await("the observer closes", keeper.close(), HEAL_MILLIS);
        require(
                cluster.run(() -> Quiet.left(cluster).isEmpty(), HEAL_MILLIS),
                () -> "not quiet: " + Quiet.left(cluster));
        checkJournal();
        Invariants.check(cluster);
        List<Act> history = new ArrayList<>(cluster.journal().history());
        history.addAll(last);
        Linearization linearization = new Linearization(history);
        Linearization.Verdict verdict = linearization.search();
        require(verdict != Linearization.Verdict.UNEXPLAINED, linearization::stuck);
        return verdict;
    }

    private long lastFaultMillis() {
        return plan.faults().stream().mapToLong(Fault::atMillis).max().orElse(0);
    }

    private interface Words {
        String get();
    }

    private static void require(boolean holds, Words otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise.get());
        }
    }

    private void checkJournal() {
        if (!cluster.journal().violations().isEmpty()) {
            throw new AssertionError(cluster.journal().violations().get(0));
        }
    }

    private <T> T await(String what, CompletableFuture<T> answer, long limitMillis) {
        require(cluster.run(answer::isDone, limitMillis), () -> "no answer: " + what);
        return answer.join();
    }

    /** Looks at every name, and reads every file to its end. */
    private List<Act> observe(SimulatedClient observer) {
        List<Act> seen = new ArrayList<>();
        for (int name = 0; name < Names.COUNT; name++) {
            long begin = cluster.around().time().monotonicNanos();
            CompletableFuture<FileInfo> stat = observer.fs().stat(Names.path(name));
            Optional<FileInfo> info = settle("stat", stat);
            seen.add(new Act(
                    observer.name(),
                    Step.Verb.STAT,
                    name,
                    name,
                    RenameMode.NO_REPLACE,
                    begin,
                    cluster.around().time().monotonicNanos(),
                    Optional.of(info.isPresent() ? FsError.OK : FsError.NOT_FOUND),
                    info.map(FileInfo::handle).orElse(Handle.NONE),
                    info.map(FileInfo::directory).orElse(false)));
            if (info.isPresent() && !info.get().directory()) {
                read(observer, name);
            }
        }
        return seen;
    }

    /** Empty if there is nothing. */
    private <T> Optional<T> settle(String what, CompletableFuture<T> answer) {
        require(cluster.run(answer::isDone, HEAL_MILLIS), () -> "no answer: " + what);
        if (!answer.isCompletedExceptionally()) {
            return Optional.of(answer.join());
        }
        Throwable failure = answer.handle((value, why) -> why).join();
        require(SimulatedClient.error(failure) == FsError.NOT_FOUND, () -> what + " fails: " + failure);
        return Optional.empty();
    }

    private void read(SimulatedClient observer, int name) {
        // A file whose writer died is recovered first.
        long end = cluster.around().time().monotonicNanos() + HEAL_MILLIS * 1_000_000;
        while (!await("closed?", observer.fs().isFileClosed(Names.path(name)), HEAL_MILLIS)) {
            require(cluster.around().time().monotonicNanos() < end, () -> Names.path(name) + " stays open");
            cluster.run(() -> false, 200);
        }
        StripedReader reader = await("open", observer.fs().open(Names.path(name)), HEAL_MILLIS);
        Handle file = reader.info().handle();
        String wrongLength = cluster.journal().contents().wrongLength(file, reader.length());
        require(wrongLength.isEmpty(), () -> Names.path(name) + ", " + file + ", has " + wrongLength);
        ByteBuffer target = ByteBuffer.allocate((int) reader.length());
        await("read of " + Names.path(name), SimulatedClient.fill(reader, target), HEAL_MILLIS);
        int wrong = cluster.journal().contents().wrong(file, target.array(), target.position());
        require(
                wrong < 0 && !target.hasRemaining(),
                () -> Names.path(name) + ", " + file + ": " + target.position() + " of " + reader.length()
                        + " bytes read, byte " + wrong + " is another file's");
    }
}
