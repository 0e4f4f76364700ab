package io.steadfs.lab.history;

import io.steadfs.error.FsError;
import io.steadfs.lab.history.Places.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Translates each operation into steps on the checked names. An operation that reached a name also tells that the
 * directories above the name exist. A refusal tells what had the name. If a refusal can have several causes, it tells
 * only what all causes have in common.
 */
final class Steps {
    private final Tree tree;
    private final Places places;
    private final List<List<Timed>> groups = new ArrayList<>();
    private final List<Map<Long, Integer>> files = new ArrayList<>();
    private final Map<String, List<Operation>> replacers = new HashMap<>();
    private final Set<Operation> telling = new HashSet<>();

    Steps(List<Operation> operations, Tree tree, Places places) {
        this.tree = tree;
        this.places = places;
        places.groups().forEach(group -> {
            groups.add(new ArrayList<>());
            files.add(new HashMap<>());
        });
        operations.forEach(this::replaces);
        operations.forEach(this::add);
    }

    /** Returns the steps of a group of names. */
    List<Timed> of(int group) {
        return groups.get(group);
    }

    /** Returns the number of operations that tell anything. */
    int operations() {
        return telling.size();
    }

    private void replaces(Operation operation) {
        if (!operation.mayChange()) {
            return;
        }
        if (operation.action() instanceof Action.Create create && create.overwrite()) {
            replacer(create.path(), operation);
        } else if (operation.action() instanceof Action.Rename rename && rename.overwrite()) {
            replacer(rename.target(), operation);
        }
    }

    private void replacer(String path, Operation operation) {
        replacers.computeIfAbsent(path, key -> new ArrayList<>()).add(operation);
    }

    private void add(Operation operation) {
        if (operation.action() instanceof Action.Rename rename) {
            rename(operation, rename);
        } else if (operation.answer() instanceof Answer.Refused refused) {
            parentsPerhaps(operation);
            look(operation, operation.action().path(), refusal(operation.action(), refused.error()));
        } else if (operation.mayChange()) {
            change(operation);
            parents(operation, operation.action().path());
        } else if (operation.answer() instanceof Answer.Done done) {
            look(operation, done.seen());
        }
    }

    private void change(Operation operation) {
        String path = operation.action().path();
        Optional<Place> at = places.of(path);
        if (at.isEmpty()) {
            return;
        }
        int name = at.get().number();
        if (operation.action() instanceof Action.Create create) {
            Step.Before before = create.overwrite() ? Step.Before.FILE : Step.Before.NOTHING;
            int file = contents(at.get(), Seen.file(create.fileId()));
            put(operation, at.get(), new Step.Put(name, before, file));
        } else if (operation.action() instanceof Action.MakeDirectory make) {
            Step.Before before = make.exclusive() ? Step.Before.NOTHING : Step.Before.DIRECTORY;
            put(operation, at.get(), new Step.Put(name, before, Contents.DIRECTORY));
        } else {
            put(operation, at.get(), new Step.Take(name));
        }
    }

    private void rename(Operation operation, Action.Rename rename) {
        if (operation.answer() instanceof Answer.Refused refused) {
            refusedRename(operation, rename, refused.error());
        } else if (rename.path().equals(rename.target())) {
            if (operation.answer() instanceof Answer.Done) {
                look(operation, rename.path(), Seen.SOMETHING);
            }
        } else {
            Optional<Place> source = places.of(rename.path());
            Optional<Place> target = places.of(rename.target());
            if (source.isPresent()
                    && target.isPresent()
                    && source.get().group() == target.get().group()) {
                Step move = new Step.Move(source.get().number(), target.get().number(), rename.overwrite());
                put(operation, source.get(), move);
            } else {
                source.ifPresent(at -> put(operation, at, new Step.Take(at.number())));
                target.ifPresent(at -> put(operation, at, new Step.Receive(at.number(), rename.overwrite())));
            }
            parents(operation, rename.path());
            parents(operation, rename.target());
        }
    }

    private void refusedRename(Operation operation, Action.Rename rename, FsError error) {
        switch (error) {
            case NOT_FOUND -> {
                if (tree.parentIsAlwaysThere(rename.target())) {
                    look(operation, rename.path(), Seen.ABSENT);
                }
            }
            case ALREADY_EXISTS -> lookAtBoth(operation, rename, Seen.SOMETHING, Seen.SOMETHING);
            case IS_A_DIRECTORY -> lookAtBoth(operation, rename, Seen.FILE, Seen.DIRECTORY);
            case NOT_EMPTY -> lookAtBoth(operation, rename, Seen.DIRECTORY, Seen.DIRECTORY);
            default -> {}
        }
    }

