package io.steadfs.rpc.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * What a channel has not sent yet of its written messages, at one time. If no message was written between two times
 * with equal values, the socket took nothing between them. A message that was written in between can hide that other
 * messages were sent. To be asked for on the channel's event loop.
 *
 * @param bytes bytes of the messages that were not sent to the end, as Netty counts them: such a message counts whole,
 *     and each has an overhead besides. A region of a file counts by its overhead alone
 * @param progress bytes that were sent of the first of these messages
 */
record Unsent(long bytes, long progress) {
    static final Unsent NONE = new Unsent(0, 0);

    static Unsent of(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? NONE : new Unsent(buffer.totalPendingWriteBytes(), buffer.currentProgress());
    }

    boolean isNone() {
        return bytes == 0;
    }
}
