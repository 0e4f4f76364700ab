package io.steadfs.webui.check;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a check as stored in {@code run.json} in its folder.
 *
 * @param repair labels of the kinds that it repairs; empty: none
 * @param rate most rows a second; 0 = as fast as servers answer
 * @param startedAt milliseconds since 1970
 * @param endedAt milliseconds since 1970; null if it has not ended
 * @param pass the present or last pass, from 1
 * @param found the results of the passes that ended
 * @param error why it failed; null if it did not
 */
record RunState(
        String id,
        State state,
        List<String> repair,
        boolean scrub,
        long rate,
        long startedAt,
        @Nullable Long endedAt,
        String startedBy,
        int pass,
        Found found,
        @Nullable String error) {
    /** The states of a check. */
    enum State {
        RUNNING,
        PAUSED,
        /** It ended by itself. */
        ENDED,
        /** An operator cancelled it; it continues when it is resumed. */
        CANCELLED,
        /** It ended with an error; it continues when it is resumed. */
        FAILED,
        /** Its process ended; it continues when it is resumed. */
        INTERRUPTED;

        /** The label as it is written: {@code running}. */
        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isAtWork() {
            return this == RUNNING || this == PAUSED;
        }
    }

    /**
     * The results of passes.
     *
     * @param complete whether the last one looked at everything
     * @param problems why stages of the last one did not run to their end, by the names of the stages
     * @param undecided objects that changed whenever they were looked at
     * @param counts findings by kind of the last pass that found anything
     * @param repaired number of findings repaired, over all passes
     * @param rows that all passes looked at
     * @param settled servers that were not settled before the last pass, each with the outcome
     */
    record Found(
            boolean complete,
            Map<String, String> problems,
            long undecided,
            Map<String, Long> counts,
            long repaired,
            long rows,
            List<String> settled) {
        static final Found NOTHING = new Found(false, Map.of(), 0, Map.of(), 0, 0, List.of());

        Found {
            problems = Map.copyOf(problems);
            counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
            settled = List.copyOf(settled);
        }

        /** The results with those of one more pass. */
        Found and(Found pass) {
            return new Found(
                    pass.complete(),
                    pass.problems(),
                    pass.undecided(),
                    pass.counts().isEmpty() ? counts : pass.counts(),
                    repaired + pass.repaired(),
                    rows + pass.rows(),
                    pass.settled());
        }
    }

    static RunState begun(String id, List<String> repair, boolean scrub, long rate, long now, String by) {
        return new RunState(id, State.RUNNING, repair, scrub, rate, now, null, by, 1, Found.NOTHING, null);
    }

    RunState with(State next) {
        return new RunState(id, next, repair, scrub, rate, startedAt, endedAt, startedBy, pass, found, error);
    }

    RunState over(State next, long now, @Nullable String why) {
        return new RunState(id, next, repair, scrub, rate, startedAt, now, startedBy, pass, found, why);
    }

    RunState again(int nextPass, List<String> kinds) {
        return new RunState(id, State.RUNNING, kinds, scrub, rate, startedAt, null, startedBy, nextPass, found, null);
    }

    /** The same check in its next pass; a paused check stays paused. */
    RunState nextPass() {
        return new RunState(id, state, repair, scrub, rate, startedAt, endedAt, startedBy, pass + 1, found, error);
    }

    RunState and(Found more) {
        return new RunState(
                id, state, repair, scrub, rate, startedAt, endedAt, startedBy, pass, found.and(more), error);
    }
}
