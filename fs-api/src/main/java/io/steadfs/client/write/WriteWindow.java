package io.steadfs.client.write;

import io.steadfs.client.call.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Limits the number of unacknowledged bytes of a writer, and lets callers wait for room. The configuration key {@code
 * stead.client.write.window} sets the limit. All methods must be called in the writer's turn.
 */
final class WriteWindow {
    private final long most;
    private final WriterMemory memory;
    private final Turns turns;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private long held;

    /** @param most largest number of unacknowledged bytes */
    WriteWindow(long most, WriterMemory memory, Turns turns) {
        this.most = most;
        this.memory = memory;
        this.turns = turns;
    }

    /** Number of bytes for which the window has room. 0 or a negative number if the window is full. */
    long room() {
        return most - held;
    }

    void taken(int bytes) {
        held += bytes;
    }

    void acknowledged(int bytes) {
        held -= bytes;
    }

    /**
     * Whether the writer can take the next byte. The window must not be full, and the writer must not be waiting for
     * memory.
     */
    boolean hasRoom() {
        return held < most && !memory.isAwaited();
    }

    /** Completes the future once the window has room, after the end of the turn. */
    void await(CompletableFuture<Void> room) {
        waiting.add(room);
    }

    /**
     * Completes the futures of all waiting callers, if the writer has room. Must be called whenever the writer may have
     * room again.
     */
    void roomAgain() {
        if (hasRoom()) {
            List<CompletableFuture<Void>> ready = leave();
            turns.afterwards(() -> ready.forEach(room -> room.complete(null)));
        }
    }

    /** Removes and returns the futures of all waiting callers. */
    List<CompletableFuture<Void>> leave() {
        List<CompletableFuture<Void>> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }
}
