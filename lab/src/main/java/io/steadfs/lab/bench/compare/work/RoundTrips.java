package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * The bare message: sends {@value #BYTES} bytes over a TCP connection of this machine's loopback interface to another
 * thread, which sends as many back. Both threads wait in the system's calls. Each round has a connection of its own.
 */
public final class RoundTrips implements Work {
    public static final int BYTES = 200;

    private Optional<SocketChannel> connection = Optional.empty();

    @Override
    public void prepare(int operations) throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel channel = SocketChannel.open(listening.getLocalAddress());
            connection = Optional.of(channel);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SocketChannel peer = listening.accept();
            peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
            Thread echo = new Thread(() -> echo(peer), "bench-echo");
            echo.setDaemon(true);
            echo.start();
        }
    }

    /** Sends everything back, until the other side closes the connection or this side fails. */
    private static void echo(SocketChannel peer) {
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        try (peer) {
            while (true) {
                receive(peer, message);
                send(peer, message);
            }
        } catch (IOException e) {
            // The connection has ended. If that was a failure, the other side reads the end of the connection, too.
        }
    }

    @Override
    public void run(int operations, Latencies latencies) throws IOException {
        SocketChannel channel = connection.orElseThrow();
        ByteBuffer message = ByteBuffer.allocateDirect(BYTES);
        for (int i = 0; i < operations; i++) {
            long begun = System.nanoTime();
            message.clear();
            send(channel, message);
            receive(channel, message);
            latencies.record(System.nanoTime() - begun);
        }
    }

    private static void send(SocketChannel to, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            to.write(message);
        }
    }

    /** Receives a whole message, and leaves the buffer ready to be sent. */
    private static void receive(SocketChannel from, ByteBuffer message) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            if (from.read(message) < 0) {
                throw new EOFException("the other thread closed the connection");
            }
        }
        message.flip();
    }

    @Override
    public void clean() throws IOException {
        connection.orElseThrow().close();
        connection = Optional.empty();
    }
}
