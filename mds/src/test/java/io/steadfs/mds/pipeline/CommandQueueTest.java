package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.mds.pipeline.CommandQueue.Offered;
import io.steadfs.mds.testing.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CommandQueueTest {
    private final CommandQueue queue = new CommandQueue(3, 100);

    private static Command<Long> of(int bytes) {
        return new Outcome<>((view, inputs) -> Decision.of(1L), bytes);
    }

    @Test
    void bytesAreBoundedExactlyAndComeBackWhenTaken() {
        assertThat(queue.offer(of(60))).isEqualTo(Offered.ACCEPTED);
        assertThat(queue.offer(of(41))).isEqualTo(Offered.FULL);
        assertThat(queue.offer(of(40))).isEqualTo(Offered.ACCEPTED);
        assertThat(queue.offer(of(1))).isEqualTo(Offered.FULL);
        assertThat(queue.take(1, 60, false)).hasSize(1);
        assertThat(queue.offer(of(60))).isEqualTo(Offered.ACCEPTED);
        assertThat(queue.offer(of(1))).isEqualTo(Offered.FULL);
    }

    @Test
    void onlyTheFirstOfABatchMayExceedItsBytes() {
        queue.offer(of(50));
        queue.offer(of(50));
        assertThat(queue.take(3, 49, false)).isEmpty();
        assertThat(queue.take(0, 100, true)).isEmpty();
        assertThat(queue.take(-1, 100, true)).isEmpty();
        assertThat(queue.take(3, 49, true)).hasSize(1);
        assertThat(queue.take(3, 50, false)).hasSize(1);
        assertThat(queue.take(3, 50, true)).isEmpty();
    }

    @Test
    void aClosedQueueGivesBackWhatItHas() {
        Command<Long> first = of(1);
        queue.offer(first);
        assertThat(queue.isClosed()).isFalse();
        assertThat(queue.close()).isEqualTo(List.of(first));
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.size()).isZero();
        assertThat(queue.offer(of(1))).isEqualTo(Offered.CLOSED);
        assertThat(queue.close()).isEmpty();
    }

    @Test
    void aWaitForMoreEndsWithTheTime() throws InterruptedException {
        queue.offer(of(1));
        long begun = System.nanoTime();
        queue.await(2, TimeUnit.MILLISECONDS.toNanos(30));
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
        queue.await(2, 0);
        queue.await(1, TimeUnit.DAYS.toNanos(1));
    }

    @Test
    void whoWaitsIsWokenByACommandAndTheEnd() throws InterruptedException {
        Thread forCommand = started(queue::await);
        queue.offer(of(1));
        forCommand.join();

        Thread forMore = started(() -> queue.await(3, TimeUnit.DAYS.toNanos(1)));
        queue.offer(of(1), false);
        queue.offer(of(1), false);
        queue.wake();
        forMore.join();

        Thread forEnd = started(() -> queue.await(4, TimeUnit.DAYS.toNanos(1)));
        queue.close();
        forEnd.join();
    }

    private interface Wait {
        void run() throws InterruptedException;
    }

    /** A thread that waits already, unless the wait ended at once. */
    private static Thread started(Wait wait) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                wait.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(thread.isAlive()).as("waits").isTrue();
        return thread;
    }
}
