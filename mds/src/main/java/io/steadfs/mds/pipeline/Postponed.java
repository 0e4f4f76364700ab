package io.steadfs.mds.pipeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Commands that wait until other shards have given copies back, in the order in which they came. A command keeps its
 * hold until it has been decided again. Thread-safe.
 */
final class Postponed {
    private static final class Waiting {
        private final CopyRules.Hold hold;
        private boolean queued;

        Waiting(CopyRules.Hold hold) {
            this.hold = hold;
        }
    }

    private final Map<Command<?>, Waiting> commands = new LinkedHashMap<>();
    private long bytes;

    synchronized int size() {
        return commands.size();
    }

    /** Returns the size of the commands in bytes, according to {@link Command#sizeBytes}. */
    synchronized long bytes() {
        return bytes;
    }

    synchronized void add(Command<?> command, CopyRules.Hold hold) {
        commands.put(command, new Waiting(hold));
        bytes += command.sizeBytes();
    }

    /** Notes that the command goes back to the queue. Returns false if it does not wait here any more. */
    synchronized boolean toQueue(Command<?> command) {
        Waiting waiting = commands.get(command);
        if (waiting == null) {
            return false;
        }
        waiting.queued = true;
        return true;
    }

    /** Takes the command out, and returns its hold; empty if it was not postponed. */
    synchronized Optional<CopyRules.Hold> take(Command<?> command) {
        return commands.isEmpty() ? Optional.empty() : remove(command).map(waiting -> waiting.hold);
    }

    /** Takes out all commands that are not in the queue again, and ends their holds. */
    synchronized List<Command<?>> takeWaiting() {
        List<Command<?>> waiting = new ArrayList<>();
        commands.forEach((command, each) -> {
            if (!each.queued) {
                waiting.add(command);
                each.hold.release();
            }
        });
        waiting.forEach(this::remove);
        return waiting;
    }

    private Optional<Waiting> remove(Command<?> command) {
        Optional<Waiting> removed = Optional.ofNullable(commands.remove(command));
        removed.ifPresent(waiting -> bytes -= command.sizeBytes());
        return removed;
    }
}
