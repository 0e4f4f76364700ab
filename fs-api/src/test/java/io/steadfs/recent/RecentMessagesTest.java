package io.steadfs.recent;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecentMessagesTest {
    private static final MessageTimes TIMES = new MessageTimes(10, 20, 30, 40, 50);

    private static void note(RecentMessages ring, long traceId, long call) {
        ring.received(traceId, Kind.CREATE, "create", "10.0.0.7:4711", 4711, call, 99, FsError.OK, TIMES);
    }

    private static List<Long> calls(RecentMessages.Page page) {
        return page.messages().stream().map(RecentMessage::call).toList();
    }

    @Test
    void aNewMessageTakesTheOldestOnesPlace() {
        RecentMessages ring = new RecentMessages(4);
        for (int call = 1; call <= 10; call++) {
            note(ring, 1, call);
        }
        RecentMessages.Page page = ring.page(0, 0, 0);
        assertThat(calls(page)).containsExactly(10L, 9L, 8L, 7L);
        assertThat(page.nextBefore()).isZero();
        assertThat(ring.length()).isEqualTo(4);
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        RecentMessages ring = new RecentMessages(8);
        for (int call = 1; call <= 5; call++) {
            note(ring, 1, call);
        }
        RecentMessages.Page first = ring.page(0, 0, 2);
        assertThat(calls(first)).containsExactly(5L, 4L);
        RecentMessages.Page second = ring.page(0, first.nextBefore(), 2);
        assertThat(calls(second)).containsExactly(3L, 2L);
        RecentMessages.Page third = ring.page(0, second.nextBefore(), 2);
        assertThat(calls(third)).containsExactly(1L);
        assertThat(third.nextBefore()).isZero();
    }

    /** Between two pages the ring went on so far that nothing of the second is left. */
    @Test
    void whatWasOverwrittenMeanwhileIsLeftOut() {
        RecentMessages ring = new RecentMessages(4);
        for (int call = 1; call <= 4; call++) {
            note(ring, 1, call);
        }
        RecentMessages.Page first = ring.page(0, 0, 2);
        for (int call = 5; call <= 8; call++) {
            note(ring, 1, call);
        }
        RecentMessages.Page second = ring.page(0, first.nextBefore(), 2);
        assertThat(second.messages()).isEmpty();
        assertThat(second.nextBefore()).isZero();
    }

    @Test
    void oneOperationIsFoundAmongOthers() {
        RecentMessages ring = new RecentMessages(16);
        for (int call = 1; call <= 12; call++) {
            note(ring, 1 + call % 3, call);
        }
        assertThat(ring.of(2).stream().map(RecentMessage::call)).containsExactly(10L, 7L, 4L, 1L);
        assertThat(ring.of(77)).isEmpty();
    }

    @Test
    void aRingWithoutPlacesKeepsNothing() {
        RecentMessages ring = new RecentMessages(0);
        note(ring, 1, 1);
        assertThat(ring.page(0, 0, 0).messages()).isEmpty();
        assertThat(ring.of(1)).isEmpty();
    }

    @Test
    void noLongNameOfAStepIsKept() {
        RecentMessages ring = new RecentMessages(4);
        ring.sent(1, Kind.STAT, "x".repeat(65), "mds:1", 5, 1, 0, FsError.OK, MessageTimes.sent(1, 2));
        ring.sent(1, Kind.STAT, "x".repeat(64), "mds:1", 5, 2, 0, FsError.OK, MessageTimes.sent(1, 2));
        assertThat(ring.of(1).stream().map(RecentMessage::step)).containsExactly("x".repeat(64), "");
    }

    /** Each thread's messages are in its order; none is there twice, and none is of another number than its place's. */
    @Test
    void threadsNoteAtTheSameTime() throws InterruptedException {
        int threads = 4;
        int each = 20_000;
        RecentMessages ring = new RecentMessages(64);
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            long traceId = i;
            all.add(new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                for (int call = 1; call <= each; call++) {
                    note(ring, traceId, call);
                }
            }));
        }
        all.forEach(Thread::start);
        begin.countDown();
        for (int i = 0; i < 200; i++) {
            assertOrdered(ring.page(0, 0, 0).messages());
        }
        for (Thread thread : all) {
            thread.join();
        }
        List<RecentMessage> last = ring.page(0, 0, 0).messages();
        assertOrdered(last);
        assertThat(last).hasSize(64);
        assertThat(last.get(0).number()).isEqualTo((long) threads * each);
    }

    /** Two threads note at once in a ring with one place: the newer message is there, whoever comes last. */
    @Test
    void anOlderMessageDoesNotReplaceANewerOne() throws Exception {
        int rounds = 5_000;
        List<RecentMessages> rings =
                IntStream.range(0, rounds).mapToObj(i -> new RecentMessages(1)).toList();
        CyclicBarrier both = new CyclicBarrier(2);
        Callable<Void> noteInEach = () -> {
            for (RecentMessages ring : rings) {
                both.await(20, TimeUnit.SECONDS);
                note(ring, 1, 1);
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> each : threads.invokeAll(List.of(noteInEach, noteInEach))) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(rings)
                .allSatisfy(ring -> assertThat(ring.page(0, 0, 0).messages())
                        .extracting(RecentMessage::number)
                        .containsExactly(2L));
    }

    private static void assertOrdered(List<RecentMessage> newestFirst) {
        long[] calls = new long[5];
        Arrays.fill(calls, Long.MAX_VALUE);
        long number = Long.MAX_VALUE;
        for (RecentMessage message : newestFirst) {
            assertThat(message.number()).isLessThan(number);
            number = message.number();
            int trace = (int) message.traceId();
            assertThat(message.call()).isLessThan(calls[trace]);
            calls[trace] = message.call();
        }
    }

    @Test
    void aMessageIsTheSameBehindTheWire() {
        RecentMessages ring = new RecentMessages(4);
        note(ring, -1, 7);
        ring.sent(5, Kind.WRITE, "write", "io:1", 40_000, 8, 1 << 20, FsError.TIMED_OUT, MessageTimes.sent(-9, -3));
        for (RecentMessage message : ring.page(0, 0, 0).messages()) {
            assertThat(RecentMessage.decode(message.encode())).contains(message);
        }
    }

    @Test
    void whatALaterReleaseSaysIsUnderstoodAsFarAsItCanBe() {
        RecentMessages ring = new RecentMessages(4);
        note(ring, 1, 1);
        RecentMessage message = ring.of(1).get(0);
        assertThat(RecentMessage.decode(
                        message.encode().toBuilder().setKind(9999).build()))
                .as("another kind")
                .isEmpty();
        assertThat(RecentMessage.decode(
                                message.encode().toBuilder().setOutcome(9999).build())
                        .map(RecentMessage::outcome))
                .as("another outcome")
                .contains(FsError.FAULT);
    }
}
