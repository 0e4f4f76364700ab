package io.steadfs.cli.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.WriteRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MeteredTransportTest {
    private static final ServerAddress SERVER = new ServerAddress("localhost", 1);

    private final Held held = new Held();
    private final List<CompletableFuture<Reply>> answers = new ArrayList<>();
    private final MeteredTransport metered = new MeteredTransport(held);

    @Test
    void waitsOneAfterTheOtherAreSteps() {
        create();
        held.answer();
        assertThat(metered.steps()).isEqualTo(1);
        write();
        held.answer();
        close();
        held.answer();

        assertThat(metered.steps()).isEqualTo(3);
    }

    @Test
    void messagesSentTogetherAreOneStep() {
        create();
        held.answer();
        write();
        write();
        write();
        held.answer();
        held.answer();
        held.answer();
        close();
        held.answer();

        assertThat(metered.steps()).isEqualTo(3);
        assertThat(metered.sent()).isEqualTo(new TreeMap<>(Map.of("CREATE", 1L, "WRITE", 3L, "CLOSE", 1L)));
    }

    @Test
    void whatNeedsAnEarlierAnswerIsAnotherStepThoughOthersAreStillOut() {
        write();
        write();
        held.answer();
        write();
        held.answer();
        held.answer();

        assertThat(metered.steps()).isEqualTo(2);
    }

    @Test
    void writeDoesNotWaitForOtherColumns() {
        create();
        held.answer();
        write(0);
        held.answer();
        write(1);
        held.answer();
        assertThat(metered.steps()).isEqualTo(2);
        write(1);
        held.answer();
        close();
        held.answer();

        assertThat(metered.steps()).isEqualTo(4);
    }

    @Test
    void aColumnMayBeWrittenBehindTheAnswersOfOthers() {
        write(0);
        held.answer();
        write(0);
        held.answer();
        write(1);
        held.answer();
        assertThat(metered.steps()).isEqualTo(2);
        close();
        held.answer();

        assertThat(metered.steps()).isEqualTo(3);
    }

    @Test
    void linesThatBeginTogetherAreOneStepThoughOneIsAnsweredBeforeTheOtherIsSent() {
        Transport together = metered.line();
        send(together.line(), Kind.CREATE, CreateRequest.getDefaultInstance());
        held.answer();
        Transport late = together.line();
        send(late, Kind.CREATE, CreateRequest.getDefaultInstance());
        held.answer();
        assertThat(metered.steps()).isEqualTo(1);
        send(late, Kind.CREATE, CreateRequest.getDefaultInstance());
        held.answer();

        assertThat(metered.steps()).as("sent again").isEqualTo(2);
        assertThat(metered.sent()).containsEntry("CREATE", 3L);
    }

    @Test
    void upkeepIsCountedButIsNoStep() {
        create();
        send(Kind.RENEW_SESSION, RenewSessionRequest.getDefaultInstance());
        held.answer();
        held.answer();

        assertThat(metered.steps()).isEqualTo(1);
        assertThat(metered.sent()).containsEntry("RENEW_SESSION", 1L);
    }

    @Test
    void operationBeginsAtZero() {
        create();
        held.answer();
        metered.beginOperation();

        assertThat(metered.steps()).isZero();
    }

    @Test
    void cancellingReachesTheOtherTransport() {
        create();
        answers.get(0).cancel(false);

        assertThat(held.waiting.getFirst()).isCancelled();
    }

    private void create() {
        send(Kind.CREATE, CreateRequest.getDefaultInstance());
    }

    private void write() {
        write(0);
    }

    private void write(int column) {
        send(Kind.WRITE, WriteRequest.newBuilder().setIndex(column).build());
    }

    private void close() {
        send(Kind.CLOSE, CloseRequest.getDefaultInstance());
    }

    private void send(Kind kind, com.google.protobuf.MessageLite body) {
        send(metered, kind, body);
    }

    private void send(Transport by, Kind kind, com.google.protobuf.MessageLite body) {
        answers.add(by.send(SERVER, new Request(kind, RequestHeader.getDefaultInstance(), body, Payload.EMPTY), 1_000));
    }

    /** Answers in the order of arrival, when told to. */
    private static final class Held implements Transport {
        final Deque<CompletableFuture<Reply>> waiting = new ArrayDeque<>();
        private final Deque<Kind> kinds = new ArrayDeque<>();

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            CompletableFuture<Reply> answer = new CompletableFuture<>();
            waiting.addLast(answer);
            kinds.addLast(request.kind());
            return answer;
        }

        void answer() {
            Kind kind = kinds.removeFirst();
            waiting.removeFirst().complete(Reply.ok(kind.emptyReply()));
        }

        @Override
        public void close() {}
    }
}
