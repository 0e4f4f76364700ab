package io.steadfs.rpc.netty;

import com.google.protobuf.MessageLite;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.steadfs.error.FsError;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection above a limit on the number of connections. The server tells the peer the limit, throws the received
 * bytes away, and closes the connection a moment later. If many refused connections are open, the server closes the
 * connection at once.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class RefusedConnection extends ChannelInboundHandlerAdapter {
    private static final long LINGER_MILLIS = 1_000;
    private static final int MOST_LINGERING = 256;
    private static final MessageLite NO_BODY = ReplyHeader.getDefaultInstance();

    private final DuplexChannel channel;
    private final String why;
    private final AtomicInteger lingering;

    /** @param lingering number of refused connections that are open at the server */
    RefusedConnection(DuplexChannel channel, String why, AtomicInteger lingering) {
        this.channel = channel;
        this.why = why;
        this.lingering = lingering;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        ReplyHeader header = ReplyHeader.newBuilder()
                .setError(FsError.BUSY.code())
                .setMessage(why)
                .build();
        boolean isOneOfMany = lingering.incrementAndGet() > MOST_LINGERING;
        channel.writeAndFlush(FrameEncoder.reply(channel.alloc(), 0, header, NO_BODY, 0))
                .addListener(sent -> channel.shutdownOutput());
        channel.eventLoop().schedule(() -> channel.close(), isOneOfMany ? 0 : LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lingering.decrementAndGet();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        channel.close();
    }
}
