package io.steadfs.client.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.SimulatedCluster;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that leave while a file is being opened for them: nobody is left to hold it open. */
class OpeningTest {
    private static final long OPERATION_MILLIS = 5_000;

    private final SimulatedCluster cluster = new SimulatedCluster(
            1,
            2,
            Faults.NONE,
            0,
            Map.of(
                    "stead.client.operation.timeout",
                    String.valueOf(OPERATION_MILLIS),
                    "stead.client.attempt.timeout",
                    "1000"));

    private CompletableFuture<StripedWriter> open(Kind kind) throws FsException {
        if (kind == Kind.CREATE) {
            return cluster.fs.writes().create(FsPath.parse("f"), CreateOptions.DEFAULT);
        }
        cluster.file("f", 2, SimulatedCluster.STRIP, new byte[0]);
        cluster.shard.kinds.clear();
        return cluster.fs.writes().append(FsPath.parse("f"));
    }

    private int executed(Kind kind) {
        return cluster.shard.executed.getOrDefault(kind, 0);
    }

    private void expectGivenUp() throws FsException {
        cluster.time.runUntil("the file is given up", () -> executed(Kind.ABANDON) == 1, 60_000);
        assertThat(cluster.shard.attributes("f").getOpen()).isFalse();
        cluster.await(
                cluster.await(cluster.fs.writes().append(FsPath.parse("f"))).close());
        assertThat(cluster.shard.sessions).as("all in one session").hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"CREATE", "APPEND"})
    void aFileWhoseOpenerWasInterruptedIsGivenUp(Kind kind) throws Exception {
        CompletableFuture<StripedWriter> opening = open(kind);
        cluster.time.runUntil("it is executed", () -> executed(kind) == 1, 10_000);
        assertThat(opening).isNotDone();
        opening.cancel(true);
        expectGivenUp();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"CREATE", "APPEND"})
    void aFileWhoseOpenerRanOutOfTimeIsGivenUp(Kind kind) throws Exception {
        CompletableFuture<StripedWriter> opening = open(kind);
        cluster.shard.silent.add(kind);
        FsException refusal = catchThrowableOfType(FsException.class, () -> cluster.await(opening));
        assertThat(refusal.error()).isEqualTo(FsError.TIMED_OUT);
        assertThat(refusal).hasMessageContaining("whether it was done is not known");
        cluster.time.runFor(3 * OPERATION_MILLIS);
        cluster.shard.silent.clear();
        expectGivenUp();
        assertThat(executed(kind))
                .as("executed once, but for the append of the check")
                .isEqualTo(kind == Kind.APPEND ? 2 : 1);
    }

    @Test
    void whatWasNotSentBeforeItsCallerLeftNeverIs() throws Exception {
        CompletableFuture<StripedWriter> opening = open(Kind.CREATE);
        opening.cancel(true);
        cluster.time.runFor(10_000);
        assertThat(cluster.shard.kinds).doesNotContain(Kind.CREATE);
    }

    @Test
    void onceTheClientIsClosedNothingIsAskedAnyMore() throws Exception {
        CompletableFuture<StripedWriter> opening = open(Kind.APPEND);
        cluster.shard.silent.add(Kind.APPEND);
        assertThat(catchThrowableOfType(FsException.class, () -> cluster.await(opening))
                        .error())
                .isEqualTo(FsError.TIMED_OUT);
        cluster.await(cluster.fs.close());
        cluster.time.runFor(OPERATION_MILLIS);
        cluster.shard.kinds.clear();
        cluster.time.runFor(10 * OPERATION_MILLIS);
        assertThat(cluster.shard.kinds).doesNotContain(Kind.APPEND);
    }
}
