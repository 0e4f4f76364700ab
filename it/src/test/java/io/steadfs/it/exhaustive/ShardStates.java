package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A state of several shards, and of what is beside them. A shard decides, and commits later. A crash loses what was not
 * committed. So a state has twice what a shard has: what it decided last, and what of it is durable.
 *
 * <p>A state may be changed by who copied it. After it was given to anybody it stays as it is.
 */
final class ShardStates {
    /** Stands for what is beside the shards. All of it is durable at once. */
    static final int BESIDE = -1;

    private static final int WORDS_OF_SHARD = 2;

    private final long[] words;

    ShardStates(int shards) {
        this(new long[1 + 2 * WORDS_OF_SHARD * shards]);
    }

    private ShardStates(long[] words) {
        this.words = words;
    }

    ShardStates copy() {
        return new ShardStates(words.clone());
    }

    void commit(int shard) {
        System.arraycopy(words, decided(shard), words, durable(shard), WORDS_OF_SHARD);
    }

    void crash(int shard) {
        System.arraycopy(words, durable(shard), words, decided(shard), WORDS_OF_SHARD);
    }

    boolean isCommitted(int shard) {
        int decided = decided(shard);
        int durable = durable(shard);
        return Arrays.equals(words, decided, decided + WORDS_OF_SHARD, words, durable, durable + WORDS_OF_SHARD);
    }

    private static int decided(int shard) {
        return 1 + 2 * WORDS_OF_SHARD * shard;
    }

    private static int durable(int shard) {
        return decided(shard) + WORDS_OF_SHARD;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardStates states && Arrays.equals(words, states.words);
    }

    @Override
    public int hashCode() {
        long mixed = 0;
        for (long word : words) {
            mixed = (mixed ^ word) * 0x9E37_79B9_7F4A_7C15L;
            mixed ^= mixed >>> Integer.SIZE;
        }
        return (int) mixed;
    }

    /** A small number in a state. */
    static final class Value {
        private final int decided;
        private final int durable;
        private final int shift;
        private final long mask;

        private Value(int decided, int durable, int shift, long mask) {
            this.decided = decided;
            this.durable = durable;
            this.shift = shift;
            this.mask = mask;
        }

        int of(ShardStates state) {
            return (int) ((state.words[decided] >>> shift) & mask);
        }

        /** The value that a crash leaves. */
        int durable(ShardStates state) {
            return (int) ((state.words[durable] >>> shift) & mask);
        }

        boolean is(ShardStates state, int value) {
            return of(state) == value;
        }

        boolean isSet(ShardStates state) {
            return of(state) != 0;
        }

        void set(ShardStates state) {
            set(state, 1);
        }

        void clear(ShardStates state) {
            set(state, 0);
        }

        void set(ShardStates state, int value) {
            if ((value & ~mask) != 0) {
                throw new IllegalArgumentException("value " + value + " where " + mask + " is the largest");
            }
            state.words[decided] = (state.words[decided] & ~(mask << shift)) | ((long) value << shift);
        }
    }

    /** Deals out the bits of a state. */
    static final class Maker {
        private final int[] next;

        Maker(int shards) {
            next = new int[1 + shards];
        }

        /** Room on a shard for that many values, from 0 on. */
        Value value(int shard, int values) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(values - 1);
            int at = next[1 + shard];
            if (at % Long.SIZE + bits > Long.SIZE) {
                at += Long.SIZE - at % Long.SIZE;
            }
            next[1 + shard] = at + bits;
            int word = at / Long.SIZE;
            if (word >= (shard == BESIDE ? 1 : WORDS_OF_SHARD)) {
                throw new IllegalStateException("no more bits for shard " + shard);
            }
            int decided = shard == BESIDE ? 0 : decided(shard) + word;
            int durable = shard == BESIDE ? 0 : durable(shard) + word;
            return new Value(decided, durable, at % Long.SIZE, (1L << bits) - 1);
        }

        List<Value> values(int shard, int count, int values) {
            List<Value> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(value(shard, values));
            }
            return List.copyOf(all);
        }
    }
}
