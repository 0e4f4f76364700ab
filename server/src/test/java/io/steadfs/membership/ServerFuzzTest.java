package io.steadfs.membership;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.steadfs.fuzz.Decoding;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Fuzzing;
import io.steadfs.fuzz.Texts;
import org.junit.jupiter.api.Test;

/** Names of servers. {@link Fuzzing} says how a run is made longer or repeated. */
class ServerFuzzTest {
    private static final FuzzTarget SERVER_IDS =
            new Decoding("server-ids", Texts.like("mds-1", "io-32767"), ServerFuzzTest::readServerId);

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

    @Test
    void everyNameIsReadOrRefused() {
        assumeFalse(Fuzzing.isLeftOut(SERVER_IDS), "another target was asked for");
        Fuzzing.run(SERVER_IDS);
    }
}
