package io.steadfs.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A pool against an IO server that grants when the test says so. */
class HandlePoolTest {
    private static final long DURATION_MILLIS = 1_000;

    private final Deque<Asked> asked = new ArrayDeque<>();
    private long nanos = -5_000_000_000L; // A monotonic clock begins anywhere.
    private long next = 1;

    private final Clock clock = new Clock() {
        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };

    private record Asked(int count, CompletableFuture<HandlePool.Granted> answer) {}

    private HandlePool pool(int least, int most, boolean ahead) {
        return new HandlePool(
                count -> {
                    CompletableFuture<HandlePool.Granted> answer = new CompletableFuture<>();
                    asked.add(new Asked(count, answer));
                    return answer;
                },
                clock,
                new PoolSize(least, most, ahead));
    }

    /** The server answers the request that is under way. */
    private HandleRange grant() {
        Asked first = asked.remove();
        HandleRange range = HandleRange.of(Handle.of(4, 0, next), first.count());
        next += first.count();
        first.answer().complete(new HandlePool.Granted(range, DURATION_MILLIS));
        return range;
    }

    @Test
    void asksOnceForAllWhoWaitAndGivesEachAnother() {
        HandlePool pool = pool(4, 4, true);
        assertThat(pool.take()).isEmpty();
        List<CompletableFuture<Handle>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.add(pool.await());
        }
        assertThat(asked).hasSize(1);
        grant();
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(4);
        grant();
        Set<Handle> taken = new HashSet<>();
        waiting.forEach(each -> taken.add(each.join()));
        assertThat(taken).hasSize(6);
        assertThat(pool.atHand()).isEqualTo(2);
    }

    @Test
    void paperModeAsksOnlyWhenNoneIsLeft() {
        HandlePool pool = pool(20, 20, false);
        int grants = 0;
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Handle> handle = pool.await();
            if (!handle.isDone()) {
                grant();
                grants++;
            }
            assertThat(handle).isDone();
        }
        assertThat(grants).isEqualTo(10);
        assertThat(asked).isEmpty();
    }

    @Test
    void asksAheadWhileHalfIsThere() {
        HandlePool pool = pool(20, 20, true);
        pool.take();
        grant();
        for (int i = 0; i < 10; i++) {
            assertThat(pool.take()).isPresent();
            assertThat(asked).isEmpty();
        }
        assertThat(pool.take()).isPresent();
        assertThat(asked).hasSize(1);
        for (int i = 0; i < 9; i++) {
            assertThat(pool.take()).isPresent();
        }
        assertThat(pool.take()).isEmpty();
        grant();
        assertThat(pool.take()).isPresent();
    }

    @Test
    void leasesGrowAndShrinkWithTheRate() {
        HandlePool pool = pool(20, 4096, true);
        pool.take();
        grant();
        for (int i = 0; i < 3_000; i++) {
            nanos += 1_000_000; // A thousand in a second.
            pool.take();
            if (!asked.isEmpty()) {
                grant();
            }
        }
        assertThat(pool.length()).isBetween(1_000, 2_100);
        for (int i = 0; i < 1_500; i++) {
            nanos += 200_000_000; // Five in a second.
            pool.take();
            if (!asked.isEmpty()) {
                grant();
            }
        }
        assertThat(pool.length()).isEqualTo(20);
    }

    @Test
    void oldHandlesAreNotGivenOutUnlessTheyWereRenewed() {
        HandlePool pool = pool(4, 4, true);
        pool.take();
        HandleRange first = grant();
        nanos += 700_000_000;
        pool.renewed(Set.of(first.first()), Set.of(first.first()), nanos, DURATION_MILLIS);
        nanos += 700_000_000;
        assertThat(pool.take()).contains(first.first());
        pool.renewed(Set.of(first.first()), Set.of(), nanos, DURATION_MILLIS);
        assertThat(pool.take()).isEmpty();
        assertThat(pool.atHand()).isZero();
    }

    @Test
    void aFailureIsToldToWhoWaitsAndNotAskedAfterAtOnce() {
        HandlePool pool = pool(4, 4, true);
        CompletableFuture<Handle> waiting = pool.await();
        asked.remove().answer().completeExceptionally(new IllegalStateException("full"));
        assertThat(waiting).isCompletedExceptionally();
        assertThat(pool.await()).isCompletedExceptionally();
        assertThat(asked).isEmpty();
        nanos += 1_000_000_000;
        CompletableFuture<Handle> again = pool.await();
        grant();
        assertThat(again).isDone();
    }

    @Test
    void whatWasPutBackIsGivenOutAgainAndWhatWasDroppedIsNot() {
        HandlePool pool = pool(4, 4, true);
        pool.take();
        HandleRange range = grant();
        Handle taken = pool.take().orElseThrow();
        assertThat(taken).isEqualTo(range.first());
        pool.putBack(taken);
        assertThat(pool.take()).contains(taken);
        pool.drop(taken);
        assertThat(pool.take()).isEmpty();
        HandleRange fresh = grant();
        pool.drop(taken);
        assertThat(pool.take()).as("granted after the refused one").contains(fresh.first());
        pool.close(new IllegalStateException("closed"));
        assertThat(pool.take()).isEmpty();
        pool.putBack(taken);
        assertThat(pool.take()).isEmpty();
        assertThat(asked).isEmpty();
        assertThat(pool.await()).isCompletedExceptionally();
    }
}