    private void lookAtBoth(Operation operation, Action.Rename rename, Seen source, Seen target) {
        Optional<Place> from = places.of(rename.path());
        Optional<Place> to = places.of(rename.target());
        if (from.isPresent() && to.isPresent() && from.get().group() == to.get().group()) {
            Step.Look one = new Step.Look(from.get().number(), contents(from.get(), source));
            Step.Look other = new Step.Look(to.get().number(), contents(to.get(), target));
            put(operation, from.get(), new Step.LookAtBoth(one, other));
        } else {
            look(operation, rename.path(), source);
            look(operation, rename.target(), target);
        }
    }

    /** Returns what had the name when the server refused the operation. */
    private static Seen refusal(Action action, FsError error) {
        boolean mayMiss = !action.makesParents();
        return switch (error) {
            case NOT_FOUND -> mayMiss ? Seen.ABSENT : Seen.ANYTHING;
            case NOT_A_DIRECTORY -> Seen.ABSENT;
            case ALREADY_EXISTS ->
                action instanceof Action.MakeDirectory make && !make.exclusive() ? Seen.FILE : Seen.SOMETHING;
            case IS_A_DIRECTORY, NOT_EMPTY -> Seen.DIRECTORY;
            case FILE_OPEN -> Seen.FILE;
            default -> Seen.ANYTHING;
        };
    }

    private void look(Operation operation, Seen seen) {
        String path = operation.action().path();
        boolean leftOut = seen.equals(Seen.ABSENT)
                && operation.action() instanceof Action.Listed
                && replacers.getOrDefault(path, List.of()).stream().anyMatch(one -> overlap(one, operation));
        if (!leftOut) {
            look(operation, path, seen);
        }
        if (!seen.equals(Seen.ABSENT) && !seen.equals(Seen.ANYTHING)) {
            parents(operation, path);
        }
    }

    private static boolean overlap(Operation change, Operation look) {
        boolean late = change.answer() instanceof Answer.Unknown;
        return change.beginNanos() <= look.endNanos() && (late || change.endNanos() >= look.beginNanos());
    }

    private void look(Operation operation, String path, Seen seen) {
        if (seen.equals(Seen.ANYTHING)) {
            return;
        }
        places.of(path).ifPresent(at -> put(operation, at, new Step.Look(at.number(), contents(at, seen))));
    }

    /** Adds steps for the directories above a name that an operation reached or may have reached. */
    private void parents(Operation operation, String path) {
        if (operation.answer() instanceof Answer.Unknown) {
            parentsPerhaps(operation);
            return;
        }
        for (String parent : Tree.above(path)) {
            places.of(parent).ifPresent(at -> {
                Step step = operation.action().makesParents()
                        ? new Step.Put(at.number(), Step.Before.DIRECTORY, Contents.DIRECTORY)
                        : new Step.Look(at.number(), Contents.DIRECTORY);
                put(operation, at, step);
            });
        }
    }

    /** Adds steps for directories that an operation may have created although the operation itself was not done. */
    private void parentsPerhaps(Operation operation) {
        if (operation.action().makesParents()) {
            for (String parent : Tree.above(operation.action().path())) {
                places.of(parent).ifPresent(at -> {
                    Step step = new Step.Put(at.number(), Step.Before.DIRECTORY, Contents.DIRECTORY);
                    timed(operation, at, step, Operation.NEVER);
                });
            }
        }
    }

    private void put(Operation operation, Place at, Step step) {
        timed(
                operation,
                at,
                step,
                operation.answer() instanceof Answer.Unknown ? Operation.NEVER : operation.endNanos());
    }

    private void timed(Operation operation, Place at, Step step, long endNanos) {
        groups.get(at.group()).add(new Timed(step, operation.beginNanos(), endNanos, operation));
        telling.add(operation);
    }

    private int contents(Place at, Seen seen) {
        return switch (seen.kind()) {
            case ANYTHING -> Contents.ANYTHING;
            case ABSENT -> Contents.ABSENT;
            case SOMETHING -> Contents.SOMETHING;
            case DIRECTORY -> Contents.DIRECTORY;
            case FILE -> Contents.FILE;
            case THIS_FILE -> {
                Map<Long, Integer> known = files.get(at.group());
                yield known.computeIfAbsent(seen.fileId(), id -> Contents.FIRST_FILE + known.size());
            }
        };
    }
}
