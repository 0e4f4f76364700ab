package io.steadfs.lab.history;

import io.steadfs.lab.history.Search.Stuck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Is there an order of all operations, each at one moment between its begin and its end, in which every answer is right?
 * Asked of each name, of which nothing is there at first.
 *
 * <p>{@link #eachName} looks at names one at a time. A rename is two steps then, which take something from the source and
 * bring something to the target, at moments of their own; so it is not seen if the target gets another file than the source
 * had. It is for long histories.
 *
 * <p>{@link #joint} looks at all names together that renames connect, and takes a rename as one step. It is exact, and for
 * histories of some hundred operations.
 *
 * <p>Not checked: names below a directory that is moved or deleted, or may have been, because an operation under way may
 * reach what has another name by then; that a directory is empty when it must be, for the names in it are apart from it;
 * bytes and lengths; refusals for any other reason than what is at the name.
 *
 * <p>A name is given up where too many configurations must be visited. That is told, as {@link
 * Verdict#undecided}, and the check goes on behind it.
 */
public final class HistoryCheck {
    /** Enough for what was met so far: see docs/testing.md. */
    public static final long MOST_CONFIGURATIONS = 20_000;

    private static final int MOST_OF_ONE = 5;
    private static final long MOST_FOR_SHORTENING = 20_000;

    private final long mostConfigurations;

    /**
     * @param mostConfigurations of a name, or group of names, for one operation until it is undecided; for all together a
     *     hundred times as many
     */
    public HistoryCheck(long mostConfigurations) {
        this.mostConfigurations = mostConfigurations;
    }

    /** Every name by itself. */
    public Verdict eachName(List<Operation> operations) {
        Tree tree = new Tree(operations);
        return check(operations, tree, Places.apart(steady(operations, tree)));
    }

    /** Names that renames connect together. */
    public Verdict joint(List<Operation> operations) {
        Tree tree = new Tree(operations);
        return check(operations, tree, Places.joint(steady(operations, tree), operations));
    }

    private static Set<String> names(List<Operation> operations) {
        Set<String> names = new TreeSet<>();
        for (Operation operation : operations) {
            names.add(operation.action().path());
            if (operation.action() instanceof Action.Rename rename) {
                names.add(rename.target());
            }
        }
        return names;
    }

    private static Set<String> steady(List<Operation> operations, Tree tree) {
        Set<String> names = names(operations);
        names.removeIf(name -> !tree.isSteady(name));
        return names;
    }

    private Verdict check(List<Operation> operations, Tree tree, Places places) {
        Steps steps = new Steps(operations, tree, places);
        List<Violation> violations = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        long visited = 0;
        int names = 0;
        for (int group = 0; group < places.groups().size(); group++) {
            List<String> of = places.groups().get(group);
            names += of.size();
            visited += check(of, steps.of(group), violations, undecided);
        }
        int unsteady = names(operations).size() - names;
        return new Verdict(names, unsteady, steps.operations(), visited, violations, undecided);
    }

    /** Returns how many configurations were visited. */
    private long check(List<String> names, List<Timed> steps, List<Violation> violations, List<String> undecided) {
        int[] absent = new int[names.size()];
        Arrays.fill(absent, Contents.ABSENT);
        Search search = new Search(steps, absent, mostConfigurations);
        int told = 0;
        for (Optional<Stuck> stuck = search.advance(); stuck.isPresent(); stuck = search.advance()) {
            Timed at = stuck.get().at();
            if (stuck.get().undecided()) {
                undecided.add(String.join(", ", names) + ": given up at " + at.source());
            } else {
                violations.add(violation(names, steps, absent, at));
            }
            if (++told == MOST_OF_ONE) {
                undecided.add(String.join(", ", names) + ": not looked at any further");
                break;
            }
        }
        return search.visited();
    }

    private static Violation violation(List<String> names, List<Timed> steps, int[] start, Timed stuck) {
        Shortening.Shortened few = new Shortening(steps, start, MOST_FOR_SHORTENING).of(stuck);
        List<Operation> enough = sources(few.enough());
        List<Operation> others = new ArrayList<>(sources(few.others()));
        others.removeAll(enough);
        return new Violation(names, enough, others);
    }

    private static List<Operation> sources(List<Timed> steps) {
        return steps.stream()
                .map(Timed::source)
                .distinct()
                .sorted(Comparator.comparingLong(Operation::beginNanos))
                .toList();
    }
}
