package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.FileType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NameVerdictTest {
    private static final Handle FILE = Handle.of(Handle.shardOwner(1), 1, 7);
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(1), 1, 8);
    private static final Handle HOME = Handle.of(Handle.shardOwner(0), 1, 9);
    private static final Handle ELSEWHERE = Handle.of(Handle.shardOwner(0), 1, 10);

    private static CheckedObject.Builder file() {
        return CheckedObject.newBuilder().setHandle(FILE.value()).setType(FileType.FILE);
    }

    private static CheckedObject.Builder directory() {
        return CheckedObject.newBuilder()
                .setHandle(DIRECTORY.value())
                .setType(FileType.DIRECTORY)
                .setParent(HOME.value());
    }

    private static NameVerdict.Name name(String name, Handle directory, Handle object, FileType type) {
        return new NameVerdict.Name(
                0,
                CheckedEntry.newBuilder()
                        .setDirectory(directory.value())
                        .setParent(directory.value())
                        .setName(name)
                        .setObject(object.value())
                        .setType(type)
                        .setKey(ByteString.copyFromUtf8(directory + name))
                        .build());
    }

    private static NameVerdict.Seen seen(Optional<CheckedObject.Builder> object, NameVerdict.Name... names) {
        Optional<CheckedObject> found = object.map(CheckedObject.Builder::build);
        return new NameVerdict.Seen(found, found, List.of(names), true, false, false);
    }

    private static List<FindingKind> kinds(Handle object, NameVerdict.Seen seen) {
        assertThat(seen.isSettled()).isTrue();
        return NameVerdict.of(object, seen).stream().map(Finding::kind).toList();
    }

    @Test
    void soundOnesAreNotFound() {
        assertThat(kinds(FILE, seen(Optional.of(file()), name("a", HOME, FILE, FileType.FILE))))
                .isEmpty();
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory()), name("a", HOME, DIRECTORY, FileType.DIRECTORY))))
                .isEmpty();
        assertThat(kinds(FILE, seen(Optional.empty()))).isEmpty();
        assertThat(kinds(Handle.ROOT, seen(Optional.of(directory().setHandle(Handle.ROOT.value())))))
                .isEmpty();
    }

    @Test
    void whatMovedIsNotSettled() {
        Optional<CheckedObject> found = Optional.of(file().build());
        assertThat(new NameVerdict.Seen(found, found, List.of(), true, false, true).isSettled())
                .isFalse();
        assertThat(new NameVerdict.Seen(found, Optional.empty(), List.of(), true, false, false).isSettled())
                .isFalse();
        assertThat(seen(Optional.of(file().setHeld(true))).isSettled()).isFalse();
        NameVerdict.Name held = new NameVerdict.Name(
                0,
                name("a", HOME, FILE, FileType.FILE).entry().toBuilder()
                        .setHeld(true)
                        .build());
        assertThat(seen(Optional.of(file()), held).isSettled()).isFalse();
    }

    @Test
    void withoutAName() {
        assertThat(kinds(FILE, seen(Optional.of(file())))).containsExactly(FindingKind.ORPHAN_METAFILE);
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory())))).containsExactly(FindingKind.UNREACHABLE_DIRECTORY);
    }

    @Test
    void whatIsAboutToGoIsNotWithoutAName() {
        assertThat(kinds(FILE, seen(Optional.of(file().setUnlinkedSession(3))))).isEmpty();
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory().setQueued(true)))))
                .isEmpty();
        Optional<CheckedObject> found = Optional.of(file().build());
        assertThat(kinds(FILE, new NameVerdict.Seen(found, found, List.of(), true, true, false)))
                .as("its shard is yet to be told")
                .isEmpty();
        assertThat(kinds(FILE, new NameVerdict.Seen(found, found, List.of(), false, false, false)))
                .as("not all names were looked at")
                .isEmpty();
    }

    @Test
    void aNameWithoutItsObject() {
        assertThat(kinds(FILE, seen(Optional.empty(), name("a", HOME, FILE, FileType.FILE))))
                .containsExactly(FindingKind.DANGLING_DIRENT);
    }

    @Test
    void ofSeveralNamesThatOfTheParentIsRight() {
        NameVerdict.Seen seen = seen(
                Optional.of(directory()),
                name("a", ELSEWHERE, DIRECTORY, FileType.DIRECTORY),
                name("b", HOME, DIRECTORY, FileType.DIRECTORY));

        List<Finding> findings = NameVerdict.of(DIRECTORY, seen);

        assertThat(findings).extracting(Finding::kind).containsExactly(FindingKind.LINKED_TWICE);
        assertThat(findings).extracting(Finding::other).containsExactly(ELSEWHERE);
    }

    @Test
    void ofSeveralNamesOfAFileOneStays() {
        NameVerdict.Seen seen = seen(
                Optional.of(file()),
                name("b", HOME, FILE, FileType.FILE),
                name("a", HOME, FILE, FileType.FILE),
                name("c", ELSEWHERE, FILE, FileType.FILE));

        assertThat(kinds(FILE, seen)).containsExactly(FindingKind.LINKED_TWICE, FindingKind.LINKED_TWICE);
    }

    @Test
    void typeAndParent() {
        assertThat(kinds(FILE, seen(Optional.of(file()), name("a", HOME, FILE, FileType.DIRECTORY))))
                .containsExactly(FindingKind.WRONG_TYPE);
        assertThat(kinds(
                        DIRECTORY, seen(Optional.of(directory()), name("a", ELSEWHERE, DIRECTORY, FileType.DIRECTORY))))
                .containsExactly(FindingKind.WRONG_PARENT);
        assertThat(kinds(
                        DIRECTORY,
                        seen(
                                Optional.of(directory()),
                                unreachable(name("a", ELSEWHERE, DIRECTORY, FileType.DIRECTORY)))))
                .as("what is lost may have been a partition of the parent")
                .isEmpty();
    }

    private static NameVerdict.Name unreachable(NameVerdict.Name name) {
        return new NameVerdict.Name(
                name.shard(), name.entry().toBuilder().setUnreachable(true).build());
    }

    private static final Handle PARTITION = Handle.of(Handle.shardOwner(1), 1, 11);

    private static CheckedPartitionRange range(int number, int depth) {
        return CheckedPartitionRange.newBuilder()
                .setDirectory(HOME.value())
                .setNumber(number)
                .setDepth(depth)
                .build();
    }

    private static CheckedObject.Builder partition() {
        return directory().setHandle(PARTITION.value()).setPartition(range(1, 1));
    }

    private static NameVerdict.Name entry(CheckedPartitionRange range, Handle object) {
        return new NameVerdict.Name(
                0,
                name("", HOME, object, FileType.DIRECTORY).entry().toBuilder()
                        .setPartition(range)
                        .build());
    }

    @Test
    void aPartitionHasItsNameInTheMap() {
        assertThat(kinds(PARTITION, seen(Optional.of(partition()), entry(range(1, 1), PARTITION))))
                .isEmpty();
        assertThat(kinds(PARTITION, seen(Optional.of(partition())))).containsExactly(FindingKind.LOST_PARTITION);
        assertThat(kinds(PARTITION, seen(Optional.empty(), entry(range(1, 1), PARTITION))))
                .containsExactly(FindingKind.DAMAGED_MAP);
        assertThat(kinds(PARTITION, seen(Optional.of(partition()), name("a", HOME, PARTITION, FileType.DIRECTORY))))
                .as("a name leads to it")
                .containsExactly(FindingKind.DANGLING_DIRENT);
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory()), entry(range(1, 1), DIRECTORY))))
                .as("the map leads to a directory that is none")
                .containsExactly(FindingKind.DAMAGED_MAP);
        assertThat(kinds(
                        PARTITION,
                        seen(
                                Optional.of(partition()),
                                name("a", HOME, PARTITION, FileType.DIRECTORY),
                                entry(range(1, 1), PARTITION))))
                .as("the map, and a name")
                .containsExactly(FindingKind.LINKED_TWICE);
    }

    @Test
    void aPartitionSaysWhatTheMapSays() {
        for (CheckedPartitionRange other : List.of(range(1, 2), range(3, 2))) {
            assertThat(kinds(PARTITION, seen(Optional.of(partition()), entry(other, PARTITION))))
                    .containsExactly(FindingKind.UNMAPPED_PARTITION);
        }
        assertThat(kinds(PARTITION, seen(Optional.of(partition().setUnmapped(true)), entry(range(1, 1), PARTITION))))
                .containsExactly(FindingKind.UNMAPPED_PARTITION);
    }

    /** A name in a partition is a name of the directory. */
    @Test
    void theParentIsTheDirectoryAndNotItsPartition() {
        NameVerdict.Name inPartition = new NameVerdict.Name(
                0,
                name("a", PARTITION, DIRECTORY, FileType.DIRECTORY).entry().toBuilder()
                        .setParent(HOME.value())
                        .build());
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory()), inPartition)))
                .isEmpty();
        assertThat(kinds(DIRECTORY, seen(Optional.of(directory().setParent(PARTITION.value())), inPartition)))
                .containsExactly(FindingKind.WRONG_PARENT);
    }

    @Test
    void aRingIsOneOnlyWhileEachNameIsInTheNext() {
        NameVerdict.Seen below = seen(Optional.of(directory()), name("below", HOME, DIRECTORY, FileType.DIRECTORY));
        NameVerdict.Seen above = seen(
                Optional.of(directory().setHandle(HOME.value()).setParent(DIRECTORY.value())),
                name("above", DIRECTORY, HOME, FileType.DIRECTORY));
        NameVerdict.Seen moved = seen(
                Optional.of(directory().setHandle(HOME.value()).setParent(Handle.ROOT.value())),
                name("above", Handle.ROOT, HOME, FileType.DIRECTORY));

        assertThat(NameVerdict.ofRing(List.of(HOME, DIRECTORY), List.of(above, below)))
                .extracting(Finding::kind)
                .containsExactly(FindingKind.UNREACHABLE_DIRECTORY);
        assertThat(NameVerdict.ofRing(List.of(HOME, DIRECTORY), List.of(moved, below)))
                .isEmpty();
    }
}
