package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * Gives out handles for new datafiles. Sequence numbers are reserved for this process in blocks. A lease takes a range
 * of numbers. Handles for single datafiles come from chunks. A chunk is a range of at most {@value #CHUNK} numbers.
 * Each slot counts through its own numbers in a chunk, so that a handle tells its lane. Only chunks lie between the
 * ranges of leases, so these ranges mostly follow each other. After the server stops, the rest of its block is never
 * used. After one slot of a chunk is used up, the rest of the chunk is never used. Thread-safe.
 */
public final class DatafileHandles {
    /** The highest number of sequence numbers in a chunk. */
    private static final long CHUNK = 1024;

    private final int owner;
    private final Source source;

    private int incarnation = -1;
    /** The first number that has not been given out, neither in the range of a lease nor in a chunk. */
    private long end;

    /** The end of the chunk from which single handles come. */
    private long chunkEnd;

    /** The next number of each slot in the chunk. A slot is used up if its number is not below the end of the chunk. */
    private final long[] next = new long[Slots.SLOTS];

    /** Gives the sequence numbers that are reserved for one owner. */
    public interface Source {
        /** The numbers that may be given out now. */
        Block current();

        /**
         * Reports how far the owner's counter has come, so that more numbers are reserved in time. The call does not
         * wait.
         *
         * @param next the first number that has not been given out
         */
        void used(long next);
    }

    /**
     * Numbers of one incarnation that may be given out.
     *
     * @param first the lowest number that no earlier process can have given out
     * @param ceiling the first number that is not reserved
     */
    public record Block(int incarnation, long first, long ceiling) {}

    /** @param owner id of this IO server */
    public DatafileHandles(int owner, Source source) {
        this.owner = owner;
        this.source = source;
    }

    /** Returns a handle of the slot that was never given out; empty if no number is reserved for the handle yet. */
    public synchronized Optional<Handle> take(int slot) {
        refresh();
        while (next[slot] >= chunkEnd) {
            long first = end;
            long count = Math.min(CHUNK, source.current().ceiling() - first);
            if (count <= 0) {
                source.used(first);
                return Optional.empty();
            }
            give(count);
            chunkEnd = end;
            Arrays.setAll(next, each -> first + Math.floorMod(each - first, (long) Slots.SLOTS));
        }
        long number = next[slot];
        next[slot] = number + Slots.SLOTS;
        return Optional.of(Handle.of(owner, incarnation, number));
    }

    /**
     * Returns consecutive handles that were never given out; empty if not enough numbers are reserved yet.
     *
     * @param count number of handles
     */
    public synchronized Optional<HandleRange> takeRange(int count) {
        refresh();
        if (source.current().ceiling() - end < count) {
            source.used(source.current().ceiling());
            return Optional.empty();
        }
        Handle first = Handle.of(owner, incarnation, end);
        give(count);
        return Optional.of(HandleRange.of(first, count));
    }

    private void refresh() {
        Block block = source.current();
        if (block.incarnation() != incarnation) {
            incarnation = block.incarnation();
            end = Math.max(1, block.first());
            chunkEnd = end;
            Arrays.fill(next, end);
        }
    }

    private void give(long count) {
        end += count;
        source.used(end);
    }
}
