package io.steadfs.it.simulation;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.Walk;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.StripedReader;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.lab.history.Verdict;
import io.steadfs.path.FsPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * One run: a cluster is made, clients work while things go wrong, everything is healed, and when nothing is left to do
 * the state is checked: alone ({@link Invariants}), against what clients were told ({@link Linearization}), and every
 * byte of every file ({@link Contents}). The same plan, arming and variant give the same run.
 */
final class Simulation {
    private static final long SETUP_MILLIS = 60_000;
    private static final long WORK_MILLIS = 900_000;
    private static final long HEAL_MILLIS = 300_000;
    private static final long OBSERVER_PATIENCE_MILLIS = 60_000;

    private final Plan plan;
    private final SimulatedCluster cluster;
    private final Trouble trouble;
    private final Optional<SimulatedCheck> check;

    /**
     * What came of a run.
     *
     * @param violation empty if all was well
     * @param undecided whether the order of operations was too much to look for
     * @param coverage each place met
     * @param jumps of wall clocks by an hour: how often, by role, direction and whether there were leases
     * @param checks of the file system
     * @param fingerprint of all that went over the network, and when
     */
    record Result(
            Plan plan,
            Optional<String> violation,
            boolean undecided,
            int operations,
            List<CrashPoints.Crash> crashes,
            SortedMap<String, CrashPoints.Met> coverage,
            SortedMap<String, Integer> jumps,
            SimulatedCheck.Account checks,
            long simulatedMillis,
            long fingerprint) {}

    private Simulation(Plan plan, CrashPoints.Arming arming, boolean checked) {
        this.plan = plan;
        this.cluster = new SimulatedCluster(plan, arming);
        this.check = checked ? Optional.of(new SimulatedCheck(cluster)) : Optional.empty();
        this.trouble = new Trouble(cluster);
    }

    static Result run(Plan plan, CrashPoints.Arming arming) {
        return run(plan, arming, false);
    }

