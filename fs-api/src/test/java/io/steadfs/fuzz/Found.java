package io.steadfs.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongFunction;

/** An input that broke something: found again with as few bytes, and as few inputs before it, as a simple search comes to. */
final class Found {
    private static final int MOST_TRIES = 400;
    private static final int MOST_HEX_BYTES = 4096;

    private final FuzzTarget target;
    private final long seed;
    private final long first;
    private final long number;
    private final LongFunction<byte[]> inputs;
    private int tries;

    Found(FuzzTarget target, long seed, long first, long number, LongFunction<byte[]> inputs) {
        this.target = target;
        this.seed = seed;
        this.first = first;
        this.number = number;
        this.inputs = inputs;
    }

    String describe(Throwable broken, Runnable stillSearching) {
        byte[] last = inputs.apply(number);
        StringBuilder text = new StringBuilder("input " + number + ", " + last.length + " bytes: " + broken + "\n"
                + repetition(target, seed, number) + "\nas it was made: " + hex(last) + "\n");
        List<byte[]> fed = new ArrayList<>();
        fed.add(last);
        if (!breaks(fed)) {
            fed.clear();
            for (long n = first; n <= number; n++) {
                fed.add(inputs.apply(n));
            }
            if (!breaks(fed)) {
                return text.append("it did not fail again").toString();
            }
            fewer(fed, stillSearching);
            text.append("fails after ").append(fed.size() - 1).append(" inputs before it:\n");
        }
        for (int i = fed.size() - 1; i >= 0; i--) {
            shorter(fed, i, stillSearching);
        }
        for (byte[] each : fed) {
            text.append("shrunk: ").append(hex(each)).append('\n');
        }
        return text.toString();
    }

    /** Drops inputs while the rest still fails; halves first. */
    private void fewer(List<byte[]> fed, Runnable stillSearching) {
        for (int size = fed.size() / 2; size >= 1; size /= 2) {
            for (int from = 0; from + size < fed.size() && tries < MOST_TRIES; ) {
                stillSearching.run();
                List<byte[]> rest = new ArrayList<>(fed.subList(0, from));
                rest.addAll(fed.subList(from + size, fed.size()));
                if (breaks(rest)) {
                    fed.clear();
                    fed.addAll(rest);
                } else {
                    from += size;
                }
            }
        }
    }

    /** Drops bytes of one input while all still fail. */
    private void shorter(List<byte[]> fed, int index, Runnable stillSearching) {
        tries = 0;
        for (int size = Math.max(1, fed.get(index).length / 2); size >= 1; size /= 2) {
            for (int from = 0; from + size <= fed.get(index).length && tries < MOST_TRIES; ) {
                stillSearching.run();
                byte[] whole = fed.get(index);
                fed.set(index, Bits.join(Arrays.copyOf(whole, from), Bits.tail(whole, from + size)));
                if (!breaks(fed)) {
                    fed.set(index, whole);
                    from += size;
                }
            }
        }
    }

    private boolean breaks(List<byte[]> fed) {
        tries++;
        try (FuzzTarget.Trial trial = target.begin()) {
            Metered metered = new Metered(target, trial);
            for (byte[] each : fed) {
                metered.feed(each);
            }
            trial.check();
            return false;
        } catch (Throwable e) {
            return true;
        }
    }

    static String repetition(FuzzTarget target, long seed, long number) {
        return "again: -Dstead.fuzz.target=" + target.name() + " -Dstead.seed=" + seed + " -Dstead.fuzz.number="
                + number;
    }

    static String hex(byte[] bytes) {
        HexFormat hex = HexFormat.of();
        return bytes.length <= MOST_HEX_BYTES
                ? hex.formatHex(bytes)
                : hex.formatHex(bytes, 0, MOST_HEX_BYTES) + "... (" + bytes.length + " bytes)";
    }
}
