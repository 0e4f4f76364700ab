package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.List;

/** A small number in a {@link Packed} state. */
record Cell(int word, int shift, int mask) {
    boolean is(Packed state, int value) {
        return of(state) == value;
    }

    boolean isSet(Packed state) {
        return of(state) != 0;
    }

    int of(Packed state) {
        return (int) (word(state) >>> shift) & mask;
    }

    private long word(Packed state) {
        return word == 0 ? state.low() : state.high();
    }

    Packed set(Packed state) {
        return with(state, 1);
    }

    Packed with(Packed state, int value) {
        if ((value & ~mask) != 0) {
            throw new IllegalArgumentException("value " + value + " in a cell for 0 to " + mask);
        }
        long changed = (word(state) & ~((long) mask << shift)) | ((long) value << shift);
        return word == 0 ? new Packed(changed, state.high()) : new Packed(state.low(), changed);
    }

    static Packed zero(Packed state, Cell... cells) {
        return zero(state, List.of(cells));
    }

    static Packed zero(Packed state, List<Cell> cells) {
        Packed after = state;
        for (Cell cell : cells) {
            after = cell.with(after, 0);
        }
        return after;
    }

    /** Deals out the bits of a state. */
    static final class Maker {
        private int word;
        private int next;

        /** For that many values, from 0 on. */
        Cell cell(int values) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(values - 1);
            if (next + bits > Long.SIZE) {
                word++;
                next = 0;
            }
            if (word > 1) {
                throw new IllegalStateException("a state has 128 bits");
            }
            Cell cell = new Cell(word, next, (1 << bits) - 1);
            next += bits;
            return cell;
        }

        List<Cell> cells(int count, int values) {
            List<Cell> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(cell(values));
            }
            return List.copyOf(all);
        }
    }
}
