package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The reference: what each name may hold, and what each operation does to it. A node is the number of the operation that
 * made it, plus 1; 0 is nothing. For each directory the state also says where it is, and who may pass it.
 */
final class Namespace {
    private static final int NOTHING = 0;
    /** Place of a directory that was removed. */
    private static final int GONE = 3;

    private final List<Act> acts;
    private final Map<Handle, Integer> makers = new HashMap<>();

    Namespace(List<Act> acts) {
        this.acts = acts;
        for (int i = 0; i < acts.size(); i++) {
            Act act = acts.get(i);
            if (makes(act) && !act.handle().equals(Handle.NONE)) {
                makers.put(act.handle(), i + 1);
            }
        }
    }

    private static boolean makes(Act act) {
        return switch (act.verb()) {
            case MKDIR, CREATE, REPLACE -> true;
            default -> false;
        };
    }

    static int[] empty() {
        return new int[Names.COUNT + 2 * Names.DIRECTORIES];
    }

    /** Where a state keeps the place of the name's directory: 0 = its own, {@link #GONE}, else {@link #place}. */
    private static int directoryOf(int name) {
        return Names.COUNT + name / Names.IN_DIRECTORY;
    }

    /** Where a state keeps whether the name's directory is closed: 1 = it is. */
    private static int closedOf(int name) {
        return directoryOf(name) + Names.DIRECTORIES;
    }

    private static int place(Act act) {
        return act.mode() == RenameMode.OVERWRITE ? 2 : 1;
    }

    private static boolean isAway(int[] state, int name) {
        return state[directoryOf(name)] != 0;
    }

    /** Whether the caller may not pass the name's directory. */
    private static boolean isClosed(int[] state, int name, Act act) {
        return state[closedOf(name)] != 0 && !act.user().equals(SimulatedCluster.SUPERUSER);
    }

    private boolean isDirectory(int node) {
        return acts.get(node - 1).verb() == Step.IoOperation.MKDIR;
    }

    /** Whether an observation of a handle fits what the name holds. */
    private boolean fits(int node, Act seen) {
        if (node == NOTHING || isDirectory(node) != seen.directory()) {
            return false;
        }
        Integer maker = makers.get(seen.handle());
        // Whoever was never told what it made cannot say that this is not it.
        return maker == null ? acts.get(node - 1).answer().isEmpty() : maker == node;
    }

    /** The state after the operation, if it may be answered as it was. An untold one is answered anything. */
    Optional<int[]> apply(int[] state, int number) {
        Act act = acts.get(number);
        int here = state[act.name()];
        if (!changesDirectory(act)) {
            int place = act.verb() == Step.IoOperation.STAT_AWAY ? place(act) : 0;
            if (state[directoryOf(act.name())] != place) {
                return refused(act, state, FsError.NOT_FOUND);
            }
            if (isClosed(state, act.name(), act)) {
                return refused(act, state, FsError.PERMISSION_DENIED);
            }
        }
        return switch (act.verb()) {
            case AWAY -> move(act, state, 0, place(act));
            case BACK -> move(act, state, place(act), 0);
            case CLOSE -> close(act, state, 1);
            case OPEN -> close(act, state, 0);
            case REMOVE -> move(act, state, 0, GONE).map(next -> removed(next, act.name()));
            case REMAKE ->
                state[directoryOf(act.name())] == GONE
                        ? done(act, state, directoryOf(act.name()), 0)
                        : refused(act, state, FsError.ALREADY_EXISTS);
            case MKDIR ->
                here == NOTHING
                        ? done(act, state, act.name(), number + 1)
                        : refused(act, state, FsError.ALREADY_EXISTS);
            case CREATE ->
                here == NOTHING
                        ? done(act, state, act.name(), number + 1)
                        : refused(act, state, isDirectory(here) ? FsError.IS_A_DIRECTORY : FsError.ALREADY_EXISTS);
            case REPLACE ->
                here == NOTHING || !isDirectory(here)
                        ? done(act, state, act.name(), number + 1)
                        : refused(act, state, FsError.IS_A_DIRECTORY);
            case DELETE ->
                here == NOTHING ? refused(act, state, FsError.NOT_FOUND) : done(act, state, act.name(), NOTHING);
            case RENAME -> rename(act, state);
            case STAT, STAT_AWAY -> {
                boolean right = act.answer().filter(FsError.OK::equals).isPresent()
                        ? fits(here, act)
                        : here == NOTHING
                                && act.answer()
                                        .filter(FsError.NOT_FOUND::equals)
                                        .isPresent();
                yield right ? Optional.of(state) : Optional.empty();
            }
            default -> throw new IllegalArgumentException("no operation on a name: " + act);
        };
    }

