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
 * Checks whether there is an order of all operations in which every answer is right. Each operation must happen at one
 * moment between its begin and its end. At first, nothing exists at any name.
 *
 * <p>{@link #eachName} checks each name separately, and is meant for long histories. In {@link #eachName}, a rename
 * counts as two steps at separate moments. The first step of a rename takes something from the source. The second step
 * of a rename brings something to the target. So {@link #eachName} does not notice if the target gets another file than
 * the source had.
 *
 * <p>{@link #joint} checks all names that renames connect as one group. In {@link #joint}, a rename counts as one step.
 * The joint check is exact, and is meant for histories of some hundred operations.
 *
 * <p>The following is not checked:
 *
 * <ul>
 *   <li>Names below a directory that was moved or deleted, or may have been. A running operation may reach an object
 *       that has another name in the meantime.
 *   <li>Whether a directory is empty when the directory must be empty, because the names in a directory are checked
 *       separately.
 *   <li>Bytes and lengths of files.
 *   <li>Refusals for another reason than what is at the name.
 * </ul>
 *
 * <p>If too many configurations must be visited at an operation, the check gives the operation up. {@link
 * Verdict#undecided} names the operation. The check goes on after the operation.
 */
public final class HistoryCheck {
    /**
     * Largest number of configurations for one operation. The number was large enough for all histories so far, see
     * docs/testing.md.
     */
    public static final long MOST_CONFIGURATIONS = 20_000;

    private static final int MOST_OF_ONE = 5;
    private static final long MOST_FOR_SHORTENING = 20_000;

    private final long mostConfigurations;

    /**
     * @param mostConfigurations largest number of configurations of a group of names for one operation; a hundred times
     *     as many are allowed for all operations
     */
    public HistoryCheck(long mostConfigurations) {
        this.mostConfigurations = mostConfigurations;
    }

    /** Checks every name separately. */
    public Verdict eachName(List<Operation> operations) {
        Tree tree = new Tree(operations);
        return check(operations, tree, Places.apart(steady(operations, tree)));
    }

    /** Checks all names that renames connect as one group. */
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

    /** Checks a group of names. Returns the number of visited configurations. */
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
