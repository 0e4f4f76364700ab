package io.steadfs.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong histories are found, and told by the operations that show it. */
class PlantedTest {
    private static final String A = "/s/a";
    private static final String B = "/s/b";
    private static final String C = "/s/c";

    private final List<Operation> history = new ArrayList<>();

    private void did(String client, long begin, long end, Action action, Answer answer) {
        history.add(new Operation(client, begin, end, action, answer));
    }

    /** One after the other. */
    private void then(Action action, Answer answer) {
        long n = history.size() + 1L;
        did("client " + n, n * 10, n * 10 + 5, action, answer);
    }

    private static Action create(String path, long id) {
        return new Action.Create(path, id, false, false);
    }

    private static Action replace(String path, long id) {
        return new Action.Create(path, id, true, false);
    }

    private static Action delete(String path) {
        return new Action.Delete(path, false);
    }

    private static Action look(String path) {
        return new Action.Look(path);
    }

    private static Action rename(String source, String target) {
        return new Action.Rename(source, target, false);
    }

    private static Action replace(String source, String target) {
        return new Action.Rename(source, target, true);
    }

    private static Action makeDirectory(String path) {
        return new Action.MakeDirectory(path, true, false);
    }

    private static Answer refused(FsError error) {
        return Answer.failed(error);
    }

    private Verdict eachName() {
        return new HistoryCheck(10_000).eachName(history);
    }

    private Verdict joint() {
        return new HistoryCheck(10_000).joint(history);
    }

    /** By both checks, with nothing but these operations, by their numbers from 0 on. */
    private void isFound(int... enough) {
        for (Verdict verdict : List.of(eachName(), joint())) {
            assertThat(verdict.undecided()).isEmpty();
            assertThat(verdict.violations()).hasSize(1);
            List<Operation> expected = new ArrayList<>();
            for (int number : enough) {
                expected.add(history.get(number));
            }
            assertThat(verdict.violations().get(0).enough()).containsExactlyElementsOf(expected);
        }
    }

    private void isRight() {
        for (Verdict verdict : List.of(eachName(), joint())) {
            assertThat(verdict.undecided()).isEmpty();
            assertThat(verdict.violations()).isEmpty();
        }
    }

    @Test
    void createdFileThatIsNotThere() {
        then(delete(A), refused(FsError.NOT_FOUND));
        then(create(A, 7), Answer.done());
        then(look(A), Answer.saw(Seen.file(7)));
        then(look(A), refused(FsError.NOT_FOUND));
        then(create(A, 8), Answer.done());
        isFound(2, 3);
    }

    @Test
    void createdFileThatIsNotThereNorEverWas() {
        then(create(A, 7), Answer.done());
        then(look(B), refused(FsError.NOT_FOUND));
        then(look(A), refused(FsError.NOT_FOUND));
        isFound(0, 2);
    }

    @Test
    void fileThatNobodyMade() {
        then(look(A), Answer.saw(Seen.file(7)));
        isFound(0);
    }

    @Test
    void deletedFileThatIsThere() {
        then(create(A, 7), Answer.done());
        then(delete(A), Answer.done());
        then(look(A), Answer.saw(Seen.file(7)));
        isFound(1, 2);
    }

    @Test
    void oldFileAfterItWasReplaced() {
        then(create(A, 7), Answer.done());
        then(look(A), Answer.saw(Seen.file(7)));
        then(replace(A, 8), Answer.done());
        then(look(A), Answer.saw(Seen.file(7)));
        then(look(A), Answer.saw(Seen.file(8)));
        isFound(2, 3);
    }

    @Test
    void newThenOldFileWhileItIsReplaced() {
        then(create(A, 7), Answer.done());
        did("slow", 20, 100, replace(A, 8), Answer.done());
        did("first", 30, 40, look(A), Answer.saw(Seen.file(8)));
        did("second", 50, 60, look(A), Answer.saw(Seen.file(7)));
        for (Verdict verdict : List.of(eachName(), joint())) {
            assertThat(verdict.violations()).hasSize(1);
            assertThat(verdict.violations().get(0).enough()).contains(history.get(2), history.get(3));
        }
    }

    @Test
    void oldThenNewFileWhileItIsReplaced() {
        then(create(A, 7), Answer.done());
        did("slow", 20, 100, replace(A, 8), Answer.done());
        did("first", 30, 40, look(A), Answer.saw(Seen.file(7)));
        did("second", 50, 60, look(A), Answer.saw(Seen.file(8)));
        isRight();
    }

