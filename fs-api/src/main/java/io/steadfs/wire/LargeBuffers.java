package io.steadfs.wire;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * Memory for large payloads, which the decoders of a process use again. The memory that came back last is used first,
 * because a cache of the processor may still hold it. To receive bytes into memory that no cache holds takes the kernel
 * about twice as long. Checksums and copies of these bytes take longer, too. Memory of other sizes is not used again.
 * Thread-safe.
 */
final class LargeBuffers {
    static final int LEAST_BYTES = 128 << 10;
    static final int MOST_BYTES = 1 << 20;
    /** Largest number of bytes that are kept while nobody uses them. */
    static final int MOST_KEPT_BYTES = 8 << 20;

    static final LargeBuffers OF_PROCESS = new LargeBuffers();

    private final Buffers buffers = new Buffers();
    /** The memory that came back last is the first. */
    private final Deque<CleanableDirectBuffer> kept = new ArrayDeque<>();

    private int keptBytes;

    /** Returns an empty buffer for a payload of this length; empty = memory for such payloads is not used again. */
    Optional<ByteBuf> take(int bytes) {
        return bytes < LEAST_BYTES || bytes > MOST_BYTES || Integer.bitCount(bytes) != 1
                ? Optional.empty()
                : Optional.of(buffers.directBuffer(bytes, bytes));
    }

    private CleanableDirectBuffer memory(int bytes) {
        return takeKept(bytes).orElseGet(() -> PlatformDependent.allocateDirect(bytes));
    }

    private synchronized Optional<CleanableDirectBuffer> takeKept(int bytes) {
        for (Iterator<CleanableDirectBuffer> all = kept.iterator(); all.hasNext(); ) {
            CleanableDirectBuffer memory = all.next();
            if (memory.buffer().capacity() == bytes) {
                all.remove();
                keptBytes -= bytes;
                return Optional.of(memory);
            }
        }
        return Optional.empty();
    }

    /** Number of bytes that are kept while nobody uses them. */
    synchronized int keptBytes() {
        return keptBytes;
    }

    private synchronized void giveBack(CleanableDirectBuffer memory) {
        kept.addFirst(memory);
        keptBytes += memory.buffer().capacity();
        while (keptBytes > MOST_KEPT_BYTES) {
            CleanableDirectBuffer oldest = kept.removeLast();
            keptBytes -= oldest.buffer().capacity();
            oldest.clean();
        }
    }

    /** Makes the buffers, so that Netty's detector of leaks sees them. */
    private final class Buffers extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return toLeakAwareBuffer(new Reused(this, memory(maxCapacity)));
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return true;
        }
    }

    /** One use of some memory, from {@link #take} to the release of its last reference. */
    private final class Reused extends UnpooledDirectByteBuf {
        private final CleanableDirectBuffer memory;

        Reused(ByteBufAllocator allocator, CleanableDirectBuffer memory) {
            super(allocator, memory.buffer(), memory.buffer().capacity());
            this.memory = memory;
            clear();
        }

        /** Does not free the memory, which {@link LargeBuffers} may use again. */
        @Override
        protected void deallocate() {
            super.deallocate();
            giveBack(memory);
        }
    }
}
