package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * Handles for new datafiles, from sequence numbers that are reserved for this process in blocks. Leases take ranges of numbers. Handles for
 * single datafiles come from chunks, which are ranges of at most {@value #CHUNK} numbers. In a chunk each slot counts through its own
 * numbers, so that a handle tells its lane. Therefore ranges of leases mostly follow each other. Numbers that are left of a block when the
 * server stops, or of a chunk when one of its slots is used up, are never used. Thread-safe.
 */
public final class DatafileHandles {
    /** Numbers in a chunk. */
    private static final long CHUNK = 1024;

    private final int owner;
    private final Source source;

    private int incarnation = -1;
    /** All numbers below it were given out, as ranges of leases or as chunks. */
    private long end;

    /** The end of the chunk from which single handles come. */
    private long chunkEnd;

    /** The next number of each slot in the chunk; at or above the chunk's end if the slot is used up. */
    private final long[] next = new long[Slots.SLOTS];

    /** Reserved sequence numbers of one owner. */
    public interface Source {
        /** The numbers that may be given out now. */
        Block current();

        /** Reports how far the owner's counter is, so that more numbers are reserved in time. Returns at once. */
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

    /** This many consecutive handles that were never given out; empty while not enough numbers are reserved. */
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
