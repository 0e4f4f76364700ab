package io.steadfs.webui.check;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a check. The check's folder holds the state in the file {@code run.json}.
 *
 * @param repair labels of the kinds of findings that the check repairs; empty = no kinds
 * @param rate largest number of rows a second; 0 = no limit
 * @param startedAt milliseconds since 1970
 * @param endedAt milliseconds since 1970; null if the check has not ended
 * @param pass number of the present or last pass, from 1
 * @param found the results of the passes that ended
 * @param error why the check failed; null if the check did not fail
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
        /** The check ended without being stopped. */
        ENDED,
        /** An operator cancelled the check. An operator can resume a cancelled check. */
        CANCELLED,
        /** The check ended with an error. An operator can resume a failed check. */
        FAILED,
        /** The process that ran the check ended. An operator can resume an interrupted check. */
        INTERRUPTED;

        /** The name of the state as the API writes it, for example {@code running}. */
        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isAtWork() {
            return this == RUNNING || this == PAUSED;
        }
    }

    /**
     * The results of all passes that ended.
     *
     * @param complete whether the last pass looked at everything
     * @param problems for each stage of the last pass that stopped early: the name of the stage, and the reason
     * @param undecided number of objects that changed every time the check looked at the objects
     * @param counts number of findings of each kind, in the last pass that found anything
     * @param repaired number of findings that all passes repaired
     * @param rows number of rows that all passes looked at
     * @param settled servers that were not settled before the last pass, and the outcome for each of these servers
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

        /** Adds the results of one more pass to these results. */
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

    /** Returns the state of the same check in its next pass. A paused check stays paused. */
    RunState nextPass() {
        return new RunState(id, state, repair, scrub, rate, startedAt, endedAt, startedBy, pass + 1, found, error);
    }

    RunState and(Found more) {
        return new RunState(
                id, state, repair, scrub, rate, startedAt, endedAt, startedBy, pass, found.and(more), error);
    }
}
