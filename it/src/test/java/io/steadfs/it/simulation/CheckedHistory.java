package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.lab.history.Action;
import io.steadfs.lab.history.Answer;
import io.steadfs.lab.history.HistoryCheck;
import io.steadfs.lab.history.Operation;
import io.steadfs.lab.history.Seen;
import io.steadfs.lab.history.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * The same operations for the history checker that torture uses. It knows files by their handles, and directories not; so
 * it may accept what {@link Linearization} does not, and never the other way round.
 */
final class CheckedHistory {
    /** For one operation. */
    private static final long MOST_CONFIGURATIONS = 300_000;

    private CheckedHistory() {}

    static Verdict verdict(List<Act> acts) {
        return new HistoryCheck(MOST_CONFIGURATIONS)
                .joint(acts.stream().map(CheckedHistory::operation).toList());
    }

    private static Operation operation(Act act) {
        return new Operation(act.client(), act.beginNanos(), act.endNanos(), action(act), answer(act));
    }

    private static Action action(Act act) {
        String path = Names.path(act.name()).toString();
        return switch (act.verb()) {
            case MKDIR -> new Action.MakeDirectory(path, true, false);
            case CREATE -> new Action.Create(path, act.handle().value(), false, false);
            case REPLACE -> new Action.Create(path, act.handle().value(), true, false);
            case DELETE -> new Action.Delete(path, false);
            case RENAME ->
                new Action.Rename(path, Names.path(act.other()).toString(), act.mode() != RenameMode.NO_REPLACE);
            case STAT -> new Action.Look(path);
            default -> throw new IllegalArgumentException("no operation on a name: " + act);
        };
    }

    private static Answer answer(Act act) {
        Optional<FsError> told = act.answer();
        if (told.isEmpty()) {
            return Answer.unknown();
        }
        if (told.get() != FsError.OK) {
            return Answer.failed(told.get());
        }
        return act.verb() == Step.IoOperation.STAT ? Answer.saw(seen(act.directory(), act.handle())) : Answer.done();
    }

    private static Seen seen(boolean directory, Handle handle) {
        return directory ? Seen.DIRECTORY : Seen.file(handle.value());
    }
}
