package io.steadfs.ioserver.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How many answers of shards are kept, and how many are waited for. */
class KnownGenerationsTest {
    private final KnownGenerations generations = new KnownGenerations();
    private final List<CompletableFuture<OptionalLong>> asked = new ArrayList<>();

    private static Handle metafile(int sequence) {
        return Handle.of(Handle.FIRST_SHARD_OWNER, 0, sequence);
    }

    private FsError error(int sequence) {
        return generations
                .refusal(metafile(sequence), 9, 1)
                .map(KnownGenerations.Refusal::error)
                .orElse(FsError.OK);
    }

    @Test
    void theAnswerThatWasUsedLeastLatelyIsForgotten() {
        generations.ask(metafile -> CompletableFuture.completedFuture(OptionalLong.of(9)));
        for (int i = 1; i <= KnownGenerations.MOST_KEPT; i++) {
            assertThat(error(i)).isEqualTo(FsError.BUSY);
        }
        assertThat(error(1)).isEqualTo(FsError.OK);
        assertThat(error(KnownGenerations.MOST_KEPT + 1)).isEqualTo(FsError.BUSY);
        assertThat(error(1)).as("used lately").isEqualTo(FsError.OK);
        assertThat(error(2)).as("forgotten").isEqualTo(FsError.BUSY);
        assertThat(error(2)).as("asked for again").isEqualTo(FsError.OK);
    }

    @Test
    void onlySoManyAreAskedForAtATime() {
        generations.ask(metafile -> {
            asked.add(new CompletableFuture<>());
            return asked.get(asked.size() - 1);
        });
        for (int i = 1; i <= KnownGenerations.MOST_ASKED + 10; i++) {
            assertThat(error(i)).isEqualTo(FsError.BUSY);
        }
        assertThat(asked).hasSize(KnownGenerations.MOST_ASKED);
        asked.get(0).complete(OptionalLong.of(9));
        assertThat(error(KnownGenerations.MOST_ASKED + 1)).isEqualTo(FsError.BUSY);
        assertThat(asked).hasSize(KnownGenerations.MOST_ASKED + 1);
    }
}
