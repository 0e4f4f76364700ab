package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StepMeterTest {
    private static final ServerAddress SERVER = new ServerAddress("localhost", 1);

    private final Held held = new Held();
    private final StepMeter meter = new StepMeter(held);
    private CompletableFuture<Reply> last = new CompletableFuture<>();

    @Test
    void whatIsSentBehindAnAnswerIsTheNextStep() {
        send(meter);
        held.answer();
        send(meter);
        send(meter);
        held.answer();
        held.answer();

        assertThat(meter.steps()).isEqualTo(2);
    }

    @Test
    void theFirstOfTwoIsAnsweredBeforeTheOtherIsSent() {
        send(meter);
        held.answer();
        Transport together = meter.line();
        send(together.line());
        held.answer();
        send(together.line());
        held.answer();

        assertThat(meter.steps()).isEqualTo(2);
        send(meter);
        held.answer();
        assertThat(meter.steps()).isEqualTo(3);
    }

    @Test
    void whatIsSentAgainIsAnotherStep() {
        Transport together = meter.line();
        Transport one = together.line();
        Transport other = together.line();
        send(one);
        held.answer();
        send(one);
        held.answer();
        assertThat(meter.steps()).isEqualTo(2);
        send(other);
        held.answer();
        assertThat(meter.steps()).isEqualTo(2);
        send(other);
        held.answer();
        send(other);
        held.answer();

        assertThat(meter.steps()).isEqualTo(3);
    }

    @Test
    void messagesOfOneLineThatAreSentTogetherAreOneStep() {
        Transport line = meter.line();
        send(line);
        send(line);
        held.answer();
        held.answer();

        assertThat(meter.steps()).isEqualTo(1);
    }

    @Test
    void aLineOfALineBeginsWhereThatIs() {
        Transport line = meter.line();
        send(line);
        held.answer();
        send(line.line());
        held.answer();

        assertThat(meter.steps()).isEqualTo(2);
    }

    @Test
    void whatIsLeftOfAnEarlierOperationIsNoStep() {
        Transport line = meter.line();
        send(line);
        send(meter);
        meter.beginOperation();
        held.answer();
        held.answer();
        send(line);
        held.answer();

        assertThat(meter.steps()).isZero();
        send(meter);
        held.answer();
        assertThat(meter.steps()).isEqualTo(1);
    }

    @Test
    void cancellingReachesTheOtherTransport() {
        send(meter.line());
        last.cancel(false);

        assertThat(held.waiting.getFirst()).isCancelled();
    }

    private void send(Transport by) {
        last = by.send(
                SERVER,
                new Request(
                        Kind.LEASE_HANDLES,
                        RequestHeader.getDefaultInstance(),
                        LeaseHandlesRequest.getDefaultInstance(),
                        Payload.EMPTY),
                1_000);
    }

    /** Answers in the order of arrival, when told to. */
    private static final class Held implements Transport {
        final Deque<CompletableFuture<Reply>> waiting = new ArrayDeque<>();

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            CompletableFuture<Reply> answer = new CompletableFuture<>();
            waiting.addLast(answer);
            return answer;
        }

        void answer() {
            waiting.removeFirst().complete(Reply.ok(Kind.LEASE_HANDLES.emptyReply()));
        }

        @Override
        public void close() {}
    }
}
