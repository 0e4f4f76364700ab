package io.steadfs.it.simulation;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What clients did and were told, in the order of their beginnings; and what must not have been. */
final class Journal {
    private final List<Begun> acts = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Contents contents = new Contents();
    private long lastStamp;

    /** An operation under way. */
    final class Begun {
        private Act act;

        private Begun(Act act) {
            this.act = act;
        }

        /** What the client was told; an error that says nothing for sure counts as nothing told. */
        void end(long nanos, FsError answer, Handle handle, boolean directory) {
            if (isWrong(answer)) {
                violation(act + " is answered " + answer);
            }
            boolean told = answer == FsError.OK || SimulatedClient.isRefusal(answer);
            act = new Act(
                    act.client(),
                    act.user(),
                    act.verb(),
                    act.name(),
                    act.other(),
                    act.mode(),
                    act.beginNanos(),
                    told ? stamp(nanos) : Act.NEVER,
                    told ? Optional.of(answer) : Optional.empty(),
                    handle,
                    directory);
        }
    }

    Begun begin(String client, String user, Step step, long nanos) {
        Begun begun = new Begun(new Act(
                client,
                user,
                step.verb(),
                step.name(),
                step.other(),
                step.mode(),
                stamp(nanos),
                Act.NEVER,
                Optional.empty(),
                Handle.NONE,
                false));
        acts.add(begun);
        return begun;
    }

    /**
     * The moment of a beginning or an end. Where several are at one moment of the simulated time, they follow one another
     * by a nanosecond: there is one thread, and who was told before another began was before it.
     */
    long stamp(long nanos) {
        lastStamp = Math.max(lastStamp + 1, nanos);
        return lastStamp;
    }

    /** Some answers are wrong whatever the tree looks like. */
    void answered(Step step, FsError answer) {
        if (isWrong(answer)) {
            violation(step + " is answered " + answer);
        }
    }

    private static boolean isWrong(FsError answer) {
        return answer == FsError.FAULT || answer == FsError.BAD_MESSAGE || answer == FsError.CORRUPT;
    }

    Contents contents() {
        return contents;
    }

    void violation(String what) {
        violations.add(what);
    }

    List<String> violations() {
        return violations;
    }

    /** All that may have changed or seen names: what was told, and changes that may have happened. */
    List<Act> history() {
        return acts.stream()
                .map(begun -> begun.act)
                .filter(act -> act.answer().filter(FsError.NO_SPACE::equals).isEmpty())
                .filter(act -> act.answer().isPresent() || !act.verb().isStat())
                .toList();
    }
}
