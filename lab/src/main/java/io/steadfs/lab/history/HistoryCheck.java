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
 * Checks whether one order of all operations explains every answer. In the order, each operation happens at one moment
 * between its begin and its end. The check looks at each name. At the beginning of a history, no name exists.
 *
 * <p>The method {@link #eachName} looks at one name at a time. A rename then becomes two steps at different moments:
 * one removes a thing from the source, the other adds a thing to the target. The method therefore misses a rename that
 * gives the target another file than the source had. The method is for long histories.
 *
 * <p>The method {@link #joint} looks together at all names that renames connect. A rename is then one step. The method
 * is exact, and is for histories of some hundred operations.
 *
 * <p>The check leaves out some things:
 *
 * <ul>
 *   <li>The check skips names below a directory that an operation moved or deleted, or may have moved or deleted. A
 *       running operation may reach an object that has another name by then.
 *   <li>The check does not know whether a directory is empty, because the names in a directory are checked separately.
 *   <li>The check ignores bytes and lengths.
 *   <li>The check ignores refusals for reasons other than the contents of the name.
 * </ul>
 *
 * <p>If a name needs too many configurations, the check gives the name up there. {@link Verdict#undecided} reports the
 * place, and the check goes on after the place.
 */
public final class HistoryCheck {
    /** Limit that was enough for the histories so far: see docs/testing.md. */
    public static final long MOST_CONFIGURATIONS = 20_000;

    private static final int MOST_OF_ONE = 5;
    private static final long MOST_FOR_SHORTENING = 20_000;

    private final long mostConfigurations;

    /**
     * @param mostConfigurations largest number of configurations that the search visits for one operation of a name or
     *     a group of names. For all operations of the name or group together, the limit is a hundred times as large.
     */
    public HistoryCheck(long mostConfigurations) {
        this.mostConfigurations = mostConfigurations;
    }

    /** Checks each name separately. */
    public Verdict eachName(List<Operation> operations) {
        Tree tree = new Tree(operations);
        return check(operations, tree, Places.apart(steady(operations, tree)));
    }

    /** Checks names together if renames connect the names. */
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

    /** Returns the number of visited configurations. */
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
