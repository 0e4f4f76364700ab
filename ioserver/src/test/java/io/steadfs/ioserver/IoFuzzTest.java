package io.steadfs.ioserver;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests to an IO server, and rows of its store. {@link Fuzzing} says how a run is made longer or repeated. */
class IoFuzzTest {
    static Stream<FuzzTarget> targets() throws IOException {
        return Stream.of(new IoRequestsTarget(), new IoRowsTarget());
    }

    @ParameterizedTest
    @MethodSource("targets")
    void everyInputIsAnswered(FuzzTarget target) {
        assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
        Fuzzing.run(target);
    }
}
