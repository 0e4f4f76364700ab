package io.steadfs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeBuffersTest {
    private static final int BYTES = 512 << 10;

    private final LargeBuffers buffers = new LargeBuffers();

    private ByteBuf take(int bytes) {
        ByteBuf buffer = buffers.take(bytes).orElseThrow();
        assertThat(buffer.capacity()).isEqualTo(bytes);
        assertThat(buffer.isReadable()).isFalse();
        return buffer;
    }

    @Test
    void theMemoryThatCameBackLastIsUsedFirst() {
        ByteBuf first = take(BYTES).setLong(0, 1);
        ByteBuf second = take(BYTES).setLong(0, 2);
        ByteBuf third = take(BYTES).setLong(0, 3);
        second.release();
        first.release();
        third.release();
        List<ByteBuf> again = List.of(take(BYTES), take(BYTES), take(BYTES));
        assertThat(again).extracting(buffer -> buffer.getLong(0)).containsExactly(3L, 1L, 2L);
        again.forEach(ByteBuf::release);
    }

    @Test
    void memoryComesBackWithTheLastReference() {
        ByteBuf buffer = take(BYTES).writeZero(BYTES);
        ByteBuf slice = buffer.retainedSlice(BYTES / 2, 10);
        buffer.release();
        assertThat(buffers.keptBytes()).isZero();
        slice.release();
        assertThat(buffers.keptBytes()).isEqualTo(BYTES);
    }

    @Test
    void onlyCommonSizesAreKept() {
        assertThat(buffers.take(LargeBuffers.LEAST_BYTES / 2)).isEmpty();
        assertThat(buffers.take(LargeBuffers.MOST_BYTES * 2)).isEmpty();
        assertThat(buffers.take(BYTES + 1)).isEmpty();
        take(LargeBuffers.LEAST_BYTES).release();
        take(LargeBuffers.MOST_BYTES).release();
        assertThat(buffers.keptBytes()).isEqualTo(LargeBuffers.LEAST_BYTES + LargeBuffers.MOST_BYTES);
    }

    @Test
    void whatIsKeptHasABound() {
        List<ByteBuf> all = new ArrayList<>();
        for (int bytes = 0; bytes <= 2 * LargeBuffers.MOST_KEPT_BYTES; bytes += BYTES) {
            all.add(take(BYTES));
        }
        all.forEach(ByteBuf::release);
        assertThat(buffers.keptBytes()).isEqualTo(LargeBuffers.MOST_KEPT_BYTES);
    }
}
