package io.steadfs.lab.history;

import io.steadfs.error.FsError;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What operations do and answer, one after the other, as plainly as it can be written. Directories are empty here. */
final class PlainNames {
    private static final long DIRECTORY = -1;
    private static final long NOTHING = 0;

    private final Map<String, Long> things;

    PlainNames() {
        this(Map.of());
    }

    private PlainNames(Map<String, Long> things) {
        this.things = new TreeMap<>(things);
    }

    PlainNames copy() {
        return new PlainNames(things);
    }

    Answer apply(Action action) {
        if (action instanceof Action.Rename rename) {
            return rename(rename);
        }
        Optional<Long> there = Optional.ofNullable(things.get(action.path()));
        if (action instanceof Action.Create create) {
            if (there.isPresent() && there.get() == DIRECTORY) {
                return Answer.failed(FsError.IS_A_DIRECTORY);
            }
            if (there.isPresent() && !create.overwrite()) {
                return Answer.failed(FsError.ALREADY_EXISTS);
            }
            things.put(create.path(), create.fileId());
            return Answer.done();
        }
        if (action instanceof Action.MakeDirectory make) {
            if (there.isPresent() && (make.exclusive() || there.get() != DIRECTORY)) {
                return Answer.failed(FsError.ALREADY_EXISTS);
            }
            things.put(make.path(), DIRECTORY);
            return Answer.done();
        }
        if (action instanceof Action.Delete) {
            return things.remove(action.path()) == null ? Answer.failed(FsError.NOT_FOUND) : Answer.done();
        }
        return Answer.saw(there.map(PlainNames::seen).orElse(Seen.ABSENT));
    }

    private Answer rename(Action.Rename rename) {
        Long moved = things.get(rename.path());
        Long there = things.get(rename.target());
        if (moved == null) {
            return Answer.failed(FsError.NOT_FOUND);
        }
        if (rename.path().equals(rename.target())) {
            return Answer.done();
        }
        if (there != null && !rename.overwrite()) {
            return Answer.failed(FsError.ALREADY_EXISTS);
        }
        if (there != null && (there == DIRECTORY) != (moved == DIRECTORY)) {
            return Answer.failed(there == DIRECTORY ? FsError.IS_A_DIRECTORY : FsError.NOT_A_DIRECTORY);
        }
        things.remove(rename.path());
        things.put(rename.target(), moved);
        return Answer.done();
    }

    private static Seen seen(long thing) {
        return thing == DIRECTORY ? Seen.DIRECTORY : Seen.file(thing);
    }

    /** Whether this is what an operation is told that is done now. */
    boolean allows(Action action, Answer told) {
        if (told instanceof Answer.Refused refused) {
            return action instanceof Action.Rename rename
                    ? refuses(rename, refused.error())
                    : refuses(action, refused.error());
        }
        return copy().apply(action) instanceof Answer.Done right
                && told instanceof Answer.Done done
                && agree(right.seen(), done.seen());
    }

    private boolean refuses(Action action, FsError error) {
        long thing = things.getOrDefault(action.path(), NOTHING);
        boolean there = thing != NOTHING;
        boolean directory = thing == DIRECTORY;
        boolean anyDirectory = action instanceof Action.MakeDirectory make && !make.exclusive();
        return switch (error) {
            case NOT_FOUND, NOT_A_DIRECTORY -> !there;
            case ALREADY_EXISTS -> there && !(anyDirectory && directory);
            case IS_A_DIRECTORY, NOT_EMPTY -> directory;
            default -> true;
        };
    }

    private boolean refuses(Action.Rename rename, FsError error) {
        long source = things.getOrDefault(rename.path(), NOTHING);
        long target = things.getOrDefault(rename.target(), NOTHING);
        boolean both = source != NOTHING && target != NOTHING;
        return switch (error) {
            case NOT_FOUND -> source == NOTHING;
            case ALREADY_EXISTS -> both;
            case IS_A_DIRECTORY -> both && source != DIRECTORY && target == DIRECTORY;
            case NOT_EMPTY -> source == DIRECTORY && target == DIRECTORY;
            default -> true;
        };
    }

    private static boolean agree(Seen right, Seen told) {
        return switch (told.kind()) {
            case ANYTHING -> true;
            case SOMETHING -> right.kind() != Seen.Kind.ABSENT;
            case FILE -> right.kind() == Seen.Kind.THIS_FILE;
            default -> right.equals(told);
        };
    }
}
