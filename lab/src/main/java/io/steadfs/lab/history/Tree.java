package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Answers how operations affect the directories above a name. */
final class Tree {
    private final Set<String> changed = new HashSet<>();
    private final Set<String> unsteady = new HashSet<>();

    Tree(List<Operation> operations) {
        for (Operation operation : operations) {
            if (operation.mayChange()) {
                add(operation.action());
            }
        }
    }

    private void add(Action action) {
        changed.add(action.path());
        if (action instanceof Action.Delete) {
            unsteady.add(action.path());
        } else if (action instanceof Action.Rename rename) {
            changed.add(rename.target());
            unsteady.add(rename.path());
            unsteady.add(rename.target());
        }
        if (action.makesParents()) {
            changed.addAll(above(action.path()));
        }
    }

    /** Returns whether no operation deleted or moved a directory above the name. */
    boolean isSteady(String path) {
        return above(path).stream().noneMatch(unsteady::contains);
    }

    /**
     * Returns whether no operation changed a directory above the name. All of these directories then exist the whole
     * time.
     */
    boolean parentIsAlwaysThere(String path) {
        return above(path).stream().noneMatch(changed::contains);
    }

    /** Returns the directories above a name, without the root. */
    static List<String> above(String path) {
        List<String> all = new ArrayList<>();
        for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
            all.add(path.substring(0, end));
        }
        return all;
    }
}
