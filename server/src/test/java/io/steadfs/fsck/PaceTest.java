package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static CompletableFuture<Void> did(Pace pace, long rows) {
        return CompletableFuture.runAsync(() -> {
            try {
                pace.did(rows, 0.5);
            } catch (FsException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void countsRowsOfTheStageAndOfAll() throws FsException {
        Pace pace = new Pace(0);
        pace.begin("first");
        pace.did(10, 0.5);
        pace.begin("second");
        pace.did(5, 0.25);

        Pace.Look look = pace.look();
        assertThat(look.stage()).isEqualTo("second");
        assertThat(look.rows()).isEqualTo(15);
        assertThat(look.stageRows()).isEqualTo(5);
        assertThat(look.secondsLeft()).isGreaterThanOrEqualTo(0);
    }

    @Test
    void tooManyRowsAtOnceTakeTheirTime() throws FsException {
        long began = System.nanoTime();
        Pace pace = new Pace(1_000);
        pace.did(1_000, 0);
        pace.did(200, 0);

        assertThat(System.nanoTime() - began)
                .as("a second is lent at most")
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(199));
    }

    @Test
    void aHeldOneGoesOnWhenItIsLetGo() {
        Pace pace = new Pace(0);
        pace.hold(true);
        CompletableFuture<Void> held = did(pace, 1);
        await().until(() -> pace.look().rows() == 1);
        assertThat(held).isNotDone();

        pace.hold(false);

        assertThat(held).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void aHeldOneCanBeEnded() {
        Pace pace = new Pace(0);
        pace.hold(true);
        CompletableFuture<Void> held = did(pace, 1);
        pace.end();

        assertThat(held)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(java.util.concurrent.ExecutionException.class)
                .withMessageContaining("ended");
        assertThatThrownBy(() -> pace.did(1, 0))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.error()).isEqualTo(FsError.CANCELLED));
    }
}
