package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.Optional;

/**
 * Handles for new datafiles, out of sequence numbers that are reserved for this process: each slot counts through its
 * own numbers of the block, so that a handle tells its lane. What is left of a block when the server stops is never
 * used. Thread-safe.
 */
public final class DatafileHandles {
    private final int owner;
    private final Source source;

    private int incarnation = -1;
    private final long[] next = new long[Slots.SLOTS];

    /** Reserved sequence numbers of one owner. */
    public interface Source {
        /** What may be given out now. */
        Block current();

        /** Tells how far the owner is, so that more are reserved in time. Returns at once. */
        void used(long next);
    }

    /**
     * Numbers of one incarnation.
     *
     * @param first lowest that no earlier process can have given out
     * @param ceiling first that is not reserved
     */
    public record Block(int incarnation, long first, long ceiling) {}

    /** @param owner id of this IO server */
    public DatafileHandles(int owner, Source source) {
        this.owner = owner;
        this.source = source;
    }

    /** A handle of the slot that was never given out; empty while no number is reserved for it. */
    public synchronized Optional<Handle> take(int slot) {
        Block block = source.current();
        if (block.incarnation() != incarnation) {
            incarnation = block.incarnation();
            long first = Math.max(1, block.first());
            Arrays.setAll(next, each -> first + Math.floorMod(each - first, (long) Slots.SLOTS));
        }
        long number = next[slot];
        source.used(Math.min(number + 1, block.ceiling()));
        if (number >= block.ceiling()) {
            return Optional.empty();
        }
        next[slot] = number + Slots.SLOTS;
        return Optional.of(Handle.of(owner, incarnation, number));
    }
}
