package io.steadfs.webui.check;

import io.steadfs.fsck.Pace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A check as the page shows it: its {@link RunState}, and its progress at this moment.
 *
 * @param share part of the stage that is done, 0 to 1; null if the check is not running
 * @param secondsLeft estimated seconds until the stage ends; null if no estimate exists
 * @param counts number of findings of each kind, in the last pass that found anything
 * @param findings total of {@code counts}
 * @param repaired number of findings that all ended passes repaired
 * @param settled servers that were not settled before the last ended pass, and the outcome for each of these servers
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
