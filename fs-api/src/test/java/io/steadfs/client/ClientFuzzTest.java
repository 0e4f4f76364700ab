package io.steadfs.client;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import io.steadfs.fuzz.ValuesTargets;
import io.steadfs.rpc.FrameStreams;
import io.steadfs.wire.FrameType;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames, replies, maps and texts that this module reads. {@link Fuzzing} says how a run is made longer or repeated. */
class ClientFuzzTest {
    static Stream<FuzzTarget> targets() {
        return Stream.of(
                new FrameStreams(FrameType.REQUEST),
                new FrameStreams(FrameType.REPLY),
                new ClientRepliesTarget(),
                ValuesTargets.partitionMaps(),
                ValuesTargets.clusterMaps(),
                ValuesTargets.paths(),
                ValuesTargets.names(),
                ValuesTargets.settings("client-settings", ClientKeys.ALL));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void everyInputIsReadOrRefused(FuzzTarget target) {
        assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
        Fuzzing.run(target);
    }
}
