package io.steadfs.ioserver.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CountedReadsTest {
    @Test
    void aReadWaitsUntilAThreadBeginsIt() {
        Deque<Runnable> queue = new ArrayDeque<>();
        CountedReads reads = new CountedReads(queue::add);
        reads.execute(() -> assertThat(reads.waiting()).isEqualTo(1));
        reads.execute(() -> assertThat(reads.waiting()).isZero());
        assertThat(reads.waiting()).isEqualTo(2);
        queue.remove().run();
        queue.remove().run();
        assertThat(reads.waiting()).isZero();
    }

    @Test
    void oneThatIsNotTakenDoesNotWait() {
        for (Throwable failure : new Throwable[] {
            new RejectedExecutionException("full"), new OutOfMemoryError("unable to create native thread")
        }) {
            CountedReads reads = new CountedReads(read -> fail(failure));
            assertThatThrownBy(() -> reads.execute(() -> {})).isSameAs(failure);
            assertThat(reads.waiting()).isZero();
        }
    }

    /** Of an executor that runs the read itself. */
    @Test
    void oneThatFailsIsCountedOnce() {
        CountedReads reads = new CountedReads(Runnable::run);
        for (Throwable failure :
                new Throwable[] {new RejectedExecutionException("its own"), new AssertionError("no")}) {
            assertThatThrownBy(() -> reads.execute(() -> fail(failure))).isSameAs(failure);
            assertThat(reads.waiting()).isZero();
        }
    }

    private static void fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
