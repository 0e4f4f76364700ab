package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.RenameMode;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What no order explains is found by both searches; what some order explains is not. */
class LinearizationTest {
    private static final int SHORT_ONES = 20_000;
    private static final int LONG_ONES = 60;
    private static final int FEW_CONFIGURATIONS = 20_000;
    private static final List<Step.IoOperation> OF_DIRECTORIES =
            List.of(Step.IoOperation.AWAY, Step.IoOperation.BACK, Step.IoOperation.CLOSE, Step.IoOperation.OPEN);
    private static final List<Step.IoOperation> VERBS = List.of(
            Step.IoOperation.CREATE,
            Step.IoOperation.CREATE,
            Step.IoOperation.DELETE,
            Step.IoOperation.RENAME,
            Step.IoOperation.STAT,
            Step.IoOperation.STAT,
            Step.IoOperation.AWAY,
            Step.IoOperation.BACK,
            Step.IoOperation.CLOSE,
            Step.IoOperation.OPEN);
    private static final List<FsError> ANSWERS =
            List.of(FsError.NOT_FOUND, FsError.ALREADY_EXISTS, FsError.PERMISSION_DENIED);

    private final List<Act> acts = new ArrayList<>();

    private void did(Step.IoOperation verb, int name, int other, long begin, long end, FsError answer, long handle) {
        add(verb, name, other, begin, end, Optional.of(answer), new Handle(handle));
    }

    private void untold(Step.IoOperation verb, int name, int other, long begin) {
        add(verb, name, other, begin, Act.NEVER, Optional.empty(), Handle.NONE);
    }

    private void add(
            Step.IoOperation verb, int name, int other, long begin, long end, Optional<FsError> answer, Handle handle) {
        boolean directory = verb == Step.IoOperation.MKDIR;
        acts.add(new Act(
                "client", "alice", verb, name, other, RenameMode.NO_REPLACE, begin, end, answer, handle, directory));
    }

    /** Of both searches. */
    private Linearization.Verdict verdict() {
        Linearization.Verdict verdict = new Linearization(acts).search();
        boolean explained = CheckedHistory.verdict(acts).violations().isEmpty();
        assertThat(explained).as("the history checker").isEqualTo(verdict == Linearization.Verdict.EXPLAINED);
        return verdict;
    }

