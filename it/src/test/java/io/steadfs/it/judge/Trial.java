package io.steadfs.it.judge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Episodes of random steps on both sides. Each has a directory and names of its own, and what it does follows from its
 * seed alone, whatever is answered; so it can be repeated, and any of its steps left out.
 *
 * <p>An episode ends where a difference left the two sides with different contents.
 */
final class Trial {
    private static final int STEPS_OF_AN_EPISODE = 60;
    private static final String REPLAY = "./mvnw -Dfast test -pl it -am -Dtest=HdfsJudgeTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dstead.judge.episode=";

    private final List<Kind> weighted;
    private final Side judge;
    private final Side ours;
    private final AtomicInteger episodes = new AtomicInteger();
    private final Map<KeptDifference, Integer> kept = new TreeMap<>();
    private final Map<String, String> found = new TreeMap<>();
    private final Map<String, Integer> foundTimes = new TreeMap<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private int steps;

    Trial(List<Kind> kinds, Side judge, Side ours) {
        this.weighted = Kind.weighted(kinds);
        this.judge = judge;
        this.ours = ours;
    }

    /** Goes on until so many steps were answered by both. */
    void run(long seed, int atLeast) throws IOException {
        Random random = new Random(seed);
        while (steps < atLeast) {
            episode(random.nextLong());
        }
    }

    /** One episode, as a report names it. */
    void episode(long seed) throws IOException {
        List<Step> script = script(seed);
        Optional<Difference> difference = play(script, true);
        if (difference.isEmpty()) {
            return;
        }
        String shape = difference.get().shape();
        if (foundTimes.merge(shape, 1, Integer::sum) == 1) {
            found.put(shape, shown(seed, script, difference.get()));
        }
    }

    private List<Step> script(long seed) {
        Choices choices = new Choices(seed);
        List<Step> script = new ArrayList<>();
        for (int i = 0; i < STEPS_OF_AN_EPISODE; i++) {
            script.add(Step.random(choices, weighted));
        }
        return script;
    }

    /** The first difference that is not declared. */
    private Optional<Difference> play(List<Step> script, boolean counted) throws IOException {
        String name = "judge-" + episodes.incrementAndGet();
        judge.begin(name);
        ours.begin(name);
        try {
            for (Step step : script) {
                Difference both = new Difference(step, step.on(judge), step.on(ours));
                if (counted) {
                    steps++;
                    outcomes.merge(both.judge().failed() ? both.judge().text() : "an answer", 1, Integer::sum);
                }
                if (both.ours().isAsGoodAs(both.judge())) {
                    if (KeptDifference.leavesOtherContents(both)) {
                        count(KeptDifference.LEFT_BEHIND, counted);
                        return Optional.empty();
                    }
                    continue;
                }
                Optional<KeptDifference> declared = KeptDifference.of(both);
                if (declared.isEmpty()) {
                    return Optional.of(both);
                }
                count(declared.get(), counted);
                if (both.judge().failed() != both.ours().failed()
                        || declared.get().leavesOtherContents()) {
                    return Optional.empty();
                }
            }
            return Optional.empty();
        } finally {
            judge.end();
            ours.end();
        }
    }

    private void count(KeptDifference row, boolean counted) {
        if (counted) {
            kept.merge(row, 1, Integer::sum);
        }
    }

    /** Steps are left out as long as the same difference remains: first halves, then single ones. */
    private String shown(long seed, List<Step> script, Difference difference) throws IOException {
        int last = script.indexOf(difference.step());
        List<Step> least = new ArrayList<>(script.subList(0, last + 1));
        for (int size = Math.max(1, last / 2); size >= 1; size /= 2) {
            for (int from = least.size() - 1 - size; from >= 0; from -= size) {
                List<Step> fewer = new ArrayList<>(least);
                fewer.subList(from, from + size).clear();
                Optional<Difference> again = play(fewer, false);
                if (again.isPresent() && again.get().shape().equals(difference.shape())) {
                    least = fewer;
                }
            }
        }
        StringBuilder text =
                new StringBuilder("episode " + seed + ", step " + (last + 1) + "; again: " + REPLAY + seed);
        text.append("\n");
        for (Step step : least.subList(0, least.size() - 1)) {
            text.append("  ").append(step).append('\n');
        }
        return text.append("  ").append(difference).append('\n').toString();
    }

    /** By shape: the fewest steps that show it. */
    Map<String, String> found() {
        return found;
    }

    Map<KeptDifference, Integer> kept() {
        return kept;
    }

    /** For people. */
    String report() {
        StringBuilder text = new StringBuilder();
        text.append(steps)
                .append(" steps on HDFS and on SteadFS in ")
                .append(episodes)
                .append(" episodes\n");
        text.append("HDFS answered: ").append(outcomes).append('\n');
        text.append("kept differences, with their reasons in docs/hadoop.md: ")
                .append(kept.values().stream().mapToInt(Integer::intValue).sum())
                .append(" of ")
                .append(kept.size())
                .append(" rows\n");
        kept.forEach((row, times) ->
                text.append("  ").append(times).append(" x ").append(row.name()).append('\n'));
        text.append("other differences: ").append(found.size()).append(" shapes\n");
        found.forEach((shape, least) -> text.append(foundTimes.get(shape))
                .append(" x ")
                .append(shape)
                .append('\n')
                .append(least));
        return text.toString();
    }
}
