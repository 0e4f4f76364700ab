package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides what is wrong with an object and its names. The decision uses what the servers showed in one look. */
final class NameVerdict {
    private NameVerdict() {}

    /**
     * A name that led to the object both before and after the object itself was read.
     *
     * @param shard the shard that has the name
     */
    record Name(int shard, CheckedEntry entry) {
        Handle directory() {
            return new Handle(entry.getDirectory());
        }

        /** The directory that users see. */
        Handle parent() {
            return new Handle(entry.getParent());
        }

        /** Whether the name is in the partition where lookups search for the name. */
        boolean isFound() {
            return entry.getMisplaced().isEmpty() && !entry.getUnreachable();
        }
    }

    /**
     * What the servers showed of an object in one look.
     *
     * @param before the object at the first read, which comes after the first read of names; empty if the object did
     *     not exist
     * @param after the object at the second read, which comes after all other reads; empty if the object did not exist
     * @param names the names that led to the object both at the first and at the second read of names
     * @param allNames true if all shards were searched for names of the object, and all rows of names could be read
     * @param noticed true if a message about the loss of the object's name is not delivered yet
     * @param touched true if the object got a name during the look
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

        /** Whether the object did not change during the look, so that a decision is possible. */
        boolean isSettled() {
            return !touched
                    && before.isPresent() == after.isPresent()
                    && before.filter(CheckedObject::getHeld).isEmpty()
                    && after.filter(CheckedObject::getHeld).isEmpty()
                    && names.stream().noneMatch(name -> name.entry().getHeld());
        }
    }

    /**
     * Whether an object contradicts its names, so that the check suspects the object. The object and the names may be
     * from different moments.
     */
    static boolean isOdd(CheckedObject object, List<Links.Link> names) {
        Links.Link name = names.get(0);
        return names.size() > 1 || name.type() != object.getType() || isMisplaced(object, name);
    }

    private static boolean isMisplaced(CheckedObject object, Links.Link name) {
        boolean isPartition = object.hasPartition() || name.isOfMap();
        return isPartition ? !isSame(object, name) : hasWrongParent(object, name.parent());
    }

    private static boolean isSame(CheckedObject object, Links.Link name) {
        return name.isOfMap()
                && object.hasPartition()
                && !object.getUnmapped()
                && object.getPartition().getDirectory() == name.directory().value()
                && object.getPartition().getNumber() == name.partition()
                && isDepth(object, name.depth())
                && (object.getPartition().getDepthUnknown() || Links.share(object.getPartition()) == name.share());
    }

    private static boolean isSame(CheckedObject object, CheckedPartitionRange range) {
        return !object.getUnmapped()
                && object.getPartition().getDirectory() == range.getDirectory()
                && object.getPartition().getNumber() == range.getNumber()
                && isDepth(object, range.getDepth())
                && object.getPartition().getOthersList().equals(range.getOthersList());
    }

    private static boolean isDepth(CheckedObject object, int depth) {
        return object.getPartition().getDepthUnknown() || object.getPartition().getDepth() == depth;
    }

    private static boolean hasWrongParent(CheckedObject object, Handle directory) {
        return object.getType() == FileType.DIRECTORY && object.getParent() != directory.value();
    }

    /** The findings about an object that did not change during the look; empty if the object is right. */
    static List<Finding> of(Handle object, Seen seen) {
        if (seen.after().isEmpty()) {
            return seen.names().stream().map(name -> dangling(object, name)).toList();
        }
        CheckedObject now = seen.after().get();
        if (!now.getUnreadable().isEmpty()) {
            // If the row cannot be decoded, the scan of objects reports the row. If the row is in a damaged file, this
            // method reports the row, but only if a name leads to the object.
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
        if (now.hasPartition() || name.entry().hasPartition()) {
            return ofPartition(object, now, name);
        }
        // If the directory of the name is lost, nobody knows whether it was a partition, and of which directory.
        return hasWrongParent(now, name.parent()) && !name.entry().getUnreachable()
                ? List.of(about(
                                FindingKind.WRONG_PARENT,
                                object,
                                name,
                                Words.name(name.entry()) + ", its row says in directory " + new Handle(now.getParent()))
                        .expecting(new Handle(now.getParent())))
                : List.of();
    }

    private static List<Finding> ofPartition(Handle object, CheckedObject now, Name name) {
        if (!name.entry().hasPartition()) {
            return List.of(about(
                    FindingKind.DANGLING_DIRENT,
                    object,
                    name,
                    Words.name(name.entry()) + " leads to a partition of directory "
                            + new Handle(now.getPartition().getDirectory())));
        }
        if (!now.hasPartition()) {
            return List.of(about(
                    FindingKind.DAMAGED_MAP,
                    object,
                    name,
                    Words.name(name.entry()) + " leads to directory " + object + ", which is no partition"));
        }
        return isSame(now, name.entry().getPartition())
                ? List.of()
                : List.of(new Finding(
                                FindingKind.UNMAPPED_PARTITION,
                                Finding.shard(object.shard()),
                                object,
                                name.directory(),
                                name.entry().getKey(),
                                Words.name(name.entry()) + " is " + object + ", whose shard says otherwise")
                        .in(RowTable.MAP));
    }

    /**
     * The finding about a directory that seems to be below itself. Empty if the directory is not below itself.
     *
     * @param above the directories on the way up, from the directory's parent to the directory itself
     * @param seen what the servers showed of each directory, in the same order
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
                name.entry().hasPartition() ? FindingKind.DAMAGED_MAP : FindingKind.DANGLING_DIRENT,
                object,
                name,
                Words.name(name.entry()) + " leads to "
                        + Words.type(name.entry().getType()) + " " + object + ", which is not there");
    }

    private static Finding nameless(Handle object, CheckedObject now) {
        if (now.hasPartition()) {
            Handle directory = new Handle(now.getPartition().getDirectory());
            return Finding.of(
                            FindingKind.LOST_PARTITION,
                            object.isOwnedByShard() ? Finding.shard(object.shard()) : "",
                            object,
                            directory,
                            "partition " + now.getPartition().getNumber() + " of directory " + directory
                                    + ", whose map does not lead to it")
                    .expecting(new Handle(now.getParent()));
        }
        boolean isFile = now.getType() == FileType.FILE;
        return Finding.of(
                        isFile ? FindingKind.ORPHAN_METAFILE : FindingKind.UNREACHABLE_DIRECTORY,
                        object.isOwnedByShard() ? Finding.shard(object.shard()) : "",
                        object,
                        isFile ? Handle.NONE : new Handle(now.getParent()),
                        isFile ? "file of " + now.getLength() + " bytes without a name" : "directory without a name")
                .expecting(new Handle(now.getParent()));
    }

    /**
     * Returns a finding for each name except the right name. Lookups must find the right name. If the object is a
     * directory, its row must also name the directory of the right name as the parent. If no name meets these
     * conditions, the first name counts as the right name.
     */
    private static List<Finding> more(Handle object, CheckedObject now, List<Name> names) {
        List<Name> more = new ArrayList<>(names);
        more.sort(Comparator.comparing((Name name) -> !name.isFound()).thenComparing(name -> Words.name(name.entry())));
        if (!object.equals(Handle.ROOT)) {
            more.remove(more.stream()
                    .filter(name -> name.isFound() && isRight(now, name))
                    .findFirst()
                    .orElse(more.get(0)));
        }
        String all =
                names.stream().map(name -> Words.name(name.entry())).sorted().collect(Collectors.joining(" and "));
        return more.stream()
                .map(name -> about(FindingKind.LINKED_TWICE, object, name, all))
                .toList();
    }

    private static boolean isRight(CheckedObject now, Name name) {
        return now.hasPartition()
                ? name.entry().hasPartition() && isSame(now, name.entry().getPartition())
                : !name.entry().hasPartition() && !hasWrongParent(now, name.parent());
    }

    private static Finding about(FindingKind kind, Handle object, Name name, String what) {
        return new Finding(
                        kind,
                        Finding.shard(name.shard()),
                        object,
                        name.directory(),
                        name.entry().getKey(),
                        what)
                .in(name.entry().hasPartition() ? RowTable.MAP : RowTable.DIRENT);
    }
}
