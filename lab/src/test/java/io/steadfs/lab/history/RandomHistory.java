package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A history that is right: each operation is done at one moment, and begins before and is answered after it; of some the
 * answer is lost, and they are done late or never.
 *
 * @param clients at work at the same time
 * @param names that they all use
 * @param operations of all
 * @param unknown of so many operations one is not answered
 */
record RandomHistory(int clients, int names, int operations, int unknown) {
    private static final int PAUSE = 40;
    private static final int LATEST = 2000;

    private record Planned(String client, long begin, long moment, long end, Action action, boolean answered) {}

    List<Operation> of(Random random) {
        List<Planned> plan = new ArrayList<>();
        long[] free = new long[clients];
        for (int i = 0; i < operations; i++) {
            int client = IntStream.range(0, clients)
                    .boxed()
                    .min(Comparator.comparingLong(one -> free[one]))
                    .orElseThrow();
            long begin = free[client] + random.nextInt(PAUSE);
            long moment = begin + random.nextInt(PAUSE);
            long end = moment + random.nextInt(PAUSE);
            boolean answered = random.nextInt(unknown) != 0;
            if (!answered) {
                moment = random.nextInt(3) == 0 ? Long.MAX_VALUE : begin + random.nextInt(LATEST);
            }
            free[client] = end + 1;
            plan.add(new Planned(
                    "client " + client + " operation " + i, begin, moment, end, action(random, i), answered));
        }
        plan.sort(Comparator.comparingLong(Planned::moment));
        PlainNames right = new PlainNames();
        List<Operation> history = new ArrayList<>();
        for (Planned one : plan) {
            Answer answer = one.moment == Long.MAX_VALUE ? Answer.unknown() : right.apply(one.action);
            boolean never = !one.answered && random.nextBoolean();
            history.add(new Operation(
                    one.client,
                    one.begin,
                    never ? Operation.NEVER : one.end,
                    one.action,
                    one.answered ? vaguely(answer, random) : Answer.unknown()));
        }
        history.sort(Comparator.comparingLong(Operation::beginNanos));
        return history;
    }

    /** Some looks do not tell which file they met. */
    private static Answer vaguely(Answer answer, Random random) {
        if (answer instanceof Answer.Done done && done.seen().kind() == Seen.Kind.THIS_FILE && random.nextInt(4) == 0) {
            return Answer.saw(random.nextBoolean() ? Seen.FILE : Seen.SOMETHING);
        }
        return answer;
    }

    private String name(Random random) {
        return "/shared/n" + random.nextInt(names);
    }

    private Action action(Random random, int number) {
        String name = name(random);
        return switch (random.nextInt(12)) {
            case 0, 1 -> new Action.Create(name, number + 1, false, false);
            case 2 -> new Action.Create(name, number + 1, true, false);
            case 3 -> new Action.MakeDirectory(name, random.nextInt(3) != 0, false);
            case 4, 5 -> new Action.Delete(name, random.nextBoolean());
            case 6, 7 -> new Action.Rename(name, name(random), random.nextBoolean());
            case 8 -> new Action.Listed(name);
            default -> new Action.Look(name);
        };
    }
}
