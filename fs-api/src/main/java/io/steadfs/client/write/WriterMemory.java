package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.call.Turns;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes memory for the units of one writer out of the process's {@link StreamMemory}, and waits where none is free. All is
 * called within the writer's turn, except {@link #giveBack}, which any thread may call.
 *
 * <p>While the writer waits, it holds back no bytes, so that other streams can go on.
 */
final class WriterMemory implements StreamMemory.Holder {
    private final StripedWriter writer;
    private final WriteFailure failure;
    private final Courier courier;
    private final Turns turns;
    private final int unitBytes;

    /** A request for memory, while it is waited for. */
    private @Nullable CompletableFuture<Void> waiting;
    /** Bytes of memory that were waited for, and that go into the next unit. */
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

    /** Whether memory is waited for. The writer takes no bytes meanwhile. */
    boolean isAwaited() {
        return waiting != null;
    }

    /**
     * Takes memory for a new unit: as much as is wanted, or else the least size of a unit.
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

    /** Sends what is held back, and waits for memory. */
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

    /** Other streams need the memory. Units that wait for more bytes are sent as they are. */
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

    /** The writer needs no memory any more. The units have given back theirs before. */
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
