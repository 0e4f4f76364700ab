package io.steadfs.fuzz;

import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A target without a memory: each input is read by itself.
 *
 * @param bytesPerByte most bytes of heap for each byte of an input, beside 128 KiB
 * @param source makes the inputs
 * @param reader throws only what is a bug
 */
public record Decoding(String name, int bytesPerByte, Function<RandomGenerator, byte[]> source, FuzzTarget.Trial reader)
        implements FuzzTarget {
    public Decoding(String name, Function<RandomGenerator, byte[]> source, FuzzTarget.Trial reader) {
        this(name, 128, source, reader);
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (128 << 10) + (long) bytesPerByte * inputBytes;
    }

    @Override
    public long inputsOfABuild() {
        return 20_000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        return source.apply(random);
    }

    @Override
    public Trial begin() {
        return reader;
    }
}
