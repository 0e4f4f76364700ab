package io.steadfs.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ThreadSchedulerTest {
    @Test
    void runsTasksOnItsThreadAfterTheirDelayEvenAfterOneThatThrows() throws InterruptedException {
        long begin = System.nanoTime();
        CountDownLatch ran = new CountDownLatch(1);
        AtomicBoolean cancelledRan = new AtomicBoolean();
        String[] thread = new String[1];
        try (ThreadScheduler scheduler = new ThreadScheduler("test-timer")) {
            scheduler.after(1, () -> {
                throw new IllegalStateException("thrown on purpose");
            });
            // Until it is cancelled, its thread has something else to do.
            CountDownLatch cancelled = new CountDownLatch(1);
            scheduler.after(0, () -> awaitUnlessInterrupted(cancelled));
            Scheduler.Cancellable taken = scheduler.after(10, () -> cancelledRan.set(true));
            taken.cancel();
            cancelled.countDown();
            scheduler.after(30, () -> {
                thread[0] = Thread.currentThread().getName();
                ran.countDown();
            });
            assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(30_000_000);
        assertThat(thread[0]).isEqualTo("test-timer");
        assertThat(cancelledRan).isFalse();
    }

    private static void awaitUnlessInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aClosedSchedulerDropsTasks() {
        AtomicBoolean ran = new AtomicBoolean();
        ThreadScheduler scheduler = new ThreadScheduler("test-timer");
        scheduler.after(60_000, () -> ran.set(true));
        scheduler.close();
        scheduler.after(0, () -> ran.set(true)).cancel();
        assertThat(ran).isFalse();
    }

    @Test
    void theSystemClockGoesForward() {
        SystemClock clock = new SystemClock();
        long first = clock.monotonicNanos();
        assertThat(clock.monotonicNanos()).isGreaterThanOrEqualTo(first);
        assertThat(clock.wallMillis()).isGreaterThan(1_700_000_000_000L);
    }
}
