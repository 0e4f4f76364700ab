package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many long reads wait, and that nobody waits for all of somebody else's. */
class LongReadsTest {
    private final CountDownLatch go = new CountDownLatch(1);

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Holds a thread until the test lets go. */
    private void hold(LongReads reads, String user) {
        CountDownLatch atWork = new CountDownLatch(1);
        reads.of(user).execute(() -> {
            atWork.countDown();
            await(go);
        });
        await(atWork);
    }

    @Test
    void asManyWaitAsThereAreFreePlacesAndTheyAreCounted() {
        CountDownLatch done = new CountDownLatch(7);
        try (LongReads reads = new LongReads(1, 8)) {
            hold(reads, "anna");
            assertThat(reads.waiting()).isZero();
            for (int i = 1; i <= 4; i++) {
                reads.of("anna").execute(done::countDown);
                assertThat(reads.waiting()).isEqualTo(i);
            }
            assertThatThrownBy(() -> reads.of("anna").execute(done::countDown))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("4 long reads of user 'anna' wait already");
            reads.of("berta").execute(done::countDown);
            reads.of("berta").execute(done::countDown);
            assertThatThrownBy(() -> reads.of("berta").execute(done::countDown))
                    .isInstanceOf(RejectedExecutionException.class);
            reads.of("clara").execute(done::countDown);
            assertThat(reads.waiting()).isEqualTo(7);

            go.countDown();
            await(done);
        }
    }

    @Test
    void usersAreServedInTurn() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        try (LongReads reads = new LongReads(1, 100)) {
            hold(reads, "nobody");
            for (String each : List.of("a1", "a2", "a3", "a4", "b1", "b2", "c1")) {
                reads.of(each.substring(0, 1)).execute(() -> order.add(each));
            }
            go.countDown();
        }
        assertThat(order).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @ParameterizedTest(name = "{0} threads: {1} for one user")
    @CsvSource({"1, 1", "2, 1", "3, 2", "8, 7"})
    void oneUserHasAllThreadsButOneAndAnotherIsServedMeanwhile(int threads, int ofUser) {
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch other = new CountDownLatch(1);
        try (LongReads reads = new LongReads(threads, 1024)) {
            CountDownLatch atWork = new CountDownLatch(ofUser);
            for (int i = 0; i < 400; i++) {
                reads.of("anna").execute(() -> {
                    begun.incrementAndGet();
                    atWork.countDown();
                    await(go);
                });
            }
            await(atWork);
            reads.of("berta").execute(other::countDown);
            if (threads > 1) {
                await(other);
                assertThat(begun).hasValue(ofUser);
                assertThat(reads.waiting()).isEqualTo(400 - ofUser);
            }
            go.countDown();
        }
        assertThat(begun).hasValue(400);
        assertThat(other.getCount()).isZero();
    }

    @Test
    void aTaskThatBreaksFreesItsThread() {
        CountDownLatch done = new CountDownLatch(3);
        try (LongReads reads = new LongReads(2, 100)) {
            for (int i = 0; i < 3; i++) {
                reads.of("anna").execute(() -> {
                    done.countDown();
                    throw new IllegalStateException("broken as the test asked");
                });
            }
            await(done);
        }
    }

    @Test
    void nothingIsTakenAfterTheEnd() {
        LongReads reads = new LongReads(2, 100);
        reads.close();
        assertThatThrownBy(() -> reads.of("anna").execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(reads.waiting()).isZero();
    }
}