    /** Whether the order of the two may matter: they have a name in common, or one changes a directory of the other. */
    static boolean depend(Act one, Act other) {
        boolean ofDirectories = isOfDirectory(one) || isOfDirectory(other);
        int unit = ofDirectories ? Names.IN_DIRECTORY : 1;
        return names(one).anyMatch(name -> names(other).anyMatch(each -> each / unit == name / unit));
    }

    private static boolean isOfDirectory(Act act) {
        return changesDirectory(act) || act.verb() == Step.IoOperation.STAT_AWAY;
    }

    private static IntStream names(Act act) {
        return act.verb() == Step.IoOperation.RENAME ? IntStream.of(act.name(), act.other()) : IntStream.of(act.name());
    }

    private static boolean changesDirectory(Act act) {
        return switch (act.verb()) {
            case AWAY, BACK, CLOSE, OPEN, REMOVE, REMAKE -> true;
            default -> false;
        };
    }

    /** Changes who may pass a directory. Only the owner may, who is the superuser. */
    private static Optional<int[]> close(Act act, int[] state, int closed) {
        if (isAway(state, act.name())) {
            return refused(act, state, FsError.NOT_FOUND);
        }
        return act.user().equals(SimulatedCluster.SUPERUSER)
                ? done(act, state, closedOf(act.name()), closed)
                : refused(act, state, FsError.PERMISSION_DENIED);
    }

    /** The state without what was in the name's directory, if that is removed. */
    private static int[] removed(int[] state, int name) {
        if (state[directoryOf(name)] == GONE) {
            int first = name / Names.IN_DIRECTORY * Names.IN_DIRECTORY;
            Arrays.fill(state, first, first + Names.IN_DIRECTORY, NOTHING);
        }
        return state;
    }

    /** Moves a directory; there is nothing at the source if it is elsewhere. */
    private static Optional<int[]> move(Act act, int[] state, int from, int to) {
        return state[directoryOf(act.name())] == from
                ? done(act, state, directoryOf(act.name()), to)
                : refused(act, state, FsError.NOT_FOUND);
    }

    private Optional<int[]> rename(Act act, int[] state) {
        int source = state[act.name()];
        int target = state[act.other()];
        if (source == NOTHING || isAway(state, act.other())) {
            return refused(act, state, FsError.NOT_FOUND);
        }
        if (isClosed(state, act.other(), act)) {
            return refused(act, state, FsError.PERMISSION_DENIED);
        }
        if (target != NOTHING) {
            if (act.mode() == RenameMode.NO_REPLACE) {
                return refused(act, state, FsError.ALREADY_EXISTS);
            }
            if (isDirectory(target) != isDirectory(source)) {
                return refused(act, state, isDirectory(target) ? FsError.IS_A_DIRECTORY : FsError.NOT_A_DIRECTORY);
            }
        }
        if (isTold(act) && act.answer().get() != FsError.OK) {
            return Optional.empty();
        }
        int[] next = state.clone();
        next[act.other()] = source;
        next[act.name()] = NOTHING;
        return Optional.of(next);
    }

    private static boolean isTold(Act act) {
        return act.answer().isPresent();
    }

    private static Optional<int[]> done(Act act, int[] state, int name, int node) {
        if (isTold(act) && act.answer().get() != FsError.OK) {
            return Optional.empty();
        }
        int[] next = state.clone();
        next[name] = node;
        return Optional.of(next);
    }

    private static Optional<int[]> refused(Act act, int[] state, FsError error) {
        return !isTold(act) || act.answer().get() == error ? Optional.of(state) : Optional.empty();
    }

    /** What names hold, for people. */
    String describe(int[] state) {
        StringBuilder text = new StringBuilder();
        for (int directory = 0; directory < Names.DIRECTORIES; directory++) {
            if (state[Names.COUNT + directory] != 0) {
                text.append(Names.directory(directory)).append(" away; ");
            }
            if (state[Names.COUNT + Names.DIRECTORIES + directory] != 0) {
                text.append(Names.directory(directory)).append(" closed; ");
            }
        }
        for (int name = 0; name < Names.COUNT; name++) {
            if (state[name] != NOTHING) {
                text.append(Names.path(name))
                        .append(" by \"")
                        .append(acts.get(state[name] - 1))
                        .append("\"; ");
            }
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }

    static boolean same(int[] one, int[] other) {
        return Arrays.equals(one, other);
    }
}
