package io.steadfs.mds.pipeline;

import static io.steadfs.mds.pipeline.StartTokens.Standing.GOOD;
import static io.steadfs.mds.pipeline.StartTokens.Standing.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.hello.TestHello;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a token is good for, and for how long. */
class StartTokensTest {
    private static final Handle START = Handle.of(Handle.shardOwner(1), 2, 300);
    private static final long NOW = 1_700_000_000_000L;
    private static final Principal ANNA = new Principal("anna", Set.of("staff"), false, 5, 6);

    private final StartTokens tokens = StartTokens.of(() -> TestHello.SECRET);
    private final ByteString token = tokens.give(ANNA, START, NOW);

    @Test
    void isGoodForItsCallerStartAndOperation() {
        assertThat(tokens.check(token, ANNA, START, NOW)).isEqualTo(GOOD);
        assertThat(tokens.check(token, new Principal("anna", Set.of(), false, 5, 6), START, NOW))
                .as("groups are not part of it")
                .isEqualTo(GOOD);
        assertThat(tokens.give(ANNA, START, NOW + 1)).isEqualTo(token);
    }

    @Test
    void isGoodForNothingElse() {
        assertThat(tokens.check(token, new Principal("ben", Set.of("staff"), false, 5, 6), START, NOW))
                .isEqualTo(WRONG);
        assertThat(tokens.check(token, new Principal("anna", Set.of("staff"), false, 7, 6), START, NOW))
                .isEqualTo(WRONG);
        assertThat(tokens.check(token, new Principal("anna", Set.of("staff"), false, 5, 7), START, NOW))
                .isEqualTo(WRONG);
        assertThat(tokens.check(token, ANNA, Handle.of(Handle.shardOwner(1), 2, 301), NOW))
                .isEqualTo(WRONG);
    }

    @Test
    void oneThatWasChangedAnywhereIsWrong() {
        for (int i = 0; i < token.size(); i++) {
            byte[] changed = token.toByteArray();
            changed[i] ^= 1;
            assertThat(tokens.check(ByteString.copyFrom(changed), ANNA, START, NOW))
                    .as("byte %s", i)
                    .isEqualTo(WRONG);
        }
        for (int length = 0; length < token.size(); length++) {
            assertThat(tokens.check(token.substring(0, length), ANNA, START, NOW))
                    .as("%s bytes", length)
                    .isEqualTo(WRONG);
        }
        assertThat(tokens.check(token.concat(token), ANNA, START, NOW)).isEqualTo(WRONG);
    }

    /** By either clock: those of two servers may differ. */
    @ParameterizedTest
    @CsvSource({"24, GOOD", "25, OVER", "-24, GOOD", "-25, OVER"})
    void lastsForADay(int hours, StartTokens.Standing standing) {
        assertThat(tokens.check(token, ANNA, START, NOW + TimeUnit.HOURS.toMillis(hours)))
                .isEqualTo(standing);
    }

    @Test
    void oneOfAnotherFileSystemIsWrong() {
        ClusterSecret other = TestHello.secret(8);
        assertThat(StartTokens.of(() -> other).check(token, ANNA, START, NOW)).isEqualTo(WRONG);
    }

    @Test
    void outlivesAChangeOfTheSecret() {
        ClusterSecret both = TestHello.secret(8, 7);
        assertThat(StartTokens.of(() -> both).check(token, ANNA, START, NOW)).isEqualTo(GOOD);
        ByteString byTheNew = StartTokens.of(() -> both).give(ANNA, START, NOW);
        assertThat(byTheNew).isNotEqualTo(token);
        ClusterSecret alsoTheNew = TestHello.secret(7, 8);
        assertThat(StartTokens.of(() -> alsoTheNew).check(byTheNew, ANNA, START, NOW))
                .isEqualTo(GOOD);
    }

    @Test
    void withoutASecretThereAreNone() {
        assertThat(StartTokens.NONE.give(ANNA, START, NOW)).isEqualTo(ByteString.EMPTY);
        assertThat(StartTokens.NONE.check(token, ANNA, START, NOW)).isEqualTo(WRONG);
        assertThat(StartTokens.NONE.check(ByteString.EMPTY, ANNA, START, NOW)).isEqualTo(WRONG);
    }
}
