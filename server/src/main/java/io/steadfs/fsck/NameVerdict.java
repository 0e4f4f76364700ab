package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.FileType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is wrong with an object and its names, by what was seen of them while nobody gave it another name. */
final class NameVerdict {
    private NameVerdict() {}

    /**
     * A name that led to the object before and after the object was looked at.
     *
     * @param shard where it is
     */
    record Name(int shard, CheckedEntry entry) {
        Handle directory() {
            return new Handle(entry.getDirectory());
        }

        /** Whether it is where it is looked for. */
        boolean isFound() {
            return entry.getMisplaced().isEmpty() && !entry.getUnreachable();
        }
    }

    /**
     * What was seen of an object.
     *
     * @param before behind the first look at its names; empty where it was not there
     * @param after behind everything else
     * @param names all that were seen, or all that were known
     * @param allNames whether these are all that there are
     * @param noticed a shard is yet to tell the object's that the object lost its name
     * @param touched it got a name meanwhile
     */
    record Seen(
            Optional<CheckedObject> before,
            Optional<CheckedObject> after,
            List<Name> names,
            boolean allNames,
            boolean noticed,
            boolean touched) {
        Seen {
            names = List.copyOf(names);
        }

        /** Whether it stood still, so that one can tell. */
        boolean isSettled() {
            return !touched
                    && before.isPresent() == after.isPresent()
                    && before.filter(CheckedObject::getHeld).isEmpty()
                    && after.filter(CheckedObject::getHeld).isEmpty()
                    && names.stream().noneMatch(name -> name.entry().getHeld());
        }
    }

    /** Whether names of other moments than the object's make one look again. */
    static boolean isOdd(CheckedObject object, List<Links.Link> names) {
        return names.size() > 1
                || names.get(0).type() != object.getType()
                || hasWrongParent(object, names.get(0).directory());
    }

    private static boolean hasWrongParent(CheckedObject object, Handle directory) {
        return object.getType() == FileType.DIRECTORY && object.getParent() != directory.value();
    }

    /** Of what is settled; mostly nothing. */
    static List<Finding> of(Handle object, Seen seen) {
        if (seen.after().isEmpty()) {
            return seen.names().stream().map(name -> dangling(object, name)).toList();
        }
        CheckedObject now = seen.after().get();
        if (!now.getUnreadable().isEmpty()) {
            // A row that is none is told where objects are scanned; of one that is not seen there only names tell.
            return now.getDamaged() && !seen.names().isEmpty() ? List.of(unreadable(object, now)) : List.of();
        }
        if (seen.names().isEmpty()) {
            boolean mayBe = !seen.allNames()
                    || seen.noticed()
                    || now.getQueued()
                    || now.getUnlinkedSession() != 0
                    || object.equals(Handle.ROOT);
            return mayBe ? List.of() : List.of(nameless(object, now));
        }
        if (seen.names().size() > 1 || object.equals(Handle.ROOT)) {
            return more(object, now, seen.names());
        }
        Name name = seen.names().get(0);
        if (name.entry().getType() != now.getType()) {
            return List.of(about(
                    FindingKind.WRONG_TYPE,
                    object,
                    name,
                    Words.name(name.entry()) + " says it is a "
                            + Words.type(name.entry().getType()) + ", it is a " + Words.type(now.getType())));
        }
        return hasWrongParent(now, name.directory())
                ? List.of(about(
                                FindingKind.WRONG_PARENT,
                                object,
                                name,
                                Words.name(name.entry()) + ", its row says in directory " + new Handle(now.getParent()))
                        .expecting(new Handle(now.getParent())))
                : List.of();
    }

    /**
     * Of directories that are below each other as it seems.
     *
     * @param above from the parent of the last one up to the last one
     * @param seen of each, in that order
     */
    static List<Finding> ofRing(List<Handle> above, List<Seen> seen) {
        Handle directory = above.get(above.size() - 1);
        for (int i = 0; i < above.size(); i++) {
            List<Name> names = seen.get((i + above.size() - 1) % above.size()).names();
            if (names.size() != 1 || !names.get(0).directory().equals(above.get(i))) {
                return List.of();
            }
        }
        Name name = seen.get(above.size() - 1).names().get(0);
        return List.of(about(
                        FindingKind.UNREACHABLE_DIRECTORY,
                        directory,
                        name,
                        "directory " + directory + " is below itself, " + above.size() + " up")
                .expecting(seen.get(above.size() - 1)
                        .after()
                        .map(now -> new Handle(now.getParent()))
                        .orElse(Handle.NONE)));
    }

    private static Finding unreadable(Handle object, CheckedObject now) {
        return Finding.of(
                        FindingKind.UNREADABLE_ROWS,
                        Finding.shard(object.shard()),
                        object,
                        Handle.NONE,
                        Words.OBJECT + now.getUnreadable())
                .in(RowTable.INODE);
    }

    private static Finding dangling(Handle object, Name name) {
        return about(
                FindingKind.DANGLING_DIRENT,
                object,
                name,
                Words.name(name.entry()) + " leads to "
                        + Words.type(name.entry().getType()) + " " + object + ", which is not there");
    }

    private static Finding nameless(Handle object, CheckedObject now) {
        boolean isFile = now.getType() == FileType.FILE;
        return Finding.of(
                        isFile ? FindingKind.ORPHAN_METAFILE : FindingKind.UNREACHABLE_DIRECTORY,
                        object.isOwnedByShard() ? Finding.shard(object.shard()) : "",
                        object,
                        isFile ? Handle.NONE : new Handle(now.getParent()),
                        isFile ? "file of " + now.getLength() + " bytes without a name" : "directory without a name")
                .expecting(new Handle(now.getParent()));
    }

    /** Each name but the right one: where it is looked for, of a directory the one that its row says, else the first. */
    private static List<Finding> more(Handle object, CheckedObject now, List<Name> names) {
        List<Name> more = new ArrayList<>(names);
        more.sort(Comparator.comparing((Name name) -> !name.isFound()).thenComparing(name -> Words.name(name.entry())));
        if (!object.equals(Handle.ROOT)) {
            more.remove(more.stream()
                    .filter(name -> name.isFound() && !hasWrongParent(now, name.directory()))
                    .findFirst()
                    .orElse(more.get(0)));
        }
        String all =
                names.stream().map(name -> Words.name(name.entry())).sorted().collect(Collectors.joining(" and "));
        return more.stream()
                .map(name -> about(FindingKind.LINKED_TWICE, object, name, all))
                .toList();
    }

    private static Finding about(FindingKind kind, Handle object, Name name, String what) {
        return new Finding(
                        kind,
                        Finding.shard(name.shard()),
                        object,
                        name.directory(),
                        name.entry().getKey(),
                        what)
                .in(RowTable.DIRENT);
    }
}
