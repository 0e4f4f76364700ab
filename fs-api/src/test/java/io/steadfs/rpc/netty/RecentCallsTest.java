package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessage;
import io.steadfs.recent.RecentMessages;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.RecentDoor;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RecentMessagesReply;
import io.steadfs.wire.proto.RecentMessagesRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What both ends of a connection keep of a call. */
@Timeout(60)
class RecentCallsTest {
    private static final long TRACE = 0xfeedL;

    private static Request traced(String path) {
        Request request = Loopback.stat(path);
        RequestHeader header = request.header().toBuilder().setTraceId(TRACE).build();
        return new Request(request.kind(), header, request.body(), request.payload());
    }

    @Test
    void bothEndsKeepTheSameCall() throws IOException {
        try (Loopback loopback = new Loopback(Loopback::echo)) {
            Loopback.get(loopback.send(traced("a")));
            Loopback.get(loopback.send(traced("b")));

            List<RecentMessage> sent = loopback.clientCounters.recent().of(TRACE);
            List<RecentMessage> received = loopback.serverCounters.recent().of(TRACE);
            assertThat(sent).hasSize(2).allMatch(each -> !each.received());
            assertThat(received).hasSize(2).allMatch(RecentMessage::received);
            for (int i = 0; i < 2; i++) {
                RecentMessage out = sent.get(i);
                RecentMessage in = received.get(i);
                assertThat(in.kind()).isEqualTo(Kind.STAT).isEqualTo(out.kind());
                assertThat(in.call()).isEqualTo(out.call());
                assertThat(in.senderPort()).isEqualTo(out.senderPort()).isPositive();
                assertThat(in.bytes()).isEqualTo(out.bytes()).isPositive();
                assertThat(in.step()).isEqualTo("test");
                assertThat(out.peer()).isEqualTo(loopback.address().toString());
                // By TCP or by the socket file.
                assertThat(in.peer()).endsWith(Integer.toString(out.senderPort()));
                assertThat(in.outcome()).isEqualTo(FsError.OK);
                assertThat(in.times().begun())
                        .isBetween(out.times().begun(), in.times().ended());
                assertThat(in.times().ended()).isLessThanOrEqualTo(out.times().ended());
            }
        }
    }

    @Test
    void theFirstStartAndTheLastCommitCount() throws IOException {
        try (Loopback loopback = new Loopback(call -> {
            call.mark(Moment.STARTED);
            call.mark(Moment.COMMIT_BEGUN);
            call.mark(Moment.COMMIT_ENDED);
            call.mark(Moment.STARTED);
            call.mark(Moment.COMMIT_BEGUN);
            call.mark(Moment.COMMIT_ENDED);
            call.reply(Loopback.answerTo(call));
        })) {
            Loopback.get(loopback.send(traced("a")));
            var times = loopback.serverCounters.recent().of(TRACE).get(0).times();
            assertThat(List.of(times.begun(), times.started(), times.commitBegun(), times.commitEnded(), times.ended()))
                    .isSorted();
            assertThat(times.hasCommit()).isTrue();
        }
    }

    @Test
    void aCommitThatDidNotEndIsNone() throws IOException {
        try (Loopback loopback = new Loopback(call -> {
            call.mark(Moment.COMMIT_BEGUN);
            call.mark(Moment.COMMIT_ENDED);
            call.mark(Moment.COMMIT_BEGUN);
            call.reply(Loopback.answerTo(call));
        })) {
            Loopback.get(loopback.send(traced("a")));
            assertThat(loopback.serverCounters.recent().of(TRACE).get(0).times().hasCommit())
                    .isFalse();
        }
    }

    @Test
    void theSenderKeepsWhatWasNotAnswered() throws IOException {
        LinkedBlockingQueue<Reply> never = new LinkedBlockingQueue<>();
        HandClock clock = new HandClock();
        try (Loopback loopback = new Loopback(call -> never.add(Loopback.answerTo(call)), Loopback.QUICK_STOP, clock)) {
            CompletableFuture<Reply> late = loopback.transport.send(loopback.address(), traced("late"), 50);
            Loopback.await("the first arrives", () -> never.size() == 1);
            clock.move(50);
            assertThat(Loopback.get(late).error()).isEqualTo(FsError.TIMED_OUT);
            CompletableFuture<Reply> cancelled = loopback.send(traced("cancelled"));
            Loopback.await("the second arrives", () -> never.size() == 2);
            cancelled.cancel(false);
            RecentMessages recent = loopback.clientCounters.recent();
            Loopback.await("it is given up", () -> recent.of(TRACE).size() == 2);
            assertThat(recent.of(TRACE).stream().map(RecentMessage::outcome))
                    .containsExactly(FsError.CANCELLED, FsError.TIMED_OUT);
            assertThat(loopback.serverCounters.recent().of(TRACE)).isEmpty();
        }
    }

    @Test
    void theDoorTellsAndLetsAllElsePass() throws IOException {
        RecentMessages kept = new RecentMessages(10);
        for (int call = 1; call <= 20; call++) {
            kept.received(
                    call % 2,
                    Kind.STAT,
                    "stat",
                    "somebody:1",
                    1,
                    call,
                    0,
                    FsError.OK,
                    new MessageTimes(call, 0, 0, 0, call + 1));
        }
        try (Loopback loopback = new Loopback(new RecentDoor(Loopback::echo, kept, new SystemClock()))) {
            assertThat(Loopback.pathOf(loopback.ask("passes"))).isEqualTo("passes");
            RecentMessagesReply first =
                    recent(loopback, RecentMessagesRequest.newBuilder().setLimit(4));
            assertThat(first.getMessagesList().stream().map(each -> each.getCall()))
                    .containsExactly(20L, 19L, 18L, 17L);
            assertThat(first.getCapacity()).isEqualTo(10);
            RecentMessagesReply ofOne = recent(
                    loopback, RecentMessagesRequest.newBuilder().setTraceId(1).setBefore(first.getNextBefore()));
            assertThat(ofOne.getMessagesList().stream().map(each -> each.getCall()))
                    .containsExactly(15L, 13L, 11L);
            assertThat(ofOne.getNextBefore()).isZero();
        }
    }

    private static RecentMessagesReply recent(Loopback loopback, RecentMessagesRequest.Builder request) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.RECENT_MESSAGES.number())
                .build();
        Reply reply =
                Loopback.get(loopback.send(new Request(Kind.RECENT_MESSAGES, header, request.build(), Payload.EMPTY)));
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return (RecentMessagesReply) reply.body();
    }
}
