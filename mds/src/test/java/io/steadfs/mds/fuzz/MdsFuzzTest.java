package io.steadfs.mds.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests to metadata servers, and rows and files of their stores. {@link Fuzzing} says how a run is made longer or repeated. */
class MdsFuzzTest {
    static Stream<FuzzTarget> targets() {
        return Stream.of(
                ShardRequestsTarget.ofClients(),
                ShardRequestsTarget.ofServers(),
                new StoreRequestsTarget(),
                new ShardRowsTarget());
    }

    @ParameterizedTest
    @MethodSource("targets")
    void everyInputIsReadOrRefused(FuzzTarget target) {
        assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
        Fuzzing.run(target);
    }
}
