package io.steadfs.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.FileRegion;
import io.netty.util.ReferenceCountUtil;

/**
 * Raw bytes of a message, outside protobuf. Whoever receives a payload must release the payload, or pass its ownership
 * on.
 */
public sealed interface Payload {
    Payload EMPTY = new Bytes(Unpooled.EMPTY_BUFFER);

    /** Makes a payload of a buffer. The buffer then belongs to the payload. */
    static Payload of(ByteBuf buffer) {
        if (buffer.isReadable()) {
            return new Bytes(buffer);
        }
        buffer.release();
        return EMPTY;
    }

    long length();

    void release();

    /** A payload in memory. Every received payload has this form. */
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

    /** A payload that is a range of an open file. The bytes are sent without a copy in this process's memory. */
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
