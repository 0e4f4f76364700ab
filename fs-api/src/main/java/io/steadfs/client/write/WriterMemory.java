package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.call.Turns;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes memory for the units of one writer from the {@link StreamMemory} of the process. If no memory is free, the
 * writer waits. Any thread may call {@link #giveBack}. All other methods must be called in the writer's turn.
 *
 * <p>A waiting writer keeps no incomplete unit in memory, so that other streams can go on.
 */
final class WriterMemory implements StreamMemory.Holder {
    private final StripedWriter writer;
    private final WriteFailure failure;
    private final Courier courier;
    private final Turns turns;
    private final int unitBytes;

    /** The future of the memory for which the writer waits; null if the writer does not wait. */
    private @Nullable CompletableFuture<Void> waiting;
    /** Bytes of memory that came after a wait, for the next unit. */
    private int granted;

    WriterMemory(StripedWriter writer, WriteFailure failure, Courier courier, Turns turns, int unitBytes) {
        this.writer = writer;
        this.failure = failure;
        this.courier = courier;
        this.turns = turns;
        this.unitBytes = unitBytes;
    }

    private StreamMemory memory() {
        return courier.memory();
    }

    /** Whether the writer waits for memory. A waiting writer takes no bytes. */
    boolean isAwaited() {
        return waiting != null;
    }

    /**
     * Takes memory for a new unit. If the wanted size is not free, takes the least size of a unit.
     *
     * @return bytes taken; 0 if not even the least size is free
     */
    int take(int wanted) {
        int taken = granted;
        granted = 0;
        if (taken == 0 && memory().tryTake(wanted)) {
            taken = wanted;
        }
        int least = Math.min(wanted, WriteUnit.FIRST_CAPACITY);
        if (taken == 0 && memory().tryTake(least)) {
            taken = least;
        }
        if (taken > 0) {
            memory().keeps(this);
        }
        return taken;
    }

    /** Sends the present unit of every column, and begins to wait for memory. */
    void await() {
        writer.cutAll();
        if (waiting == null && !failure.hasBegun()) {
            int least = Math.min(unitBytes, WriteUnit.FIRST_CAPACITY);
            CompletableFuture<Void> taken = memory().take(least, courier);
            waiting = taken;
            var unused = taken.whenComplete((done, refused) -> turns.bring(() -> arrived(taken, least, refused)));
        }
    }

    private void arrived(CompletableFuture<Void> taken, int bytes, @Nullable Throwable refused) {
        boolean wanted = waiting == taken;
        waiting = wanted ? null : waiting;
        if (refused == null && (failure.isFinal() || !wanted)) {
            memory().giveBack(bytes);
        } else if (refused == null) {
            granted += bytes;
            memory().keeps(this);
            writer.roomAgain();
        } else if (!failure.isFinal() && wanted) {
            failure.failAfter(refused);
        }
    }

    /**
     * Gives back unused memory, because other streams need memory. Also sends the incomplete units, because the
     * acknowledgements free their memory.
     */
    @Override
    public void giveBack() {
        turns.bring(() -> {
            memory().giveBack(granted);
            granted = 0;
            if (!failure.hasBegun()) {
                writer.cutAll();
            }
        });
    }

    /**
     * Gives back all memory of the writer except the memory of units. The units must have given back their memory
     * before.
     */
    void giveBackAll() {
        memory().keepsNothing(this);
        memory().giveBack(granted);
        granted = 0;
        CompletableFuture<Void> waited = waiting;
        waiting = null;
        if (waited != null) {
            waited.cancel(false);
        }
    }
}
