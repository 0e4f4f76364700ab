package io.steadfs.it.crowd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plain sockets that say HELLO and perhaps a part of a frame, from many addresses of the loopback network. */
final class RawConnections implements AutoCloseable {
    static final String USER = "crowd";
    /** A server takes 2,000 from one address. */
    private static final int OF_ONE_ADDRESS = 1_500;

    private static final int ANNOUNCED_BYTES = 1 << 20;
    private static final int SENT_BYTES = 64 << 10;

    private final ServerAddress server;
    private final int firstNetwork;
    private final List<SocketChannel> open = new ArrayList<>();

    /** @param firstNetwork the second number of the addresses 127.n.0.1 that it comes from, and further ones */
    RawConnections(ServerAddress server, int firstNetwork) {
        this.server = server;
        this.firstNetwork = firstNetwork;
    }

    /** So many more that say HELLO and then nothing. */
    void idle(int count) throws IOException {
        byte[] hello = hello();
        for (int i = 0; i < count; i++) {
            connect(hello);
        }
    }

    /** So many more that send 64 KiB of a frame of 1 MiB and stop. */
    void halfOpen(int count) throws IOException {
        byte[] hello = hello();
        byte[] begun = frameThatHasBegun();
        byte[] all = new byte[hello.length + begun.length];
        System.arraycopy(hello, 0, all, 0, hello.length);
        System.arraycopy(begun, 0, all, hello.length, begun.length);
        for (int i = 0; i < count; i++) {
            connect(all);
        }
    }

    private void connect(byte[] bytes) throws IOException {
        SocketChannel channel = SocketChannel.open();
        open.add(channel);
        channel.bind(new InetSocketAddress("127." + (firstNetwork + open.size() / OF_ONE_ADDRESS) + ".0.1", 0));
        channel.connect(new InetSocketAddress(server.host(), server.port()));
        try {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        } catch (IOException e) {
            // The server closed it meanwhile, which is its right.
            channel.close();
        }
    }

    private static byte[] hello() {
        Introduction introduction = new Introduction(PeerIdentity.client(USER), Optional.empty());
        return bytes(FrameEncoder.hello(
                UnpooledByteBufAllocator.DEFAULT, new HelloOpener(introduction, PeerName.ANYBODY).first()));
    }

    private static byte[] frameThatHasBegun() {
        byte[] head = bytes(FrameEncoder.request(
                UnpooledByteBufAllocator.DEFAULT,
                Kind.STAT,
                1,
                0,
                RequestHeader.newBuilder().setKind(Kind.STAT.number()).build(),
                StatRequest.newBuilder()
                        .setLocation(Location.newBuilder().setPath("/"))
                        .build(),
                ANNOUNCED_BYTES));
        byte[] begun = new byte[head.length + SENT_BYTES];
        System.arraycopy(head, 0, begun, 0, head.length);
        return begun;
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    /** How many were opened, whatever the server made of them. */
    int count() {
        return open.size();
    }

    @Override
    public void close() throws IOException {
        leave();
    }

    /** Closes all; others may be opened. */
    void leave() throws IOException {
        for (SocketChannel channel : open) {
            channel.close();
        }
        open.clear();
    }
}
