package io.steadfs.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Right histories are accepted, and short ones, right or wrong, are judged as trying every order judges them. */
class AgreementTest {
    private static final int SHORT_ONES = 3000;
    private static final int LONG_ONES = 300;

    private static final List<FsError> REFUSALS =
            List.of(FsError.NOT_FOUND, FsError.ALREADY_EXISTS, FsError.IS_A_DIRECTORY, FsError.NOT_A_DIRECTORY);

    private final HistoryCheck check = new HistoryCheck(HistoryCheck.MOST_CONFIGURATIONS);

    private static String told(long seed, List<Operation> history) {
        StringBuilder text = new StringBuilder("seed " + seed);
        history.forEach(operation -> text.append("\n  ").append(operation));
        return text.toString();
    }

    @Test
    void rightHistoriesOfManyClientsAreAccepted() {
        accepts(
                check::eachName,
                random ->
                        new RandomHistory(1 + random.nextInt(20), 1 + random.nextInt(6), 300, 3 + random.nextInt(40)));
    }

    @Test
    void rightHistoriesOfSomeClientsAreAcceptedTogether() {
        accepts(
                check::joint,
                random ->
                        new RandomHistory(1 + random.nextInt(6), 2 + random.nextInt(3), 200, 10 + random.nextInt(40)));
    }

    /**
     * No right history is called wrong. The orders that may explain a history can be very many, so that the check gives
     * up, and says so. That is rare: 1 of 60,000 histories was given up in a trial.
     */
    private static void accepts(Function<List<Operation>, Verdict> judge, Function<Random, RandomHistory> make) {
        List<String> givenUp = new ArrayList<>();
        for (int i = 0; i < LONG_ONES; i++) {
            long seed = System.nanoTime();
            Random random = new Random(seed);
            List<Operation> history = make.apply(random).of(random);
            Verdict verdict = judge.apply(history);
            assertThat(verdict.violations()).as(told(seed, history)).isEmpty();
            if (!verdict.undecided().isEmpty()) {
                // A history that is given up has several lines about that.
                givenUp.add("seed " + seed + ": " + verdict.undecided());
            }
        }
        assertThat(givenUp).as("given up").hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void shortHistoriesAreJudgedAsByTryingEveryOrder() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int wrong = 0;
        for (int i = 0; i < SHORT_ONES; i++) {
            List<Operation> history = new RandomHistory(
                            1 + random.nextInt(4), 1 + random.nextInt(3), 3 + random.nextInt(5), 6)
                    .of(random);
            history.replaceAll(AgreementTest::withoutListing);
            assertThat(EveryOrder.explains(history)).as(told(seed, history)).isTrue();
            boolean renames = history.stream().anyMatch(one -> one.action() instanceof Action.Rename);
            int changes = 1 + random.nextInt(2);
            for (int change = 0; change < changes; change++) {
                change(history, random);
            }
            boolean right = EveryOrder.explains(history);
            wrong += right ? 0 : 1;
            Verdict joint = check.joint(history);
            assertThat(joint.violations().isEmpty()).as(told(seed, history)).isEqualTo(right);
            assertThat(joint.undecided()).isEmpty();
            Verdict apart = check.eachName(history);
            if (right || !renames) {
                assertThat(apart.violations().isEmpty()).as(told(seed, history)).isEqualTo(right);
            }
            joint.violations().forEach(violation -> isEnough(violation, seed));
        }
        assertThat(wrong).as("wrong ones of seed %s", seed).isGreaterThan(SHORT_ONES / 10);
    }

    /** With every other operation as one that may have been done at any time, it is as wrong. */
    private void isEnough(Violation violation, long seed) {
        List<Operation> all = new ArrayList<>(violation.enough());
        all.addAll(violation.others().stream()
                .map(other -> new Operation(
                        other.client(), other.beginNanos(), Operation.NEVER, other.action(), Answer.unknown()))
                .toList());
        assertThat(check.joint(all).violations()).as(told(seed, all)).isNotEmpty();
    }

    private static Operation withoutListing(Operation operation) {
        return operation.action() instanceof Action.Listed listed
                ? with(operation, new Action.Look(listed.path()), operation.answer())
                : operation;
    }

    private static Operation with(Operation operation, Action action, Answer answer) {
        return new Operation(operation.client(), operation.beginNanos(), operation.endNanos(), action, answer);
    }

    private static void change(List<Operation> history, Random random) {
        int at = random.nextInt(history.size());
        Operation one = history.get(at);
        switch (random.nextInt(4)) {
            case 0 -> history.set(at, with(one, one.action(), otherAnswer(one, random)));
            case 1 -> {
                long begin = random.nextInt(200);
                long end = one.endNanos() == Operation.NEVER ? Operation.NEVER : begin + random.nextInt(60);
                history.set(at, new Operation(one.client(), begin, end, one.action(), one.answer()));
            }
            case 2 -> {
                if (history.size() > 1) {
                    history.remove(at);
                }
            }
            default -> {
                Operation other = history.get(random.nextInt(history.size()));
                if (one.endNanos() != Operation.NEVER && isLook(one) == isLook(other)) {
                    history.set(at, with(one, one.action(), other.answer()));
                }
            }
        }
    }

    private static boolean isLook(Operation operation) {
        return operation.action() instanceof Action.Look;
    }

    private static Answer otherAnswer(Operation one, Random random) {
        if (one.endNanos() == Operation.NEVER) {
            return one.answer();
        }
        if (isLook(one)) {
            return switch (random.nextInt(3)) {
                case 0 -> Answer.saw(Seen.ABSENT);
                case 1 -> Answer.saw(Seen.DIRECTORY);
                default -> Answer.saw(Seen.file(1 + random.nextInt(7)));
            };
        }
        if (one.answer() instanceof Answer.Refused || random.nextInt(4) == 0) {
            return random.nextInt(3) == 0 ? Answer.unknown() : Answer.done();
        }
        return Answer.failed(REFUSALS.get(random.nextInt(REFUSALS.size())));
    }
}
