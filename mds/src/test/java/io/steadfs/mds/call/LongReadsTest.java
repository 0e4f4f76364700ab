package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many long reads wait, and that no more do. */
class LongReadsTest {
    @Test
    void asManyWaitAsThereIsRoomForAndTheyAreCounted() throws InterruptedException {
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(4);
        try (LongReads reads = new LongReads(1, 3)) {
            reads.execute(() -> {
                atWork.countDown();
                await(go);
                done.countDown();
            });
            await(atWork);
            assertThat(reads.waiting()).isZero();
            for (int i = 1; i <= 3; i++) {
                reads.execute(done::countDown);
                assertThat(reads.waiting()).isEqualTo(i);
            }
            assertThatThrownBy(() -> reads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
            assertThat(reads.waiting()).isEqualTo(3);

            go.countDown();
            await(done);
            assertThat(reads.waiting()).isZero();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
