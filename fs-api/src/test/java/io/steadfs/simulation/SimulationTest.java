package io.steadfs.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.util.LeakPresenceDetector;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.WriteReply;
import io.steadfs.wire.proto.WriteRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final ServerAddress SERVER = new ServerAddress("server", 1);

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryNetwork network = new MemoryNetwork(time, 1);

    @AfterEach
    void everyBufferWasReleased() {
        LeakPresenceDetector.check();
    }

    @Test
    void tasksRunAtTheirMomentsInOrder() {
        List<String> ran = new ArrayList<>();
        time.after(30, () -> ran.add("late at " + time.monotonicNanos() / 1_000_000));
        time.after(10, () -> ran.add("early"));
        Scheduler.Cancellable taken = time.after(20, () -> ran.add("taken back"));
        taken.cancel();
        time.runFor(29);
        assertThat(ran).containsExactly("early");
        time.runFor(1);
        assertThat(ran).containsExactly("early", "late at 30");
        assertThat(time.runNext()).isFalse();
        assertThatThrownBy(() -> time.runUntil("never", () -> false, 10)).hasMessageContaining("never");
    }

    @Test
    void whatAClientIsToldOfServersThatGo() {
        Transport client = network.client("a");
        assertThat(ended(client.send(SERVER, write(1), 1000))).isEqualTo(FsError.UNREACHABLE);

        network.start(SERVER, call -> call.request().payload().release());
        assertThat(ended(client.send(SERVER, write(1), 1000))).isEqualTo(FsError.TIMED_OUT);

        CompletableFuture<Reply> inFlight = client.send(SERVER, write(1), 1000);
        time.runFor(10);
        network.crash(SERVER);
        assertThat(ended(inFlight)).isEqualTo(FsError.CONNECTION_LOST);

        network.start(SERVER, SimulationTest::echo);
        assertThat(ended(client.send(SERVER, write(1), 1000))).isEqualTo(FsError.OK);

        network.cut("a", SERVER);
        assertThat(ended(client.send(SERVER, write(1), 1000))).isEqualTo(FsError.TIMED_OUT);
        network.heal("a", SERVER);
        assertThat(ended(client.send(SERVER, write(1), 1000))).isEqualTo(FsError.OK);
    }

    @Test
    void aCallTakenBackIsSeenByTheServer() {
        List<RequestHandler.Call> kept = new ArrayList<>();
        network.start(SERVER, call -> {
            call.request().payload().release();
            kept.add(call);
        });
        CompletableFuture<Reply> future = network.client("a").send(SERVER, write(1), 1000);
        time.runFor(10);
        assertThat(kept.get(0).isCancelled()).isFalse();
        future.cancel(false);
        time.runFor(10);
        assertThat(kept.get(0).isCancelled()).isTrue();
    }

    private FsError ended(CompletableFuture<Reply> future) {
        time.runUntil("reply", future::isDone, 10_000);
        Reply reply = future.join();
        reply.payload().release();
        return reply.error();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theSameSeedGivesTheSameRun(long seed) {
        List<String> first = new Run(seed).trace();
        assertThat(new Run(seed).trace()).as("seed %d", seed).isEqualTo(first);
        assertThat(new Run(seed + 100).trace()).isNotEqualTo(first);
        assertThat(first.toString())
                .contains("is lost", "reply to", "gets TIMED_OUT", "gets CONNECTION_LOST", "gets OK");
    }

    /** Three clients write to a server that crashes twice; each repeats its write until it is done. */
    private static final class Run {
        private final SimulatedTime time;
        private final MemoryNetwork network;
        private final Set<String> done = new HashSet<>();

        Run(long seed) {
            time = new SimulatedTime(seed);
            network = new MemoryNetwork(time, seed);
            network.setFaults(Faults.MANY);
            network.start(SERVER, this::slowly);
            for (String name : List.of("a", "b", "c")) {
                Transport client = network.client(name);
                for (int i = 0; i < 50; i++) {
                    repeat(client, name + i, i);
                }
            }
            for (int crash = 1; crash <= 2; crash++) {
                time.after(crash * 30L, () -> network.crash(SERVER));
                time.after(crash * 30L + 20, () -> network.start(SERVER, this::slowly));
            }
            time.runUntil("all writes done, seed " + seed, () -> done.size() == 150, 100_000);
            time.runFor(1000);
        }

        private void slowly(RequestHandler.Call call) {
            time.after(5, () -> echo(call));
        }

        private void repeat(Transport client, String name, int number) {
            var unused = client.send(SERVER, write(number), 200).thenAccept(reply -> {
                if (reply.isOk()) {
                    Payload.Bytes bytes = (Payload.Bytes) reply.payload();
                    assertThat(bytes.buffer().toString(StandardCharsets.UTF_8)).isEqualTo("payload " + number);
                    done.add(name);
                } else {
                    time.after(10, () -> repeat(client, name, number));
                }
                reply.payload().release();
            });
        }

        List<String> trace() {
            return network.trace();
        }
    }

    private static void echo(RequestHandler.Call call) {
        WriteRequest asked = (WriteRequest) call.request().body();
        call.reply(Reply.ok(
                WriteReply.newBuilder().setLength(asked.getOffset()).build(),
                call.request().payload()));
    }

    private static Request write(int number) {
        byte[] payload = ("payload " + number).getBytes(StandardCharsets.UTF_8);
        return new Request(
                Kind.WRITE,
                RequestHeader.newBuilder().setKind(Kind.WRITE.number()).build(),
                WriteRequest.newBuilder().setOffset(number).build(),
                new Payload.Bytes(Unpooled.wrappedBuffer(payload)));
    }
}
