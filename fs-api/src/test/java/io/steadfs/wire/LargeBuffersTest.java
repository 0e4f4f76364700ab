package io.steadfs.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.internal.PlatformDependent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LargeBuffersTest {
    private static final int BYTES = 512 << 10;
    private static final int BUFFERS = 8;

    private final LargeBuffers buffers = new LargeBuffers((long) BUFFERS * BYTES);

    private ByteBuf take(int bytes) {
        ByteBuf buffer = buffers.take(bytes).orElseThrow();
        assertThat(buffer.capacity()).isEqualTo(bytes);
        assertThat(buffer.isReadable()).isFalse();
        return buffer;
    }

    private List<ByteBuf> takeAll() {
        List<ByteBuf> all = new ArrayList<>();
        for (int i = 0; i < BUFFERS; i++) {
            all.add(take(BYTES).setLong(0, i));
        }
        return all;
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
        assertThat(buffers.keptBytes()).isZero();
        again.forEach(ByteBuf::release);
        assertThat(buffers.bytes()).isEqualTo(3L * BYTES);
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
    void whoReadsAfterTheReleaseDoesNotSeeBytesOfOthers() {
        ByteBuf buffer = take(BYTES).writeZero(BYTES);
        ByteBuf slice = buffer.slice(0, 10);
        buffer.release();
        ByteBuf other = take(BYTES).writeZero(BYTES);
        assertThatThrownBy(() -> buffer.getLong(0)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(() -> slice.getLong(0)).isInstanceOf(IllegalReferenceCountException.class);
        other.release();
    }

    @Test
    void onlyCommonSizesAreKept() {
        assertThat(buffers.take(LargeBuffers.LEAST_BYTES / 2)).isEmpty();
        assertThat(buffers.take(LargeBuffers.MOST_BYTES * 2)).isEmpty();
        assertThat(buffers.take(BYTES + 1)).isEmpty();
        take(LargeBuffers.MOST_BYTES).release();
        take(LargeBuffers.LEAST_BYTES).release();
        assertThat(buffers.keptBytes()).isEqualTo(LargeBuffers.LEAST_BYTES + LargeBuffers.MOST_BYTES);
    }

    @Test
    void beyondTheBoundThereIsNoMemory() {
        List<ByteBuf> all = takeAll();
        assertThat(buffers.take(BYTES)).isEmpty();
        assertThat(buffers.bytes()).isEqualTo((long) BUFFERS * BYTES);
        all.forEach(ByteBuf::release);
        assertThat(buffers.keptBytes()).isEqualTo((long) BUFFERS * BYTES);
        List<ByteBuf> again = takeAll();
        again.forEach(ByteBuf::release);
        assertThat(buffers.bytes()).isEqualTo((long) BUFFERS * BYTES);
    }

    @Test
    void memoryOfOtherSizesMakesRoomTheOldestFirst() {
        long before = PlatformDependent.usedDirectMemory();
        List<ByteBuf> all = takeAll();
        all.forEach(ByteBuf::release);
        ByteBuf large = take(2 * BYTES);
        assertThat(buffers.bytes()).isEqualTo((long) BUFFERS * BYTES);
        assertThat(buffers.keptBytes()).isEqualTo((BUFFERS - 2L) * BYTES);
        if (before >= 0) {
            // Netty counts direct memory only where it may.
            assertThat(PlatformDependent.usedDirectMemory() - before).isEqualTo((long) BUFFERS * BYTES);
        }
        List<Long> left = new ArrayList<>();
        List<ByteBuf> taken = new ArrayList<>();
        for (Optional<ByteBuf> next = buffers.take(BYTES); next.isPresent(); next = buffers.take(BYTES)) {
            left.add(next.get().getLong(0));
            taken.add(next.get());
        }
        assertThat(left).containsExactly(7L, 6L, 5L, 4L, 3L, 2L);
        taken.forEach(ByteBuf::release);
        large.release();
    }

    @Test
    void noTwoThreadsUseTheSameMemory() throws Exception {
        List<FutureTask<Integer>> tasks = new ArrayList<>();
        for (int t = 1; t <= 4; t++) {
            long mine = t;
            FutureTask<Integer> task = new FutureTask<>(() -> {
                int rounds = 0;
                for (int i = 0; i < 20_000; i++) {
                    ByteBuf buffer = take(i % 3 == 0 ? BYTES / 2 : BYTES).setLong(0, mine);
                    Thread.onSpinWait();
                    assertThat(buffer.getLong(0)).isEqualTo(mine);
                    buffer.release();
                    rounds++;
                }
                return rounds;
            });
            tasks.add(task);
            new Thread(task, "user " + t).start();
        }
        for (FutureTask<Integer> task : tasks) {
            assertThat(task.get(60, TimeUnit.SECONDS)).isEqualTo(20_000);
        }
        assertThat(buffers.bytes()).isEqualTo(buffers.keptBytes());
    }
}