    /** @param checked whether the file system is checked all the time, and at the end; nothing may be found */
    static Result run(Plan plan, CrashPoints.Arming arming, boolean checked) {
        Optional<Simulation> simulation = Optional.empty();
        Optional<String> violation;
        boolean undecided = false;
        try {
            simulation = Optional.of(new Simulation(plan, arming, checked));
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
                simulation.map(all -> all.trouble.jumps()).orElseGet(TreeMap::new),
                simulation
                        .flatMap(all -> all.check)
                        .map(SimulatedCheck::account)
                        .orElse(new SimulatedCheck.Account(0, 0, 0)),
                simulation
                        .map(all -> all.cluster.around().time().monotonicNanos() / 1_000_000)
                        .orElse(0L),
                simulation
                        .map(all -> all.cluster.around().network().fingerprint())
                        .orElse(0L));
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

    private void spread(SimulatedClient keeper, FsPath path) {
        if (plan.spreads()) {
            await("setup", SimulatedClient.spread(keeper.fs(), path), SETUP_MILLIS);
        }
    }

    private Linearization.Verdict run() {
        SimulatedClient keeper = cluster.client(
                new SimulatedClient.Who(
                        CrashPoints.OBSERVER + "-0", SimulatedCluster.SUPERUSER, OBSERVER_PATIENCE_MILLIS),
                List.of());
        keeper.start();
        if (plan.seed() % 2 == 0) {
            spread(keeper, FsPath.ROOT);
        }
        for (int directory = 0; directory < Names.DIRECTORIES; directory++) {
            await("setup", keeper.fs().names().mkdirs(Names.directory(directory), 0777, false, true), SETUP_MILLIS);
            await("setup", keeper.fs().names().mkdirs(Names.holder(directory), 0777, false, false), SETUP_MILLIS);
            spread(keeper, Names.holder(directory));
        }
        for (FsPath path : List.of(Names.wildRoot(), Names.far())) {
            await("setup", keeper.fs().names().mkdirs(path, 0777, false, true), SETUP_MILLIS);
            spread(keeper, path);
        }
        await("setup", keeper.fs().attributes().setAttributes(FsPath.ROOT, AttributeChange.mode(0777)), SETUP_MILLIS);

        cluster.around().points().setActive(true);
        cluster.clients().forEach(SimulatedClient::start);
        trouble.plan(plan.faults());
        if (plan.grows()) {
            cluster.addShardAfter(plan.growsAtMillis());
        }
        long lastFaultMillis = lastFaultMillis();
        BooleanSupplier ended = () -> cluster.around().time().monotonicNanos() / 1_000_000 > lastFaultMillis
                && cluster.clients().stream().allMatch(SimulatedClient::isDone);
        while (check.isPresent() && !ended.getAsBoolean() && nowMillis() < WORK_MILLIS) {
            check.get().beside();
        }
        boolean done = cluster.run(ended, WORK_MILLIS);
        require(done, () -> "clients do not come to their end");
        trouble.heal();
        require(cluster.run(() -> cluster.isGrown(), HEAL_MILLIS), () -> "the shard that was added does not serve");
        checkJournal();
        cluster.clients().forEach(client -> {
            var unused = client.close();
        });
        List<Act> last = observe(keeper);
        readWild(keeper);
        await("the observer closes", keeper.close(), HEAL_MILLIS);
        require(
                cluster.run(new Sometimes(() -> Quiet.left(cluster).isEmpty()), HEAL_MILLIS),
                () -> "not quiet: " + Quiet.left(cluster));
        checkJournal();
        Invariants.check(cluster);
        check.ifPresent(SimulatedCheck::alone);
        List<Act> history = new ArrayList<>(cluster.journal().history());
        history.addAll(last);
        Linearization linearization = new Linearization(history);
        Linearization.Verdict verdict = linearization.search();
        require(verdict != Linearization.Verdict.UNEXPLAINED, linearization::stuck);
        if (!plan.movesDirectories()) {
            // The checker knows no moves of directories.
            history.removeIf(act -> act.verb() == Step.IoOperation.BACK);
            Verdict checked = CheckedHistory.verdict(history);
            require(checked.violations().isEmpty(), () -> "the history checker: " + checked.violations());
        }
        // What the checker leaves undecided the search has decided, or not: that is exact, and tells.
        return verdict;
    }

    /** A condition that is looked at after every {@value #LOOK_MILLIS} ms, since a look takes longer than most of what happens. */
    private final class Sometimes implements BooleanSupplier {
        private static final long LOOK_MILLIS = 20;

        private final BooleanSupplier condition;
        private long nextNanos;

        Sometimes(BooleanSupplier condition) {
            this.condition = condition;
        }

        @Override
        public boolean getAsBoolean() {
            long now = cluster.around().time().monotonicNanos();
            if (now < nextNanos) {
                return false;
            }
            nextNanos = now + LOOK_MILLIS * 1_000_000;
            return condition.getAsBoolean();
        }
    }

    private long nowMillis() {
        return cluster.around().time().monotonicNanos() / 1_000_000;
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
        for (int name = 0; name < Names.COUNT; name += Names.IN_DIRECTORY) {
            seen.add(moveBack(observer, name, RenameMode.NO_REPLACE));
            seen.add(moveBack(observer, name, RenameMode.OVERWRITE));
        }
        for (int name = 0; name < Names.COUNT; name++) {
            long begin = stamp();
            CompletableFuture<FileInfo> stat = observer.fs().attributes().stat(Names.path(name));
            Optional<FileInfo> info = settle("stat", stat);
            seen.add(new Act(
                    observer.name(),
                    SimulatedCluster.SUPERUSER,
                    Step.IoOperation.STAT,
                    name,
                    name,
                    RenameMode.NO_REPLACE,
                    begin,
                    stamp(),
                    Optional.of(info.isPresent() ? FsError.OK : FsError.NOT_FOUND),
                    info.map(FileInfo::handle).orElse(Handle.NONE),
                    info.map(FileInfo::directory).orElse(false)));
            if (info.isPresent() && !info.get().directory()) {
                read(observer, name);
            }
        }
        return seen;
    }

    private long stamp() {
        return cluster.journal().stamp(cluster.around().time().monotonicNanos());
    }

    /** Moves a directory back that was left away. */
    private Act moveBack(SimulatedClient observer, int name, RenameMode place) {
        long begin = stamp();
        Optional<Boolean> moved = settle(
                "move back",
                observer.fs()
                        .names()
                        .rename(
                                Names.away(name, place),
                                Names.directory(name / Names.IN_DIRECTORY),
                                RenameMode.NO_REPLACE));
        return new Act(
                observer.name(),
                SimulatedCluster.SUPERUSER,
                Step.IoOperation.BACK,
                name,
                name,
                place,
                begin,
                stamp(),
                Optional.of(moved.isPresent() ? FsError.OK : FsError.NOT_FOUND),
                Handle.NONE,
                false);
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
        Contents contents = cluster.journal().contents();
        FsPath path = Names.path(name);
        StripedReader reader = openClosed(observer, path);
        Handle file = reader.info().handle();
        String wrongLength = contents.wrongLength(file, reader.length());
        require(wrongLength.isEmpty(), () -> path + ", " + file + ", has " + wrongLength);
        byte[] bytes = readAll(path, reader);
        requireRight(path, file, contents.wrong(file, bytes, bytes.length));
    }

    /** Whatever is in the wild tree is whole, and every file holds what anybody wrote there. */
    private void readWild(SimulatedClient observer) {
        List<Entry> entries = await("listing", Walk.tree(observer.fs(), Names.wildRoot()), HEAL_MILLIS);
        for (Entry entry : entries) {
            if (!entry.info().directory() && entry.info().linkTarget().isEmpty()) {
                FsPath path = below(Names.wildRoot(), entry.name());
                StripedReader reader = openClosed(observer, path);
                Handle file = reader.info().handle();
                byte[] bytes = readAll(path, reader);
                requireRight(path, file, Contents.wrongWild(file, bytes, bytes.length));
            }
        }
    }

    private static FsPath below(FsPath directory, String names) {
        FsPath path = directory;
        for (String name : names.split("/", -1)) {
            path = path.child(name);
        }
        return path;
    }

    private static void requireRight(FsPath path, Handle file, int wrong) {
        require(wrong < 0, () -> path + ", " + file + ": byte " + wrong + " is another file's");
    }

    /** A file whose writer died is recovered first. */
    private StripedReader openClosed(SimulatedClient observer, FsPath path) {
        long end = cluster.around().time().monotonicNanos() + HEAL_MILLIS * 1_000_000;
        while (!await("is " + path + " closed", observer.fs().attributes().isFileClosed(path), HEAL_MILLIS)) {
            require(cluster.around().time().monotonicNanos() < end, () -> path + " stays open");
            cluster.run(() -> false, 200);
        }
        return await("open of " + path, observer.fs().reads().open(path), HEAL_MILLIS);
    }

    private byte[] readAll(FsPath path, StripedReader reader) {
        ByteBuffer target = ByteBuffer.allocate((int) reader.length());
        await("read of " + path, SimulatedClient.fill(reader, target), HEAL_MILLIS);
        require(
                !target.hasRemaining(),
                () -> path + ": " + target.position() + " of " + reader.length() + " bytes can be read");
        return target.array();
    }
}
