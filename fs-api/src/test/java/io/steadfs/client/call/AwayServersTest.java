package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.SubstituteLogger;

class AwayServersTest {
    private static final ServerAddress SERVER = new ServerAddress("one", 1);

    private final SimulatedTime time = new SimulatedTime(1);
    private final Queue<SubstituteLoggingEvent> lines = new ArrayDeque<>();
    private final AwayServers away = new AwayServers(time, new SubstituteLogger("test", lines, false));
    private FsError answer = FsError.OK;
    private final TellingTransport transport = telling();

    private TellingTransport telling() {
        Transport answering = new Transport() {
            @Override
            public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
                return CompletableFuture.completedFuture(
                        answer == FsError.OK
                                ? Reply.ok(request.kind().emptyReply())
                                : Reply.refused(request.kind(), answer, server + ": why"));
            }

            @Override
            public void close() {}
        };
        return new TellingTransport(answering, away, time);
    }

    private void ask(TellingTransport client, Kind kind, FsError error) {
        answer = error;
        client.send(
                        SERVER,
                        new Request(
                                kind,
                                io.steadfs.wire.proto.RequestHeader.getDefaultInstance(),
                                kind.emptyRequest(),
                                Payload.EMPTY),
                        1_000)
                .join();
    }

    @Test
    void aServerThatIsAwayIsToldOnceAndOnceMoreWhenItIsBack() {
        TellingTransport other = telling();
        ask(transport, Kind.CLUSTER_MAP, FsError.OK);
        ask(other, Kind.CLUSTER_MAP, FsError.OK);
        ask(transport, Kind.STAT, FsError.UNREACHABLE);
        time.runFor(4_999);
        ask(transport, Kind.STAT, FsError.CONNECTION_LOST);
        assertThat(lines).isEmpty();
        time.runFor(1);
        ask(transport, Kind.STAT, FsError.UNREACHABLE);
        assertThat(lines).hasSize(1);
        assertThat(lines.remove().getArgumentArray()).contains(SERVER, 5L, FsError.UNREACHABLE, "one:1: why");
        time.runFor(100_000);
        ask(transport, Kind.STAT, FsError.TIMED_OUT);
        ask(other, Kind.STAT, FsError.UNREACHABLE);
        ask(transport, Kind.STAT, FsError.BUSY);
        assertThat(lines).isEmpty();
        ask(other, Kind.STAT, FsError.NOT_FOUND);
        assertThat(lines).hasSize(1);
        assertThat(lines.remove().getArgumentArray()).containsExactly(SERVER, 105L);
        ask(transport, Kind.STAT, FsError.OK);
        assertThat(lines).isEmpty();
    }

    @Test
    void aShortAbsenceAndAClientThatReachedNobodyTellNothing() {
        ask(transport, Kind.CLUSTER_MAP, FsError.UNREACHABLE);
        time.runFor(6_000);
        ask(transport, Kind.CLUSTER_MAP, FsError.UNREACHABLE);
        ask(transport, Kind.CLUSTER_MAP, FsError.OK);
        ask(transport, Kind.STAT, FsError.UNREACHABLE);
        time.runFor(4_000);
        ask(transport, Kind.STAT, FsError.OK);
        time.runFor(4_000);
        ask(transport, Kind.STAT, FsError.UNREACHABLE);
        assertThat(lines).isEmpty();
    }
}