    @Test
    void twoCreatedOneName() {
        then(create(A, 7), Answer.done());
        then(create(A, 8), Answer.done());
        isFound(0, 1);
    }

    @Test
    void twoCreatedOneNameAtTheSameTime() {
        did("one", 10, 30, create(A, 7), Answer.done());
        did("other", 20, 40, create(A, 8), Answer.done());
        isFound(0, 1);
    }

    @Test
    void twoCreatedOneNameAndSomebodyMayHaveFreedIt() {
        did("one", 10, 30, create(A, 7), Answer.done());
        did("other", 20, 40, create(A, 8), Answer.done());
        did("lost", 0, Operation.NEVER, delete(A), Answer.unknown());
        isRight();
    }

    @Test
    void oneFileRenamedTwice() {
        then(create(A, 7), Answer.done());
        did("one", 20, 40, rename(A, B), Answer.done());
        did("other", 30, 50, rename(A, C), Answer.done());
        isFound(1, 2);
    }

    /** At its begin there is a file, at its end a directory; but never both. */
    @Test
    void renameOntoItselfThatMetAFileAndADirectory() {
        then(create(A, 7), Answer.done());
        did("lost", 20, Operation.NEVER, delete(A), Answer.unknown());
        did("other", 20, 90, makeDirectory(A), Answer.done());
        did("one", 10, 100, rename(A, A), refused(FsError.IS_A_DIRECTORY));
        for (Verdict verdict : List.of(eachName(), joint())) {
            assertThat(verdict.undecided()).isEmpty();
            assertThat(verdict.violations()).hasSize(1);
            assertThat(verdict.violations().get(0).enough()).containsExactly(history.get(3));
        }
    }

    @Test
    void unknownCreateThatTakesEffectTwice() {
        did("lost", 10, 20, create(A, 7), Answer.unknown());
        then(look(A), Answer.saw(Seen.ABSENT));
        then(look(A), Answer.saw(Seen.file(7)));
        then(delete(A), Answer.done());
        isRight();
        then(look(A), Answer.saw(Seen.file(7)));
        for (Verdict verdict : List.of(eachName(), joint())) {
            assertThat(verdict.violations()).hasSize(1);
            assertThat(verdict.violations().get(0).enough()).contains(history.get(4));
            assertThat(verdict.violations().get(0).toString()).contains("file 7 was there");
        }
    }

    @Test
    void refusalOfWhatIsFree() {
        then(create(A, 7), refused(FsError.ALREADY_EXISTS));
        isFound(0);
    }

    @Test
    void refusalThatNothingExplains() {
        then(makeDirectory(A), Answer.done());
        then(delete(A), Answer.done());
        then(delete(A), refused(FsError.NOT_EMPTY));
        isFound(1, 2);
    }

    @Test
    void onlyTheJointCheckSeesThatARenameBroughtAnotherFile() {
        then(create(A, 7), Answer.done());
        then(create(C, 8), Answer.done());
        then(rename(A, B), Answer.done());
        then(look(B), Answer.saw(Seen.file(8)));
        assertThat(eachName().violations()).isEmpty();
        assertThat(joint().violations()).hasSize(1);
        assertThat(joint().violations().get(0).enough())
                .containsExactly(history.get(0), history.get(2), history.get(3));
    }

    @Test
    void onlyTheJointCheckSeesARenameHalfDone() {
        then(create(A, 7), Answer.done());
        did("slow", 20, 100, rename(A, B), Answer.done());
        did("first", 30, 40, look(A), Answer.saw(Seen.ABSENT));
        did("second", 50, 60, look(B), Answer.saw(Seen.ABSENT));
        assertThat(eachName().violations()).isEmpty();
        assertThat(joint().violations()).hasSize(1);
        assertThat(joint().violations().get(0).names()).containsExactly(A, B);
    }

    @Test
    void onlyTheJointCheckSeesHalfOfAnUnknownRename() {
        then(create(A, 7), Answer.done());
        did("lost", 20, Operation.NEVER, replace(A, B), Answer.unknown());
        then(look(A), Answer.saw(Seen.file(7)));
        then(look(B), Answer.saw(Seen.file(7)));
        isRightAfterSwap();
        then(look(A), Answer.saw(Seen.file(7)));
        assertThat(eachName().violations()).isEmpty();
        assertThat(joint().violations()).hasSize(1);
    }

