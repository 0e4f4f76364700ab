package io.steadfs.rpc.netty;

import io.netty.channel.Channel;

/**
 * Flushes a channel once for many writes. Writes during a read are flushed at the end of the read. Other writes are
 * flushed after the event loop has run the tasks that were already queued. Belongs to the channel's event loop.
 */
final class FlushLater implements Runnable {
    private final Channel channel;
    private boolean reading;
    private boolean planned;

    FlushLater(Channel channel) {
        this.channel = channel;
    }

    void readBegins() {
        reading = true;
    }

    void readEnds() {
        reading = false;
        if (planned) {
            planned = false;
            channel.flush();
        }
    }

    /** Plans a flush, because something was written. */
    void written() {
        if (!planned) {
            planned = true;
            if (!reading) {
                channel.eventLoop().execute(this);
            }
        }
    }

    @Override
    public void run() {
        if (planned && !reading) {
            planned = false;
            channel.flush();
        }
    }
}
