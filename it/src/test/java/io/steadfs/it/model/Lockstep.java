package io.steadfs.it.model;

import java.util.Map;
import java.util.TreeMap;

/**
 * Runs every operation on the reference and on the file system under test and compares. Times that nobody set are only
 * compared as such; handles, versions and messages are not compared.
 */
public final class Lockstep {
    private final String context;
    private final TreeMap<String, Long> outcomes = new TreeMap<>();
    private long steps;

    /** @param context what repeats the run: told with a difference */
    public Lockstep(String context) {
        this.context = context;
    }

    /**
     * @param caller for the report
     * @throws AssertionError at the first difference
     */
    void step(String caller, ModelOperation operation, Participant reference, Participant tested) {
        steps++;
        Answer expected = Answer.of(operation, reference);
        Answer actual = Answer.of(operation, tested);
        String outcome = expected.isRefusal() ? expected.text() : "done";
        outcomes.merge(operation.getClass().getSimpleName() + " " + outcome, 1L, Long::sum);
        if (!operation.agrees(expected, actual)) {
            throw new AssertionError(
                    context + ", step " + steps + ": " + caller + " did " + operation + "\nreference: " + expected
                            + "\nSteadFS:   " + actual,
                    actual.thrown().or(expected::thrown).orElse(null));
        }
    }

    public long steps() {
        return steps;
    }

    /** How often the operations ended in which way. */
    public Map<String, Long> outcomes() {
        return outcomes;
    }
}
