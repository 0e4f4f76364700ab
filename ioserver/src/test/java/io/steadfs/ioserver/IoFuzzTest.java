package io.steadfs.ioserver;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import org.junit.jupiter.api.Test;

/** Requests to an IO server. {@link Fuzzing} says how a run is made longer or repeated. */
class IoFuzzTest {
    @Test
    void everyRequestIsAnswered() {
        FuzzTarget target = new IoRequestsTarget();
        assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
        Fuzzing.run(target);
    }
}
