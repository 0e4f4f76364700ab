package io.steadfs.wire;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memory for large payloads, which the decoders of a process use again. The memory that came back last is used first,
 * because a cache of the processor may still hold it. To receive bytes into memory that no cache holds takes the kernel
 * about twice as long. Checksums and copies of these bytes take longer, too.
 *
 * <p>The memory is bounded. It stays until other sizes need its place, because new memory must be filled with zeros
 * first. Beyond the bound there is none, and the caller takes its memory elsewhere. Thread-safe.
 */
final class LargeBuffers {
    static final int LEAST_BYTES = 128 << 10;
    static final int MOST_BYTES = 1 << 20;

    private static final long MOST_OF_PROCESS = 16L << 20;
    /** The memory is at most this part of what the JVM allows for direct memory. */
    private static final int PART = 16;

    static final LargeBuffers OF_PROCESS =
            new LargeBuffers(Math.min(MOST_OF_PROCESS, PlatformDependent.maxDirectMemory() / PART));

    private final long mostBytes;
    private final Buffers buffers = new Buffers();
    /** Memory that nobody uses. What came back last is the first. */
    private final Deque<CleanableDirectBuffer> kept = new ArrayDeque<>();

    private long bytes;
    private long keptBytes;

    /** @param mostBytes largest number of bytes, those that are in use and those that nobody uses together */
    LargeBuffers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Returns an empty buffer for a payload of this length; empty = there is no such memory, or it is all in use. */
    Optional<ByteBuf> take(int length) {
        if (length < LEAST_BYTES || length > MOST_BYTES || Integer.bitCount(length) != 1) {
            return Optional.empty();
        }
        return memory(length).map(buffers::around);
    }

    private Optional<CleanableDirectBuffer> memory(int length) {
        List<CleanableDirectBuffer> unneeded = new ArrayList<>(0);
        boolean isRoom;
        synchronized (this) {
            for (Iterator<CleanableDirectBuffer> all = kept.iterator(); all.hasNext(); ) {
                CleanableDirectBuffer memory = all.next();
                if (memory.buffer().capacity() == length) {
                    all.remove();
                    keptBytes -= length;
                    return Optional.of(memory);
                }
            }
            isRoom = makeRoom(length, unneeded);
            bytes += isRoom ? length : 0;
        }
        unneeded.forEach(CleanableDirectBuffer::clean);
        return isRoom ? Optional.ofNullable(allocate(length)) : Optional.empty();
    }

    /** Takes out kept memory, the oldest first, until so many bytes fit. Returns whether they fit. */
    private boolean makeRoom(int length, List<CleanableDirectBuffer> unneeded) {
        while (bytes + length > mostBytes && !kept.isEmpty()) {
            CleanableDirectBuffer oldest = kept.removeLast();
            bytes -= oldest.buffer().capacity();
            keptBytes -= oldest.buffer().capacity();
            unneeded.add(oldest);
        }
        return bytes + length <= mostBytes;
    }

    /** Returns null if the JVM has no more memory. Then all memory is given up that nobody uses. */
    private @Nullable CleanableDirectBuffer allocate(int length) {
        try {
            return PlatformDependent.allocateDirect(length);
        } catch (OutOfMemoryError e) {
            List<CleanableDirectBuffer> unneeded;
            synchronized (this) {
                bytes -= length + keptBytes;
                keptBytes = 0;
                unneeded = new ArrayList<>(kept);
                kept.clear();
            }
            unneeded.forEach(CleanableDirectBuffer::clean);
            return null;
        }
    }

    private synchronized void giveBack(CleanableDirectBuffer memory) {
        kept.addFirst(memory);
        keptBytes += memory.buffer().capacity();
    }

    /** Number of bytes that are in use, and of those that nobody uses. */
    synchronized long bytes() {
        return bytes;
    }

    /** Number of bytes that nobody uses. */
    synchronized long keptBytes() {
        return keptBytes;
    }

    /** Makes the buffers, so that Netty's detector of leaks sees them. Others get memory that is not used again. */
    private final class Buffers extends AbstractByteBufAllocator {
        ByteBuf around(CleanableDirectBuffer memory) {
            try {
                return toLeakAwareBuffer(new Reused(this, memory));
            } catch (RuntimeException | Error e) {
                giveBack(memory);
                throw e;
            }
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
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
