package io.steadfs.ioserver.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single handles of slots, and ranges, out of blocks that grow. */
class DatafileHandlesTest {
    /** Reserves the next block as soon as half of the newest one is used up, or more is asked for than there is. */
    private static final class Growing implements DatafileHandles.Source {
        private final long block;
        private DatafileHandles.Block current;

        Growing(long block) {
            this.block = block;
            this.current = new DatafileHandles.Block(2, 100, 100 + block);
        }

        @Override
        public DatafileHandles.Block current() {
            return current;
        }

        @Override
        public void used(long next) {
            if (current.ceiling() - next < block / 2) {
                current = new DatafileHandles.Block(2, current.first(), current.ceiling() + block);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {16, 64, 1000, 1 << 20})
    void areGivenOutOnceAndOfTheirSlot(long block) {
        Random random = new Random(block);
        DatafileHandles handles = new DatafileHandles(7, new Growing(block));
        Set<Handle> given = new HashSet<>();
        int empty = 0;
        for (int i = 0; i < 3_000; i++) {
            if (random.nextInt(3) > 0) {
                int slot = random.nextInt(Slots.SLOTS);
                Optional<Handle> handle = handles.take(slot);
                empty += handle.isEmpty() ? 1 : 0;
                handle.ifPresent(taken -> {
                    assertThat(Slots.ofDatafile(taken)).isEqualTo(slot);
                    assertThat(taken.owner()).isEqualTo(7);
                    assertThat(taken.incarnation()).isEqualTo(2);
                    assertThat(given.add(taken)).as("%s", taken).isTrue();
                });
            } else {
                int count = 1 + random.nextInt(40);
                Optional<HandleRange> range = handles.takeRange(count);
                empty += range.isEmpty() ? 1 : 0;
                range.ifPresent(taken -> {
                    assertThat(taken.count()).isEqualTo(count);
                    for (long each = 0; each < count; each++) {
                        assertThat(given.add(new Handle(taken.first().value() + each)))
                                .isTrue();
                    }
                });
            }
        }
        assertThat(given).hasSizeGreaterThan(1_000);
        assertThat(given).allSatisfy(handle -> assertThat(handle.sequence()).isGreaterThanOrEqualTo(100));
        assertThat(empty).as("asked again at times while more is reserved").isLessThan(2_500);
    }

    @Test
    void rangesFollowEachOtherAlsoBetweenSingleHandles() {
        DatafileHandles handles = new DatafileHandles(7, new Growing(1 << 20));
        Handle single = handles.take(5).orElseThrow();
        HandleRange first = handles.takeRange(20).orElseThrow();
        assertThat(handles.take(6).orElseThrow()).isLessThan(first.first());
        assertThat(handles.take(5).orElseThrow()).isBetween(single, first.first());
        HandleRange second = handles.takeRange(20).orElseThrow();
        assertThat(second.first().value()).isEqualTo(first.last().value() + 1);
    }

    @Test
    void noneIsGivenOutThatIsNotReserved() {
        DatafileHandles.Block block = new DatafileHandles.Block(0, 1, 33);
        DatafileHandles handles = new DatafileHandles(7, new DatafileHandles.Source() {
            @Override
            public DatafileHandles.Block current() {
                return block;
            }

            @Override
            public void used(long next) {
                assertThat(next).isLessThanOrEqualTo(33);
            }
        });
        assertThat(handles.takeRange(33)).isEmpty();
        assertThat(handles.takeRange(20)).isPresent();
        assertThat(handles.takeRange(13)).isEmpty();
        assertThat(handles.takeRange(12)).isPresent();
        assertThat(handles.takeRange(1)).isEmpty();
        assertThat(handles.take(3)).isEmpty();
    }
}
