package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the thread that handles a call may wait for a disk. */
class LoneCallTest {
    private final AtomicBoolean wasAlone = new AtomicBoolean();
    private final AtomicBoolean wasOnItsThread = new AtomicBoolean();

    private void answer(RequestHandler.Call call) {
        wasAlone.set(call.isAlone());
        wasOnItsThread.set(call.isOnItsThread());
        call.reply(Loopback.answerTo(call));
    }

    private boolean isAlone(Loopback net, NettyTransport from) {
        Loopback.get(from.send(net.address(), Loopback.stat("a"), 20_000));
        return wasAlone.get();
    }

    @Test
    void aCallIsAloneIfForSomeTimeNoOtherConnectionSentARequest() throws IOException {
        try (Loopback net = new Loopback(this::answer);
                NettyTransport other = new NettyTransport(net.loops, net.options, net.clientCounters, net.clock)) {
            assertThat(isAlone(net, net.transport))
                    .as("the first of a connection")
                    .isFalse();
            Loopback.await("alone", () -> isAlone(net, net.transport));
            assertThat(isAlone(net, other)).isFalse();
            assertThat(isAlone(net, net.transport)).as("right after another's").isFalse();
            Loopback.await("alone again", () -> isAlone(net, net.transport));
            Loopback.await("the other is alone", () -> isAlone(net, other));
        }
    }

    @Test
    void aCallIsNotAloneWhileAnotherIsAtWorkAndNotOnAnotherThread() throws IOException {
        Queue<RequestHandler.Call> kept = new ConcurrentLinkedQueue<>();
        AtomicBoolean keep = new AtomicBoolean();
        try (Loopback net = new Loopback(call -> {
            if (keep.get()) {
                kept.add(call);
            } else {
                answer(call);
            }
        })) {
            Loopback.await("alone", () -> isAlone(net, net.transport));
            keep.set(true);
            var first = net.send(Loopback.stat("kept"));
            Loopback.await("one at work", () -> kept.size() == 1);
            assertThat(kept.element().isAlone()).as("not on another thread").isFalse();
            assertThat(kept.element().isOnItsThread()).isFalse();
            assertThat(wasOnItsThread).isTrue();
            keep.set(false);
            assertThat(isAlone(net, net.transport)).isFalse();
            RequestHandler.Call call = kept.remove();
            call.reply(Loopback.answerTo(call));
            Loopback.get(first);
            Loopback.await("alone again", () -> isAlone(net, net.transport));
        }
    }

    @Test
    void requestsAreLoneIfEachComesAWhileAfterTheAnswerBefore() {
        LoneRequests requests = new LoneRequests();
        for (int i = 0; i < LoneRequests.ENOUGH; i++) {
            assertThat(requests.areLone()).isFalse();
            requests.came(true, 100 + LoneRequests.PAUSE_NANOS, 100);
        }
        assertThat(requests.areLone()).isTrue();
        requests.came(true, 99 + LoneRequests.PAUSE_NANOS, 100);
        assertThat(requests.areLone()).as("it had waited").isFalse();
        for (int i = 0; i < LoneRequests.ENOUGH; i++) {
            requests.came(true, 100 + LoneRequests.PAUSE_NANOS, 100);
        }
        assertThat(requests.areLone()).isTrue();
        requests.came(false, 100 + LoneRequests.PAUSE_NANOS, 100);
        assertThat(requests.areLone()).as("another one is at work").isFalse();
    }

    /** Threads that share a connection wait for each other if one of their requests is done at once. */
    @Test
    void manyThreadsOfOneConnectionAreNotAlone() throws Exception {
        AtomicInteger alone = new AtomicInteger();
        AtomicInteger all = new AtomicInteger();
        try (Loopback net = new Loopback(call -> {
            all.incrementAndGet();
            alone.addAndGet(call.isAlone() ? 1 : 0);
            call.reply(Loopback.answerTo(call));
        })) {
            Loopback.await("alone", () -> {
                net.ask("a");
                return alone.get() > 0;
            });
            alone.set(0);
            all.set(0);
            for (int i = 0; i < 100; i++) {
                List<CompletableFuture<Reply>> replies = new ArrayList<>();
                for (int j = 0; j < 20; j++) {
                    replies.add(net.send(Loopback.stat("b")));
                }
                replies.forEach(Loopback::get);
            }
            assertThat(all).hasValue(2_000);
            assertThat(alone.get()).isLessThan(100);
        }
    }
}
