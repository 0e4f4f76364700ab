package io.steadfs.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCountUtil;

/** Raw bytes of a message, outside protobuf. The receiver of a payload releases it, unless a method says that it passes ownership on. */
public sealed interface Payload {
    Payload EMPTY = new Bytes(Unpooled.EMPTY_BUFFER);

    /** Takes over the buffer. */
    static Payload of(ByteBuf buffer) {
        if (buffer.isReadable()) {
            return new Bytes(buffer);
        }
        buffer.release();
        return EMPTY;
    }

    long length();

    void release();

    /** Bytes in memory. Payloads are received in this form only. */
    record Bytes(ByteBuf buffer) implements Payload {
        @Override
        public long length() {
            return buffer.readableBytes();
        }

        @Override
        public void release() {
            ReferenceCountUtil.release(buffer);
        }
    }

    /** A range of an open file, sent without passing through this process's memory. */
    record Region(FileRegion region) implements Payload {
        @Override
        public long length() {
            return region.count();
        }

        @Override
        public void release() {
            ReferenceCountUtil.release(region);
        }
    }
}
