package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.steadfs.wire.FrameDecoder;

/**
 * Chooses the buffers of one connection's socket reads. While a payload arrives in pieces, its bytes are read into the
 * buffer that gathers the payload ({@link FrameDecoder#room}). So they need not be copied there. All other reads have
 * the sizes of {@link NettyServer#readSizes}.
 */
final class FrameReads implements RecvByteBufAllocator {
    private final FrameDecoder decoder;
    private final RecvByteBufAllocator others = NettyServer.readSizes();

    /** @param decoder gets the bytes of each read at once, before the next read */
    FrameReads(FrameDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    @SuppressWarnings("deprecation")
    public Handle newHandle() {
        return new IntoFrames(decoder, (ExtendedHandle) others.newHandle());
    }

    private static final class IntoFrames extends DelegatingHandle implements ExtendedHandle {
        private final FrameDecoder decoder;
        private final ExtendedHandle others;

        IntoFrames(FrameDecoder decoder, ExtendedHandle others) {
            super(others);
            this.decoder = decoder;
            this.others = others;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf room = decoder.room();
            return room == null ? others.allocate(allocator) : room;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreDataSupplier) {
            return others.continueReading(maybeMoreDataSupplier);
        }
    }
}
