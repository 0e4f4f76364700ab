package io.steadfs.fuzz;

import java.io.IOException;
import java.util.random.RandomGenerator;

/** A place where bytes from outside come in. */
public interface FuzzTarget {
    /** Short; names it on the command line and in the results. */
    String name();

    /** An input; the same random numbers make the same one. */
    byte[] input(RandomGenerator random);

    /** What inputs are fed to, as it is before the first one: the same each time. */
    Trial begin() throws Exception;

    /** Inputs of one trial. What one of them leaves behind meets those after it. */
    default int inputsOfATrial() {
        return 10_000;
    }

    /** Most bytes of heap that an input of so many bytes may cost while it is read, whatever is kept of it. */
    default long mostAllocatedBytes(int inputBytes) {
        return (128 << 10) + 128L * inputBytes;
    }

    /** Inputs in a build, where {@code -Dstead.fuzz.inputs=} does not say. */
    default long inputsOfABuild() {
        return 2_000;
    }

    /** Everything that a run of inputs shares. Belongs to one thread. */
    interface Trial extends AutoCloseable {
        /** Reads the input. Throws only what is a bug: documented refusals are expected and caught here. */
        void feed(byte[] input) throws Exception;

        /** After some inputs: the reader is as good as new for those who ask it well. */
        default void check() throws Exception {}

        @Override
        default void close() throws IOException {}
    }
}
