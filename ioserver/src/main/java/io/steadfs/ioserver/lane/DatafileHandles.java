package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.Optional;

/**
 * Handles for new datafiles, out of a reserved block of sequence numbers: each slot counts through its own numbers of
 * the block. Numbers of a block that was not used up when the server stopped are never used. Thread-safe.
 */
public final class DatafileHandles {
    private final int owner;
    private final Runnable runningLow;

    private int incarnation;
    private long begin = 1;
    private long ceiling = 1;
    private boolean asked;
    private final long[] next = new long[Slots.SLOTS];

    /**
     * @param owner id of this IO server
     * @param runningLow called when half of the block is used, once for each {@link #grant}; returns at once
     */
    public DatafileHandles(int owner, Runnable runningLow) {
        this.owner = owner;
        this.runningLow = runningLow;
    }

    /**
     * Numbers that are reserved for this server, and have never been used.
     *
     * @param first follows the former block's ceiling, or begins another incarnation or run of numbers
     * @param ceiling first number beyond the block
     */
    public synchronized void grant(int incarnation, long first, long ceiling) {
        if (ceiling <= first || first < 1 || ceiling - 1 > Handle.MAX_SEQUENCE) {
            throw new IllegalArgumentException("block of sequence numbers " + first + ".." + ceiling);
        }
        boolean goesOn = incarnation == this.incarnation && first == this.ceiling && this.ceiling > 1;
        if (!goesOn) {
            this.incarnation = incarnation;
            for (int slot = 0; slot < Slots.SLOTS; slot++) {
                next[slot] = first + Math.floorMod(slot - first, (long) Slots.SLOTS);
            }
        }
        this.begin = goesOn ? Arrays.stream(next).min().orElse(first) : first;
        this.ceiling = ceiling;
        this.asked = false;
    }

    /** A handle of the slot that was never given out; empty while no number is reserved for it. */
    public synchronized Optional<Handle> take(int slot) {
        long number = next[slot];
        boolean reserved = number >= begin && number < ceiling;
        if (!asked && (!reserved || number - begin >= (ceiling - begin) / 2)) {
            asked = true;
            runningLow.run();
        }
        if (!reserved) {
            return Optional.empty();
        }
        next[slot] = number + Slots.SLOTS;
        return Optional.of(Handle.of(owner, incarnation, number));
    }
}
