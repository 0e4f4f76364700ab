package io.steadfs.mds.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.testing.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The intervals against a plain set of handles. */
class FencesTest {
    private static final int HANDLES = 120;

    private static Handle handle(int number) {
        return Handle.of(3, 1, number);
    }

    private static HandleRange range(int first, int last) {
        return new HandleRange(handle(first), handle(last));
    }

    private static int runs(BitSet set) {
        int runs = 0;
        for (int at = set.nextSetBit(0); at >= 0; at = set.nextSetBit(set.nextClearBit(at))) {
            runs++;
        }
        return runs;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void holdWhatWasAddedInAsFewIntervalsAsThereCanBe(int atOnce) {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            State state = State.of();
            BitSet expected = new BitSet();
            for (int round = 0; round < 12; round++) {
                List<HandleRange> ranges = new ArrayList<>();
                for (int i = 0; i < atOnce; i++) {
                    int first = 1 + random.nextInt(HANDLES);
                    int last = Math.min(HANDLES, first + random.nextInt(12));
                    ranges.add(range(first, last));
                    expected.set(first, last + 1);
                }
                state.replay(Fences.add(state.view(), ranges));
                BitSet found = new BitSet();
                for (int number = 1; number <= HANDLES + 1; number++) {
                    found.set(number, Fences.hold(state.view(), handle(number)));
                }
                assertThat(found).as("seed %d, round %d", seed, round).isEqualTo(expected);
                checkFirstOfSome(state, expected, random);
                assertThat(Fences.count(state.view(), HANDLES))
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(runs(expected));
                assertThat(Fences.add(state.view(), ranges)).as("known already").isEmpty();
            }
        }
    }

    /** Of few and many, of this server and of others. */
    private static void checkFirstOfSome(State state, BitSet fenced, Random random) {
        List<Handle> some = new ArrayList<>();
        int count = random.nextInt(30);
        for (int i = 0; i < count; i++) {
            some.add(handle(1 + random.nextInt(HANDLES)));
            some.add(Handle.of(2 + 2 * random.nextInt(2), 1, 1 + random.nextInt(HANDLES)));
        }
        assertThat(Fences.firstHeld(state.view(), some))
                .isEqualTo(some.stream()
                        .filter(each -> each.owner() == 3 && fenced.get((int) each.sequence()))
                        .min(Handle::compareTo));
        List<Handle> free = some.stream()
                .filter(each -> each.owner() != 3 || !fenced.get((int) each.sequence()))
                .toList();
        assertThat(Fences.firstHeld(state.view(), free)).isEmpty();
    }

    @Test
    void holdNothingOfAnotherOwnerOrIncarnation() {
        State state = State.of();
        state.replay(Fences.add(state.view(), List.of(range(5, 9))));
        assertThat(Fences.hold(state.view(), Handle.of(3, 0, 7))).isFalse();
        assertThat(Fences.hold(state.view(), Handle.of(3, 2, 7))).isFalse();
        assertThat(Fences.hold(state.view(), Handle.of(2, 1, 7))).isFalse();
        assertThat(Fences.hold(state.view(), Handle.of(4, 1, 7))).isFalse();
        assertThat(Fences.hold(state.view(), handle(7))).isTrue();
        HandleRange first = new HandleRange(Handle.of(3, 1, Handle.MAX_SEQUENCE), Handle.of(3, 1, Handle.MAX_SEQUENCE));
        HandleRange next = new HandleRange(Handle.of(3, 2, 1), Handle.of(3, 2, 1));
        state.replay(Fences.add(state.view(), List.of(first, next)));
        assertThat(Fences.hold(state.view(), first.first())).isTrue();
        assertThat(Fences.hold(state.view(), next.first())).isTrue();
        assertThat(Fences.count(state.view(), 9)).isEqualTo(3);
    }
}