    @Test
    void staleRead() {
        did(Step.IoOperation.CREATE, 0, 0, 0, 10, FsError.OK, 7);
        did(Step.IoOperation.STAT, 0, 0, 20, 30, FsError.NOT_FOUND, 0);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    @Test
    void readBesideTheCreateSeesEither() {
        did(Step.IoOperation.CREATE, 0, 0, 0, 30, FsError.OK, 7);
        did(Step.IoOperation.STAT, 0, 0, 10, 20, FsError.NOT_FOUND, 0);
        did(Step.IoOperation.STAT, 0, 0, 22, 25, FsError.OK, 7);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.EXPLAINED);
        did(Step.IoOperation.STAT, 0, 0, 26, 28, FsError.NOT_FOUND, 0);
        assertThat(verdict()).as("seen, and then not").isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    @Test
    void twoWinnersOfOneName() {
        did(Step.IoOperation.CREATE, 0, 0, 0, 30, FsError.OK, 7);
        did(Step.IoOperation.CREATE, 0, 0, 10, 40, FsError.OK, 8);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
        did(Step.IoOperation.DELETE, 0, 0, 5, 35, FsError.OK, 0);
        assertThat(verdict()).as("with a delete between").isEqualTo(Linearization.Verdict.EXPLAINED);
    }

    @Test
    void twoRenamesOfOneFile() {
        did(Step.IoOperation.CREATE, 0, 0, 0, 5, FsError.OK, 7);
        did(Step.IoOperation.RENAME, 0, 1, 10, 30, FsError.OK, 0);
        did(Step.IoOperation.RENAME, 0, 2, 10, 30, FsError.OK, 0);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    @Test
    void untoldOperationMayHappenLateOrNever() {
        untold(Step.IoOperation.CREATE, 0, 0, 0);
        did(Step.IoOperation.STAT, 0, 0, 100, 110, FsError.NOT_FOUND, 0);
        assertThat(verdict()).as("never").isEqualTo(Linearization.Verdict.EXPLAINED);
        did(Step.IoOperation.STAT, 0, 0, 120, 130, FsError.OK, 9);
        assertThat(verdict()).as("late").isEqualTo(Linearization.Verdict.EXPLAINED);
        did(Step.IoOperation.DELETE, 0, 0, 140, 150, FsError.OK, 0);
        did(Step.IoOperation.STAT, 0, 0, 160, 170, FsError.OK, 9);
        assertThat(verdict()).as("twice").isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    @Test
    void refusalWithoutReason() {
        did(Step.IoOperation.MKDIR, 0, 0, 0, 10, FsError.ALREADY_EXISTS, 0);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    @Test
    void anotherFileUnderTheName() {
        did(Step.IoOperation.CREATE, 0, 0, 0, 10, FsError.OK, 7);
        did(Step.IoOperation.CREATE, 1, 0, 0, 10, FsError.OK, 8);
        did(Step.IoOperation.STAT, 0, 0, 20, 30, FsError.OK, 8);
        assertThat(verdict()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    /** A close of a closed directory changes nothing at first, but it does behind an open. */
    @Test
    void aCloseMayComeBehindAnOpenBesideIt() {
        byRoot(Step.IoOperation.CLOSE, 0, 5);
        byRoot(Step.IoOperation.OPEN, 10, 30);
        byRoot(Step.IoOperation.CLOSE, 12, 28);
        did(Step.IoOperation.STAT, 0, 0, 40, 50, FsError.PERMISSION_DENIED, 0);
        assertThat(new Linearization(acts).search()).isEqualTo(Linearization.Verdict.EXPLAINED);

        byRoot(Step.IoOperation.OPEN, 60, 70);
        did(Step.IoOperation.STAT, 0, 0, 80, 90, FsError.PERMISSION_DENIED, 0);
        assertThat(new Linearization(acts).search()).isEqualTo(Linearization.Verdict.UNEXPLAINED);
    }

    /** Told and untold operations on two directories, as trying every order judges them. */
    @Test
    void shortHistoriesAreJudgedAsByTryingEveryOrder() {
        SplittableRandom random = new SplittableRandom(30);
        int unexplained = 0;
        for (int i = 0; i < SHORT_ONES; i++) {
            acts.clear();
            for (int number = 2 + random.nextInt(5); number > 0; number--) {
                acts.add(random(random));
            }
            acts.sort(Comparator.comparingLong(Act::beginNanos));
            boolean explained = isExplained(new Namespace(acts), new BitSet(), Namespace.empty());
            assertThat(new Linearization(acts).search())
                    .as("%s", acts)
                    .isEqualTo(explained ? Linearization.Verdict.EXPLAINED : Linearization.Verdict.UNEXPLAINED);
            unexplained += explained ? 0 : 1;
        }
        assertThat(unexplained).isBetween(SHORT_ONES / 10, SHORT_ONES * 9 / 10);
    }

    /** Histories that happened, of which clients were not told much. The first search alone gives up on some. */
    @Test
    void anOrderIsFoundWhereMuchWasNeverTold() {
        SplittableRandom random = new SplittableRandom(31);
        int givenUp = 0;
        int found = 0;
        for (int i = 0; i < LONG_ONES; i++) {
            acts.clear();
            happened(random);
            if (new Linearization(acts, FEW_CONFIGURATIONS).searchOnce() == Linearization.Verdict.UNDECIDED) {
                givenUp++;
                found +=
                        new Linearization(acts, FEW_CONFIGURATIONS).search() == Linearization.Verdict.EXPLAINED ? 1 : 0;
            }
        }
        assertThat(givenUp).as("histories that one search does not decide").isPositive();
        assertThat(found).isEqualTo(givenUp);
    }

    /** Adds operations on a few names, each done at its time, if at all. */
    private void happened(SplittableRandom random) {
        long[] handles = new long[4];
        for (int number = 1; number <= 100; number++) {
            long at = 10L * number;
            long begin = Math.max(0, at - random.nextInt(60));
            int name = random.nextInt(handles.length);
            Step.IoOperation verb = VERBS.get(random.nextInt(3));
            boolean stats = random.nextInt(3) == 0;
            if (!stats && random.nextInt(2) == 0) {
                if (random.nextBoolean()) {
                    change(handles, name, verb, number);
                }
                untold(verb, name, 0, begin);
                continue;
            }
            FsError answer =
                    stats ? handles[name] == 0 ? FsError.NOT_FOUND : FsError.OK : change(handles, name, verb, number);
            boolean isSeen = answer == FsError.OK && (stats || verb == Step.IoOperation.CREATE);
            did(
                    stats ? Step.IoOperation.STAT : verb,
                    name,
                    0,
                    begin,
                    at + random.nextInt(60),
                    answer,
                    isSeen ? handles[name] : 0);
        }
    }

    private static FsError change(long[] handles, int name, Step.IoOperation verb, int number) {
        boolean isThere = handles[name] != 0;
        boolean makes = verb == Step.IoOperation.CREATE;
        if (isThere == makes) {
            return makes ? FsError.ALREADY_EXISTS : FsError.NOT_FOUND;
        }
        handles[name] = makes ? number : 0;
        return FsError.OK;
    }

    private static Act random(SplittableRandom random) {
        Step.IoOperation verb = VERBS.get(random.nextInt(VERBS.size()));
        boolean isOfDirectory = OF_DIRECTORIES.contains(verb);
        boolean seen = verb == Step.IoOperation.STAT && random.nextBoolean();
        List<FsError> answers = seen || random.nextBoolean() ? List.of(FsError.OK) : ANSWERS;
        Optional<FsError> answer = !seen && verb != Step.IoOperation.STAT && random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(answers.get(random.nextInt(answers.size())));
        boolean handled = answer.equals(Optional.of(FsError.OK))
                && (verb == Step.IoOperation.CREATE || verb == Step.IoOperation.STAT);
        long begin = random.nextInt(20);
        return new Act(
                "client",
                isOfDirectory ? SimulatedCluster.SUPERUSER : "alice",
                verb,
                random.nextInt(2),
                Names.IN_DIRECTORY + random.nextInt(2),
                RenameMode.NO_REPLACE,
                begin,
                answer.isEmpty() ? Act.NEVER : begin + 1 + random.nextInt(15),
                answer,
                handled ? new Handle(1 + random.nextInt(3)) : Handle.NONE,
                false);
    }

    private boolean isExplained(Namespace namespace, BitSet done, int[] state) {
        long end = Act.NEVER;
        boolean isOver = true;
        for (int number = done.nextClearBit(0); number < acts.size(); number = done.nextClearBit(number + 1)) {
            end = Math.min(end, acts.get(number).endNanos());
            isOver &= acts.get(number).answer().isEmpty();
        }
        if (isOver) {
            return true;
        }
        for (int number = done.nextClearBit(0); number < acts.size(); number = done.nextClearBit(number + 1)) {
            Optional<int[]> next =
                    acts.get(number).beginNanos() > end ? Optional.empty() : namespace.apply(state, number);
            BitSet more = (BitSet) done.clone();
            more.set(number);
            if (next.isPresent() && isExplained(namespace, more, next.get())) {
                return true;
            }
        }
        return false;
    }

    private void byRoot(Step.IoOperation verb, long begin, long end) {
        acts.add(new Act(
                "keeper",
                SimulatedCluster.SUPERUSER,
                verb,
                0,
                0,
                RenameMode.NO_REPLACE,
                begin,
                end,
                Optional.of(FsError.OK),
                Handle.NONE,
                false));
    }
}
