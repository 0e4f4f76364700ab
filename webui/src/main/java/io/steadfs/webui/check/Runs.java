package io.steadfs.webui.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.ReplacedFile;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.fsck.Check;
import io.steadfs.fsck.CheckedServers;
import io.steadfs.fsck.FindingKind;
import io.steadfs.fsck.LostAndFound;
import io.steadfs.fsck.Pace;
import io.steadfs.fsck.Repair;
import io.steadfs.fsck.Settlement;
import io.steadfs.fsck.Work;
import io.steadfs.time.Clock;
import io.steadfs.webui.problem.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs checks of the file system. Only one check runs at a time. Each check has a folder of its own:
 *
 * <pre>
 *  ID/run.json   {@link RunState}
 *  ID/pass-1     {@link Work} of its first pass
 *  ID/pass-2     of the pass after its repair, and so on
 * </pre>
 *
 * <p>If the process ends while a check is running, the check counts as interrupted. An operator can then resume the
 * check at the point where the check stopped. Thread-safe.
 */
public final class Runs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Runs.class);
    private static final Pattern ID = Pattern.compile("[0-9]{1,18}");
    private static final String STATE = "run.json";
    private static final int MOST_PASSES = 5;
    private static final int PAGE_ROWS = 2_000;
    private static final long END_SECONDS = 60;

    private final Path directory;
    private final Clock clock;
    private final Servers servers;
    private final LostAndFound lostAndFound;
    private final OpenWork works = new OpenWork();
    private final ObjectMapper json = new ObjectMapper();
    private final TreeMap<Long, RunState> runs = new TreeMap<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "stead-check");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<AtWork> atWork = Optional.empty();
    private boolean closed;

    /** Returns the servers to check. Each check asks for a new list of the servers. */
    public interface Servers {
        CheckedServers newest() throws FsException;
    }

    private record AtWork(long id, Pace pace) {}

    private Runs(Path directory, Clock clock, Servers servers, LostAndFound lostAndFound) {
        this.directory = directory;
        this.clock = clock;
        this.servers = servers;
        this.lostAndFound = lostAndFound;
    }

    /** @throws IOException if a part of the directory cannot be read; the message names the part */
    public static Runs in(Path directory, Clock clock, Servers servers, LostAndFound lostAndFound) throws IOException {
        DurableDirectories.make(directory);
        Runs runs = new Runs(directory, clock, servers, lostAndFound);
        List<Path> folders;
        try (var listed = Files.list(directory)) {
            folders = listed.toList();
        }
        for (Path folder : folders) {
            runs.read(folder).ifPresent(state -> runs.runs.put(Long.parseLong(state.id()), state));
        }
        return runs;
    }

    /**
     * Reads the stored state of a check. Empty if there is no state, or if the state is damaged. The method logs the
     * damage. The other checks stay usable.
     */
    private Optional<RunState> read(Path folder) {
        Path file = folder.resolve(STATE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            RunState state = json.readValue(file.toFile(), RunState.class);
            if (!ID.matcher(state.id()).matches() || !folder.endsWith(state.id())) {
                throw new IOException("it is of check '" + state.id() + "'");
            }
            return Optional.of(state.state().isAtWork() ? state.with(RunState.State.INTERRUPTED) : state);
        } catch (IOException | RuntimeException e) {
            LOG.error("{} is no check and is left out", file, e);
            return Optional.empty();
        }
    }

    /** Returns the checks with a smaller id than {@code id}, newest first. If {@code id} is 0, returns all checks. */
    synchronized List<RunState> before(long id) {
        return new ArrayList<>(
                (id == 0 ? runs : runs.headMap(id, false)).descendingMap().values());
    }

    /** @throws Refusal if no check has this id */
    synchronized RunState get(String id) {
        RunState found = ID.matcher(id).matches() ? runs.get(Long.parseLong(id)) : null;
        if (found == null) {
            throw Refusal.notFound("there is no check '" + id + "'");
        }
        return found;
    }

    /** The progress of the check; empty if the check is not running in this process. */
    synchronized Optional<Pace.Look> look(RunState run) {
        return atWork.filter(each -> Long.toString(each.id()).equals(run.id()))
                .map(each -> each.pace().look());
    }

    /** @throws Refusal if another check is running */
    synchronized RunState start(Collection<FindingKind> repair, boolean scrub, long rate, String by)
            throws IOException {
        checkNoneAtWork();
        long now = clock.wallMillis();
        long id = Math.max(now, runs.isEmpty() ? 0 : runs.lastKey() + 1);
        return begin(RunState.begun(Long.toString(id), labels(repair), scrub, rate, now, by), false);
    }

    private static List<String> labels(Collection<FindingKind> kinds) {
        return kinds.stream().map(FindingKind::label).sorted().toList();
    }

    private void checkNoneAtWork() {
        atWork.ifPresent(each -> {
            throw Refusal.conflict("check " + each.id() + " is at work");
        });
    }

    /** @param isContinued whether the first pass to run continues a pass that was stopped */
    private RunState begin(RunState state, boolean isContinued) throws IOException {
        keep(state);
        long id = Long.parseLong(state.id());
        Pace pace = new Pace(state.rate());
        atWork = Optional.of(new AtWork(id, pace));
        worker.execute(() -> run(id, pace, isContinued));
        return state;
    }

    synchronized RunState pause(String id) throws IOException {
        return hold(get(id), true);
    }

    private RunState hold(RunState state, boolean isHeld) throws IOException {
        AtWork working = working(state);
        RunState next = state.with(isHeld ? RunState.State.PAUSED : RunState.State.RUNNING);
        keep(next);
        working.pace().hold(isHeld);
        return next;
    }

    private AtWork working(RunState state) {
        return atWork.filter(each -> Long.toString(each.id()).equals(state.id()))
                .orElseThrow(() -> Refusal.conflict("check " + state.id() + " is not at work, but "
                        + state.state().label()));
    }

    /** Continues a check that is paused, cancelled, failed or interrupted. */
    synchronized RunState resume(String id) throws IOException {
        RunState state = get(id);
        if (state.state() == RunState.State.PAUSED) {
            return hold(state, false);
        }
        checkNoneAtWork();
        if (state.state() == RunState.State.ENDED) {
            throw Refusal.conflict("check " + id + " ended by itself");
        }
        return begin(state.again(state.pass(), state.repair()), true);
    }

    /** Cancels the check and keeps its results. */
    synchronized RunState cancel(String id) {
        RunState state = get(id);
        working(state).pace().end();
        return state;
    }

    /**
     * Repairs the findings of the last pass of an ended check. Then the method starts another check of the file system.
     */
    synchronized RunState repair(String id, Collection<FindingKind> kinds) throws IOException {
        RunState state = get(id);
        checkNoneAtWork();
        if (state.state() != RunState.State.ENDED) {
            throw Refusal.conflict("check " + id + " did not end by itself, but is "
                    + state.state().label() + ": let it go on first");
        }
        return begin(state.again(state.pass(), labels(kinds)), true);
    }

    private void run(long id, Pace pace, boolean isContinued) {
        RunState.State end = RunState.State.FAILED;
        String error = "it ended unexpectedly: see the log of the web interface";
        try {
            boolean again = true;
            CheckedServers asked = servers.newest();
            for (int passes = 1; again; passes++) {
                Settlement settlement = Settlement.before(asked, isContinued && passes == 1);
                again = pass(state(id), asked, settlement, pace, passes < MOST_PASSES);
            }
            end = RunState.State.ENDED;
            error = "";
        } catch (FsException e) {
            boolean isEnded = e.error() == FsError.CANCELLED;
            end = isEnded ? ended() : RunState.State.FAILED;
            error = isEnded ? "" : String.valueOf(e.getMessage());
        } catch (IOException | RuntimeException e) {
            LOG.error("check {} failed", id, e);
            error = e.toString();
        } finally {
            over(id, end, error);
        }
    }

    /**
     * The state of a check that was stopped. The check is interrupted if this process is ending. The check is cancelled
     * if an operator stopped the check.
     */
    private synchronized RunState.State ended() {
        return closed ? RunState.State.INTERRUPTED : RunState.State.CANCELLED;
    }

    private synchronized RunState state(long id) {
        return Optional.ofNullable(runs.get(id)).orElseThrow();
    }

    private synchronized void over(long id, RunState.State end, String error) {
        atWork = Optional.empty();
        RunState state = state(id).over(end, clock.wallMillis(), error.isEmpty() ? null : error);
        // This also happens if the state cannot be stored, because nobody may wait for a check that has ended.
        runs.put(id, state);
        try {
            keep(state);
        } catch (IOException e) {
            LOG.error("the end of check {} is not kept", id, e);
        }
    }

    /** Runs one pass. Returns true if another pass is needed. */
    private boolean pass(RunState state, CheckedServers asked, Settlement settlement, Pace pace, boolean mayGoOn)
            throws IOException {
        Set<FindingKind> kinds = EnumSet.noneOf(FindingKind.class);
        state.repair().forEach(label -> FindingKind.of(label).ifPresent(kinds::add));
        return works.use(folder(state, state.pass()), work -> {
            long before = pace.look().rows();
            Check.Result result = new Check(asked, work, pace, PAGE_ROWS, state.scrub()).run();
            long repaired = kinds.isEmpty() ? 0 : new Repair(asked, work, lostAndFound, pace, PAGE_ROWS).run(kinds);
            RunState.Found found = new RunState.Found(
                    result.isComplete(),
                    result.problems(),
                    result.undecided(),
                    counts(work),
                    repaired,
                    pace.look().rows() - before,
                    settlement.after(result, work.counts(), state.scrub()));
            boolean goesOn = repaired > 0 && result.isComplete() && mayGoOn;
            ended(state.id(), found, goesOn);
            return goesOn;
        });
    }

    private synchronized void ended(String id, RunState.Found found, boolean goesOn) throws IOException {
        RunState state = get(id).and(found);
        keep(goesOn ? state.nextPass() : state);
    }

    /** Number of findings of each kind that the pass found. The kinds have their usual order. */
    private static Map<String, Long> counts(Work work) {
        Map<String, Long> counts = new LinkedHashMap<>();
        work.counts().forEach((kind, count) -> {
            if (count > 0) {
                counts.put(kind.label(), count);
            }
        });
        return counts;
    }

    /**
     * Number of findings of each kind. While a check runs, the numbers are those of the present pass if the pass has
     * found anything.
     */
    Map<String, Long> counts(RunState state) throws IOException {
        if (!state.state().isAtWork()) {
            return state.found().counts();
        }
        Map<String, Long> now = look(state, state.pass(), Runs::counts);
        return now.isEmpty() ? state.found().counts() : now;
    }

    /** Reads the stored work of a pass. The pass may still be running. */
    <T> T look(RunState state, int pass, OpenWork.Use<T> use) throws IOException {
        return works.use(folder(state, pass), use);
    }

    private Path folder(RunState state, int pass) {
        return directory.resolve(state.id()).resolve("pass-" + pass);
    }

    private synchronized void keep(RunState state) throws IOException {
        Path folder = directory.resolve(state.id());
        DurableDirectories.make(folder);
        ReplacedFile.write(folder, STATE, json.writeValueAsBytes(state));
        runs.put(Long.parseLong(state.id()), state);
    }

    /** Stops a running check and keeps its results. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            atWork.ifPresent(each -> each.pace().end());
        }
        worker.shutdown();
        try {
            if (!worker.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a check does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
