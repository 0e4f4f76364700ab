package io.steadfs.client.write;

import io.steadfs.client.call.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Bounds the bytes that a writer has taken and no server has acknowledged, and lets callers wait for room. The bound is {@code stead.client.write.window}. All is called within the writer's turn.
 */
final class WriteWindow {
    private final long most;
    private final WriterMemory memory;
    private final Turns turns;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private long held;

    /** @param most bytes that the window holds */
    WriteWindow(long most, WriterMemory memory, Turns turns) {
        this.most = most;
        this.memory = memory;
        this.turns = turns;
    }

    /** Bytes that may be taken now, as far as the window decides. None, or a negative number, if the window is full. */
    long room() {
        return most - held;
    }

    void taken(int bytes) {
        held += bytes;
    }

    void acknowledged(int bytes) {
        held -= bytes;
    }

    /** Whether the next byte can be taken: the window is not full, and memory is not waited for. */
    boolean hasRoom() {
        return held < most && !memory.isAwaited();
    }

    /** Completes the future after the turn in which there is room. */
    void await(CompletableFuture<Void> room) {
        waiting.add(room);
    }

    /** To be called when there may be room again: tells all who wait. */
    void roomAgain() {
        if (hasRoom()) {
            List<CompletableFuture<Void>> ready = leave();
            turns.afterwards(() -> ready.forEach(room -> room.complete(null)));
        }
    }

    /** Takes out the futures of all who wait. */
    List<CompletableFuture<Void>> leave() {
        List<CompletableFuture<Void>> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }
}