    private void isRightAfterSwap() {
        assertThat(eachName().violations()).isEmpty();
        assertThat(joint().violations()).isEmpty();
    }

    @Test
    void renameOfWhatIsMissing() {
        then(create(A, 7), Answer.done());
        then(rename(A, B), refused(FsError.NOT_FOUND));
        isFound(0, 1);
    }

    @Test
    void renameOntoItself() {
        then(create(A, 7), Answer.done());
        then(rename(A, A), Answer.done());
        then(look(A), Answer.saw(Seen.file(7)));
        isRight();
        then(delete(A), Answer.done());
        then(rename(A, A), Answer.done());
        isFound(3, 4);
    }

    @Test
    void directoryReplacesNoFile() {
        then(create(A, 7), Answer.done());
        then(makeDirectory(B), Answer.done());
        then(replace(A, B), Answer.done());
        assertThat(joint().violations()).hasSize(1);
    }

    @Test
    void nameOfAReplacedFileMayBeLeftOutOfAListing() {
        then(create(A, 7), Answer.done());
        did("slow", 20, 40, replace(A, 8), Answer.done());
        did("lists", 30, 50, new Action.Listed(A), Answer.saw(Seen.ABSENT));
        isRight();
        did("lists", 60, 70, new Action.Listed(A), Answer.saw(Seen.ABSENT));
        isFound(1, 3);
    }

    @Test
    void whoReachedANameMetItsDirectory() {
        then(makeDirectory("/s"), Answer.done());
        then(look("/s"), refused(FsError.NOT_FOUND));
        isFound(0, 1);
        history.clear();
        then(makeDirectory("/s"), Answer.done());
        then(create(A, 7), Answer.done());
        then(look("/s"), refused(FsError.NOT_FOUND));
        isFound(1, 2);
    }

    @Test
    void directoryOnTheWayIsMadeWhereThatIsWanted() {
        then(new Action.Create(A, 7, false, true), Answer.done());
        then(makeDirectory("/s"), refused(FsError.ALREADY_EXISTS));
        then(new Action.MakeDirectory("/s", false, false), Answer.done());
        isRight();
        history.clear();
        then(new Action.Create(A, 7, false, true), Answer.unknown());
        then(look("/s"), Answer.saw(Seen.DIRECTORY));
        then(look(A), Answer.saw(Seen.ABSENT));
        isRight();
    }

    @Test
    void namesBelowADirectoryThatMovesAreCountedOnly() {
        then(makeDirectory("/s"), Answer.done());
        then(create(A, 7), Answer.done());
        then(rename("/s", "/t"), Answer.done());
        then(look(A), Answer.saw(Seen.file(8)));
        Verdict verdict = eachName();
        assertThat(verdict.names()).isEqualTo(2);
        assertThat(verdict.unsteadyNames()).isEqualTo(1);
        assertThat(verdict.violations())
                .as("who sees a name in it has met the directory")
                .hasSize(1);
    }

    @Test
    void oneViolationDoesNotHideTheNext() {
        then(look(A), Answer.saw(Seen.file(7)));
        then(create(A, 8), Answer.done());
        then(look(A), Answer.saw(Seen.file(8)));
        then(look(A), Answer.saw(Seen.ABSENT));
        assertThat(eachName().violations()).hasSize(2);
    }

    @Test
    void tooMuchWorkIsUndecidedAndNotRight() {
        for (int i = 0; i < 12; i++) {
            did("creates " + i, 0, 100, replace(A, i + 1), Answer.done());
            did("looks " + i, 0, 100, look(A), Answer.saw(Seen.file(i + 1)));
        }
        Verdict verdict = new HistoryCheck(100).eachName(history);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.undecided()).isNotEmpty();
        assertThat(verdict.undecided().get(0)).contains(A, "given up at");
    }

    @Test
    void violationIsToldInWords() {
        then(create(A, 0x2a), Answer.done());
        then(delete(A), refused(FsError.NOT_FOUND));
        assertThat(eachName().violations()).singleElement().asString().isEqualTo("""
                /s/a: no order of these operations explains what they answered:
                           0.000 to          0.000 ms  client 1: creates /s/a as file 2a: done
                           0.000 to          0.000 ms  client 2: deletes /s/a: NOT_FOUND""");
    }
}
