package io.steadfs.membership;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.configuration.ConfigurationFilesTarget;
import io.steadfs.fuzz.Decoding;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import io.steadfs.fuzz.Texts;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names of servers, nodes in ZooKeeper, and files. {@link Fuzzing} says how a run is made longer or repeated. */
class ServerFuzzTest {
    static Stream<FuzzTarget> targets() {
        return Stream.of(
                new Decoding("server-ids", Texts.like("mds-1", "io-32767"), ServerFuzzTest::readServerId),
                new ZooKeeperNodesTarget(),
                new IdentityFilesTarget(),
                new ConfigurationFilesTarget());
    }

    private static void readServerId(byte[] input) {
        String text = Texts.of(input);
        try {
            if (!ServerId.parse(text).toString().equals(text)) {
                throw new AssertionError(text + " does not read back");
            }
        } catch (IllegalArgumentException refused) {
            // As its contract says.
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void everyInputIsReadOrRefused(FuzzTarget target) {
        assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
        Fuzzing.run(target);
    }
}
