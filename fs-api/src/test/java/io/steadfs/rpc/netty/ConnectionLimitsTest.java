package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.PeerName;
import io.steadfs.hello.TestHello;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.ReplyHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    /** @param from an address of the loopback network */
    private static Socket connect(Loopback net, String from, Optional<String> user) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(20_000);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), net.address().port()));
        if (user.isPresent()) {
            Introduction introduction = new Introduction(PeerIdentity.client(user.get()), Optional.empty());
            socket.getOutputStream()
                    .write(RawFrames.bytes(FrameEncoder.hello(
                            UnpooledByteBufAllocator.DEFAULT,
                            new HelloOpener(introduction, PeerName.ANYBODY).first())));
        }
        return socket;
    }

    private static void isServed(Socket socket) throws IOException {
        socket.getOutputStream().write(RawFrames.request(1, "a"));
        ReplyHeader answer = RawFrames.readReply(new DataInputStream(socket.getInputStream()));
        assertThat(answer.getCall()).isEqualTo(1);
        assertThat(answer.getError()).isEqualTo(FsError.OK.code());
    }

    private static void isRefused(Socket socket, FsError error, String... words) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        ReplyHeader answer = RawFrames.readReply(in);
        assertThat(answer.getCall()).isZero();
        assertThat(FsError.byCode(answer.getError())).contains(error);
        assertThat(answer.getMessage()).contains(words);
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void oneAddressHasABound() throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, Map.of("stead.rpc.connections.address.max", "2"))) {
            try (Socket first = connect(net, "127.0.0.5", Optional.of("alice"));
                    Socket second = connect(net, "127.0.0.5", Optional.of("bob"))) {
                isServed(first);
                isServed(second);
                // Connected only now: the server's threads may come to a later one first.
                try (Socket third = connect(net, "127.0.0.5", Optional.of("carol"));
                        Socket elsewhere = connect(net, "127.0.0.6", Optional.of("alice"))) {
                    isRefused(third, FsError.BUSY, "2 connections of 127.0.0.5", "connections.address.max is 2");
                    isServed(elsewhere);
                    assertThat(net.serverCounters.snapshot()).containsEntry("connections.refused", 1L);
                }
            }
            Loopback.await("all gone", () -> net.server.connections() == 0);
            try (Socket again = connect(net, "127.0.0.5", Optional.of("alice"))) {
                isServed(again);
            }
        }
    }

    @Test
    void oneUserHasABound() throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, Map.of("stead.rpc.connections.user.max", "2"))) {
            try (Socket first = connect(net, "127.0.0.5", Optional.of("alice"));
                    Socket second = connect(net, "127.0.0.6", Optional.of("alice"))) {
                isServed(first);
                isServed(second);
                try (Socket third = connect(net, "127.0.0.7", Optional.of("alice"));
                        Socket other = connect(net, "127.0.0.7", Optional.of("bob"))) {
                    isRefused(third, FsError.BUSY, "2 connections of user 'alice'", "connections.user.max is 2");
                    isServed(other);
                }
            }
            Loopback.await("all gone", () -> net.server.connections() == 0);
            try (Socket again = connect(net, "127.0.0.7", Optional.of("alice"))) {
                isServed(again);
            }
        }
    }

    @Test
    void aCrowdOfClientsDoesNotPartServers() throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, Map.of("stead.rpc.connections.max", "2"))) {
            try (Socket first = connect(net, "127.0.0.1", Optional.of("alice"));
                    Socket second = connect(net, "127.0.0.1", Optional.of("alice"));
                    NettyTransport server = new NettyTransport(
                            net.loops, net.options, new MessageCounters(), net.clock, TestHello.server())) {
                isServed(first);
                isServed(second);
                Reply busy = net.ask("a client");
                assertThat(busy.error()).isEqualTo(FsError.BUSY);
                Reply served = Loopback.get(server.send(net.address(), Loopback.stat("a server"), 20_000));
                assertThat(Loopback.pathOf(served)).isEqualTo("a server");
            }
        }
    }

    /** A client host that is a server's host too: its clients fill the address, and the server is served all the same. */
    @Test
    void clientsOfAServersAddressDoNotPartIt() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connections.address.max", "2");
        try (Loopback net = new Loopback(Loopback::echo, settings);
                Socket first = connect(net, "127.0.0.1", Optional.of("alice"));
                Socket second = connect(net, "127.0.0.1", Optional.of("bob"));
                NettyTransport server = new NettyTransport(
                        net.loops, net.options, new MessageCounters(), net.clock, TestHello.server())) {
            isServed(first);
            isServed(second);
            Reply busy = net.ask("a client");
            assertThat(busy.error()).isEqualTo(FsError.BUSY);
            assertThat(busy.header().getMessage()).contains("stead.rpc.connections.address.max is 2");
            Reply served = Loopback.get(server.send(net.address(), Loopback.stat("a server"), 20_000));
            assertThat(Loopback.pathOf(served)).isEqualTo("a server");
        }
    }

    @Test
    void oneAddressHasABoundBeforeItSaysWhoItIs() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connections.address.max", "2");
        List<Socket> silent = new ArrayList<>();
        try (Loopback net = new Loopback(Loopback::echo, settings)) {
            try {
                for (int i = 0; i < 2 + ConnectionLimits.FOR_SERVERS; i++) {
                    silent.add(connect(net, "127.0.0.5", Optional.empty()));
                }
                Loopback.await("all open", () -> net.server.connections() == silent.size());
                try (Socket more = connect(net, "127.0.0.5", Optional.empty());
                        Socket elsewhere = connect(net, "127.0.0.6", Optional.of("alice"))) {
                    isRefused(more, FsError.BUSY, "of 127.0.0.5", "stead.rpc.connections.address.max is 2");
                    isServed(elsewhere);
                }
            } finally {
                for (Socket each : silent) {
                    each.close();
                }
            }
        }
    }

    @Test
    void whoSaysNothingIsClosedAndSoIsOneTooMany() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connections.max", "2", "stead.rpc.hello.timeout", "2000");
        try (Loopback net = new Loopback(Loopback::echo, settings)) {
            List<Socket> silent = new ArrayList<>();
            try {
                for (int i = 0; i < 2 + ConnectionLimits.FOR_SERVERS; i++) {
                    silent.add(connect(net, "127.0.0.1", Optional.empty()));
                }
                Loopback.await("all open", () -> net.server.connections() == silent.size());
                try (Socket more = connect(net, "127.0.0.1", Optional.empty())) {
                    isRefused(more, FsError.BUSY, "stead.rpc.connections.max is 2");
                }
                for (Socket each : silent) {
                    isRefused(each, FsError.BAD_MESSAGE, "no HELLO came within 2000 ms", "stead.rpc.hello.timeout");
                }
            } finally {
                for (Socket each : silent) {
                    each.close();
                }
            }
            Loopback.await("room again", () -> net.server.connections() == 0);
            assertThat(Loopback.pathOf(net.ask("good"))).isEqualTo("good");
        }
    }
}
