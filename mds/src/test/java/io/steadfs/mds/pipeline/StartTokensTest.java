package io.steadfs.mds.pipeline;

import static io.steadfs.mds.pipeline.StartTokens.Validity.FORGED;
import static io.steadfs.mds.pipeline.StartTokens.Validity.VALID;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.hello.TestHello;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a token is good for, and for how long. */
class StartTokensTest {
    private static final Handle START = Handle.of(Handle.shardOwner(1), 2, 300);
    private static final long NOW = 1_700_000_000_000L;
    private static final Principal ANNA = caller("anna", 5, 6, 7);

    private static Principal caller(String user, long session, long requestId, long traceId) {
        return new Principal(user, Set.of("staff"), false, session, requestId, traceId, OptionalInt.empty());
    }

    private final StartTokens tokens = StartTokens.of(() -> TestHello.SECRET);
    private final ByteString token = tokens.give(ANNA, START, "", NOW);

    @Test
    void isGoodForItsCallerStartAndOperation() {
        assertThat(tokens.check(token, ANNA, START, "", NOW)).isEqualTo(VALID);
        assertThat(tokens.check(
                        token, new Principal("anna", Set.of(), false, 5, 6, 7, OptionalInt.empty()), START, "", NOW))
                .as("groups are not part of it")
                .isEqualTo(VALID);
        assertThat(tokens.give(ANNA, START, "", NOW + 1)).isEqualTo(token);
    }

    @Test
    void isGoodForNothingElse() {
        assertThat(tokens.check(token, caller("ben", 5, 6, 7), START, "", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(token, caller("anna", 7, 6, 7), START, "", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(token, caller("anna", 5, 7, 7), START, "", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(token, ANNA, Handle.of(Handle.shardOwner(1), 2, 301), "", NOW))
                .isEqualTo(FORGED);
    }

    /** The client chooses both numbers, so neither counts for the other. */
    @Test
    void theOperationIsTheRequestOrTheTraceOfARead() {
        assertThat(tokens.check(token, caller("anna", 5, 6, 8), START, "", NOW))
                .as("a retry of another trace")
                .isEqualTo(VALID);
        ByteString ofRead = tokens.give(caller("anna", 5, 0, 6), START, "", NOW);
        assertThat(tokens.check(ofRead, caller("anna", 5, 0, 6), START, "", NOW))
                .isEqualTo(VALID);
        assertThat(tokens.check(ofRead, caller("anna", 5, 0, 7), START, "", NOW))
                .isEqualTo(FORGED);
        assertThat(tokens.check(ofRead, ANNA, START, "", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(token, caller("anna", 5, 0, 6), START, "", NOW)).isEqualTo(FORGED);
    }

    @Test
    void aResolvedNameIsMoreThanAStart() {
        ByteString resolved = tokens.give(ANNA, START, "x", NOW);
        assertThat(tokens.check(resolved, ANNA, START, "x", NOW)).isEqualTo(VALID);
        assertThat(tokens.check(resolved, ANNA, START, "", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(resolved, ANNA, START, "y", NOW)).isEqualTo(FORGED);
        assertThat(tokens.check(token, ANNA, START, "x", NOW)).isEqualTo(FORGED);
    }

    @Test
    void oneThatWasChangedAnywhereIsWrong() {
        for (int i = 0; i < token.size(); i++) {
            byte[] changed = token.toByteArray();
            changed[i] ^= 1;
            assertThat(tokens.check(ByteString.copyFrom(changed), ANNA, START, "", NOW))
                    .as("byte %s", i)
                    .isEqualTo(FORGED);
        }
        for (int length = 0; length < token.size(); length++) {
            assertThat(tokens.check(token.substring(0, length), ANNA, START, "", NOW))
                    .as("%s bytes", length)
                    .isEqualTo(FORGED);
        }
        assertThat(tokens.check(token.concat(token), ANNA, START, "", NOW)).isEqualTo(FORGED);
    }

    /** By either clock: those of two servers may differ. */
    @ParameterizedTest
    @CsvSource({"30, VALID", "31, EXPIRED", "-30, VALID", "-31, EXPIRED"})
    void isValidForThirtyDays(int days, StartTokens.Validity validity) {
        assertThat(tokens.check(token, ANNA, START, "", NOW + TimeUnit.DAYS.toMillis(days)))
                .isEqualTo(validity);
    }

    @Test
    void oneOfAnotherFileSystemIsWrong() {
        ClusterSecret other = TestHello.secret(8);
        assertThat(StartTokens.of(() -> other).check(token, ANNA, START, "", NOW))
                .isEqualTo(FORGED);
    }

    @Test
    void outlivesAChangeOfTheSecret() {
        ClusterSecret both = TestHello.secret(8, 7);
        assertThat(StartTokens.of(() -> both).check(token, ANNA, START, "", NOW))
                .isEqualTo(VALID);
        ByteString byTheNew = StartTokens.of(() -> both).give(ANNA, START, "", NOW);
        assertThat(byTheNew).isNotEqualTo(token);
        ClusterSecret alsoTheNew = TestHello.secret(7, 8);
        assertThat(StartTokens.of(() -> alsoTheNew).check(byTheNew, ANNA, START, "", NOW))
                .isEqualTo(VALID);
    }

    @Test
    void withoutASecretThereAreNone() {
        assertThat(StartTokens.NONE.give(ANNA, START, "", NOW)).isEqualTo(ByteString.EMPTY);
        assertThat(StartTokens.NONE.check(token, ANNA, START, "", NOW)).isEqualTo(FORGED);
        assertThat(StartTokens.NONE.check(ByteString.EMPTY, ANNA, START, "", NOW))
                .isEqualTo(FORGED);
    }
}
