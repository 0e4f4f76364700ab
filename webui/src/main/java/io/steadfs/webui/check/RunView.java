package io.steadfs.webui.check;

import io.steadfs.fsck.Pace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A check as shown to people: its {@link RunState}, and its progress at this moment.
 *
 * @param share of the stage that is done, 0 to 1; null if the check is not running
 * @param secondsLeft that the stage will take; null if that is unknown
 * @param counts findings by kind, of the last pass that found any
 * @param findings of all kinds, from the same counts
 * @param repaired number of findings repaired, over all passes that ended
 * @param settled servers that were not settled before the last pass that ended, each with the outcome
 */
record RunView(
        String id,
        RunState.State state,
        List<String> repair,
        boolean scrub,
        long rate,
        long startedAt,
        @Nullable Long endedAt,
        String startedBy,
        int pass,
        String stage,
        @Nullable Double share,
        long rows,
        double rowsPerSecond,
        @Nullable Double secondsLeft,
        boolean complete,
        Map<String, String> problems,
        long undecided,
        Map<String, Long> counts,
        long findings,
        long repaired,
        List<String> settled,
        @Nullable String error) {

    static RunView of(RunState run, Optional<Pace.Look> look, Map<String, Long> counts) {
        RunState.Found found = run.found();
        return new RunView(
                run.id(),
                run.state(),
                run.repair(),
                run.scrub(),
                run.rate(),
                run.startedAt(),
                run.endedAt(),
                run.startedBy(),
                run.pass(),
                look.map(Pace.Look::stage).orElse(""),
                look.map(Pace.Look::share).orElse(null),
                Math.max(found.rows(), look.map(Pace.Look::rows).orElse(0L)),
                look.map(Pace.Look::rowsPerSecond).orElse(0.0),
                look.map(Pace.Look::secondsLeft).filter(left -> left >= 0).orElse(null),
                found.complete(),
                found.problems(),
                found.undecided(),
                counts,
                counts.values().stream().mapToLong(Long::longValue).sum(),
                found.repaired(),
                found.settled(),
                run.error());
    }
}
